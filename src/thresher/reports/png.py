"""Pictures as PNG, for slides and papers that take no SVG: drawn by the package resvg-py."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from thresher.errors import MissingPackageError, RequestError
from thresher.pictures.names import shown
from thresher.pictures.svg import FONT

if TYPE_CHECKING:
    from thresher.pictures import Svg

#: Pixels for each unit of the picture: sharp on paper and on dense screens.
SCALE = 2
#: It knows no font of its own and takes none by a general name, so those of usual systems are
#: named: of Windows, of macOS, and of free ones.
FAMILIES = (
    "Inter, 'Segoe UI', Roboto, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', "
    "'Noto Sans', 'DejaVu Sans', 'Open Sans', Ubuntu, Cantarell, FreeSans"
)
_LETTER = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16">{}</svg>'


@cache
def painter() -> Any:
    """The package, once it is sure that it can write words here; it is asked before long work."""
    try:
        package = import_module("resvg_py")
    except ImportError:
        raise MissingPackageError("Writing PNG", "resvg-py", "png") from None
    letter = f'<text y="14" font-family="{FAMILIES}">m</text>'
    empty, written = (package.svg_to_bytes(svg_string=_LETTER.format(x)) for x in ("", letter))
    if empty == written:
        raise RequestError(
            "this machine has no font that PNG could be written with.",
            "Install one, such as DejaVu Sans or Liberation Sans, or write .svg.",
        )
    return package


def png(picture: Svg) -> bytes:
    """The picture on white, twice as large.

    >>> from thresher.pictures import Svg
    >>> png(Svg(20, 10, ['<path d="M0 0H20"/>'], "a line"))[:4]
    b'\\x89PNG'
    """
    package = painter()
    document = str(picture).replace(shown(FONT, 400), FAMILIES, 1)
    drawn: bytes = package.svg_to_bytes(svg_string=document, zoom=SCALE)
    return drawn

"""Svg: a picture as text, which browsers, notebooks and papers take as it is."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

from thresher.pictures.names import shown

#: Seven hues that the colour-blind tell apart, on white and on black; lines in turn take them.
HUES = ("#0072b2", "#c04a00", "#007a59", "#8a4f9e", "#7a5c00", "#b0306a", "#4d5a66")
DARK_HUES = ("#56b4f0", "#f79a52", "#2ec99b", "#c79be0", "#d9b441", "#f282b0", "#a9b6c3")
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"
INK, DARK_INK, PAPER, DARK_PAPER = "#16191d", "#eceff3", "#ffffff", "#181b20"


def dark_style() -> str:
    """The style sheet of pictures where a dark page is preferred: the hues of lines and fills."""
    rules = "".join(
        f".tp .s{n}{{stroke:{hue}}}.tp .f{n}{{fill:{hue}}}" for n, hue in enumerate(DARK_HUES)
    )
    return f"@media (prefers-color-scheme: dark){{{rules}}}"


class Svg:
    """A picture.

    `str` of it is a document of its own, `inline` a part of a page. A notebook shows it, and `save`
    writes it to a file.

    >>> picture = Svg(20, 10, ['<path d="M0 0H20"/>'], "a line")
    >>> picture.inline()
    '<svg class="tp" viewBox="0 0 20 10" role="img" aria-label="a line"><path d="M0 0H20"/></svg>'
    >>> str(picture).startswith("<svg xmlns="), picture
    (True, Svg(20 x 10: a line))
    """

    __slots__ = ("body", "height", "title", "width")

    def __init__(self, width: int, height: int, body: Iterable[str], title: str = "") -> None:
        self.width, self.height = width, height
        self.body = "".join(body)
        #: What is said to those who do not see it.
        self.title = title

    def inline(self, name: str = "tp") -> str:
        """The picture as a part of a page that has a style sheet."""
        return (
            f'<svg class="{name}" viewBox="0 0 {self.width} {self.height}" role="img" '
            f'aria-label="{shown(self.title, 400)}">{self.body}</svg>'
        )

    def _repr_html_(self) -> str:
        """The picture in a notebook: as wide as it is meant to be, in the colours of the page."""
        return (
            f'<svg class="tp" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}" font-family="{shown(FONT, 400)}" '
            f'role="img" aria-label="{shown(self.title, 400)}">{self.body}</svg>'
        )

    def _repr_svg_(self) -> str:
        return str(self)

    def __str__(self) -> str:
        style = (
            f".tp{{color:{INK}}}.tp .paper{{fill:{PAPER}}}"
            f"@media (prefers-color-scheme: dark){{.tp{{color:{DARK_INK}}}"
            f".tp .paper{{fill:{DARK_PAPER}}}}}{dark_style()}"
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="tp" width="{self.width}" '
            f'height="{self.height}" viewBox="0 0 {self.width} {self.height}" '
            f'font-family="{shown(FONT, 400)}" role="img">'
            f"<title>{shown(self.title, 400)}</title><style>{style}</style>"
            f'<rect class="paper" width="100%" height="100%" fill="{PAPER}"/>{self.body}</svg>\n'
        )

    def save(self, path: str | Path) -> None:
        """Write the document to a file; one whose name ends with .png is drawn in pixels."""
        if Path(path).suffix.lower() == ".png":
            # By name: it takes a package, and errors, which are a stage above.
            Path(path).write_bytes(import_module("thresher.reports.png").png(self))
        else:
            Path(path).write_text(str(self), "utf-8")

    def __repr__(self) -> str:
        return f"Svg({self.width} x {self.height}: {self.title})"

"""Texts with bytes that are not UTF-8: read all the same, and counted.

Such bytes are nearly always letters in the encoding of old Windows machines, in mail above all,
so they are taken as what they are there: é is one character, and one feature, whichever of the two
wrote it. The five bytes that mean nothing there are the characters of their numbers. A NUL is a
blank.
"""

from __future__ import annotations

import codecs
from array import array
from typing import NamedTuple

_CP1252 = [
    bytes((byte,)).decode("cp1252") if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else chr(byte)
    for byte in range(256)
]
_AS_WINDOWS = "thresher-as-windows"


def _as_windows(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "".join(_CP1252[byte] for byte in error.object[error.start : error.end]), error.end


codecs.register_error(_AS_WINDOWS, _as_windows)


class Mended(NamedTuple):
    """A block of lines in UTF-8, how many of its lines were not, and the first of them, from 1."""

    block: bytes
    lines: tuple[int, int]


def mended(block: bytes) -> Mended:
    """The block as text in UTF-8 without NUL.

    >>> mended(b"caf\\xe9 \\x93quoted\\x94\\nplain\\n")
    Mended(block=b'caf\\xc3\\xa9 \\xe2\\x80\\x9cquoted\\xe2\\x80\\x9d\\nplain\\n', lines=(1, 1))
    """
    if is_text(block):
        return Mended(block, (0, 0))
    odd = array("q")
    odd.extend(n for n, line in enumerate(block.split(b"\n"), 1) if not is_text(line))
    sound = block.decode("utf-8", _AS_WINDOWS).replace("\0", " ").encode("utf-8")
    return Mended(sound, (len(odd), odd[0]))


def is_text(block: bytes) -> bool:
    """Whether bytes are UTF-8 without NUL.

    >>> is_text("naïve".encode()), is_text(b"na\\xefve"), is_text(b"a\\0b")
    (True, False, False)
    """
    if b"\0" in block:
        return False
    if block.isascii():
        return True
    try:
        block.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True

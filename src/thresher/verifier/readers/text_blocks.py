"""The text of a file in blocks of whole lines, none of which is longer than the limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from thresher.errors import BadLineError

#: The longest line that is read, without its line end.
MOST_LINE_BYTES = 32 << 20
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Block(NamedTuple):
    """Some lines of a file."""

    file: str
    #: Number of its first line in the file, counted from 1.
    first_line: int
    text: bytes


def text_blocks(
    file: str,
    pieces: Iterable[bytes],
    most_line_bytes: int = MOST_LINE_BYTES,
    *,
    inside: bool = False,
) -> Iterator[Block]:
    r"""Pieces of a file, cut anew at line ends (``\n``); a byte order mark is left out.

    Where they are from the `inside` of a file there is no such mark, and lines count from theirs.

    >>> [block.text for block in text_blocks("f", [b"1 3:", b"1\n-1", b" 4:1\n1"])]
    [b'1 3:1\n', b'-1 4:1\n', b'1']
    """
    line, held, size = 1, [], 0
    for piece in pieces if inside else _unmarked(pieces):
        first = piece.find(b"\n")
        if size + (len(piece) if first < 0 else first) > most_line_bytes:
            raise _too_long(file, line, most_line_bytes)
        held.append(piece)
        size += len(piece)
        if first < 0:
            continue
        last = piece.rfind(b"\n") + 1
        # What is behind the last line end begins a line: it is shorter than a piece.
        held[-1] = piece[:last]
        text = b"".join(held)
        held = [piece[last:]]
        size = len(piece) - last
        sound = _sound(text, most_line_bytes)
        yield Block(file, line, text[:sound])
        line += text.count(b"\n", 0, sound)
        if sound < len(text) or size > most_line_bytes:
            raise _too_long(file, line, most_line_bytes)
    if size:
        yield Block(file, line, b"".join(held))


def _sound(text: bytes, most: int) -> int:
    """Where the first line begins that is too long; the end if none is."""
    start = 0
    while len(text) - start > most:
        stop = text.index(b"\n", start)
        if stop - start > most:
            return start
        start = stop + 1
    return len(text)


def _unmarked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The pieces without a byte order mark at the start."""
    begun: bytes | None = b""
    for piece in pieces:
        if begun is None:
            yield piece
            continue
        begun += piece
        if len(begun) >= len(_BYTE_ORDER_MARK):
            yield begun.removeprefix(_BYTE_ORDER_MARK)
            begun = None
    if begun:
        yield begun


def _too_long(file: str, line: int, most: int) -> BadLineError:
    return BadLineError(
        f"{file}:{line}: found a line of more than {most} bytes, expected lines of at most {most}.",
        file=file,
        line=line,
    )


def start_of_line(text: bytes, number: int) -> int:
    """Where the line begins that has so many lines before it.

    >>> start_of_line(b"# a\\n1 2:1\\n", 1)
    4
    """
    at = 0
    for _ in range(number):
        at = text.index(b"\n", at) + 1
    return at


def rows_before(text: bytes, limit: int) -> int:
    """How many rows begin within the first bytes of a text.

    >>> [rows_before(b"1 2:1\\n# a\\n-1\\n", limit) for limit in (0, 1, 10, 11, 20)]
    [0, 1, 1, 2, 2]
    """
    if limit <= 0:
        return 0
    end = text.find(b"\n", limit - 1) + 1
    lines = (text if end == 0 else text[:end]).split(b"\n")
    return sum(bool(line.split(b"#", 1)[0].strip(b" \t\r")) for line in lines)

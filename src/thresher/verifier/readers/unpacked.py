"""The bytes of a file as they were before it was packed, piece by piece, in bounded memory.

gzip, xz and bzip2 are told by how a file begins, whatever its name is, and unpacked by
Python's own modules. Packed files in a row are one file.
"""

from __future__ import annotations

import bz2
import lzma
import sys
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, nullcontext
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, Protocol

from thresher.errors import SourceError

#: Bytes handed out at a time.
PIECE = 1 << 20
STDIN = "-"
_MAGIC = 6
_ZSTANDARD = b"\x28\xb5\x2f\xfd"


class _Unpacking(Protocol):
    """What the decompressors of `bz2` and `lzma` have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /, max_length: int = -1) -> bytes: ...


class _Gzip:
    """One gzip file behind the interface of the others."""

    def __init__(self) -> None:
        self._inside = zlib.decompressobj(wbits=31)

    @property
    def eof(self) -> bool:
        return self._inside.eof

    @property
    def needs_input(self) -> bool:
        return not self._inside.unconsumed_tail and not self.eof

    @property
    def unused_data(self) -> bytes:
        return self._inside.unused_data

    def decompress(self, data: bytes, /, max_length: int = -1) -> bytes:
        return self._inside.decompress(self._inside.unconsumed_tail + data, max_length)


_KINDS: tuple[tuple[bytes, str, Callable[[], _Unpacking]], ...] = (
    (b"\x1f\x8b", "gzip", _Gzip),
    (b"\xfd7zXZ\x00", "xz", lzma.LZMADecompressor),
    (b"BZh", "bzip2", bz2.BZ2Decompressor),
)


def shown_name(path: str) -> str:
    """What messages call a file.

    >>> shown_name("-"), shown_name("a.svm")
    ('<stdin>', 'a.svm')
    """
    if path.startswith(("http://", "https://")):
        # What signs an address is nobody else's business.
        return path.partition("?")[0]
    return "<stdin>" if path == STDIN else path


def unpacked(path: str, part: tuple[int, int] | None = None) -> Generator[bytes]:
    """The bytes of a file, or of standard input (``-``), unpacked; no piece is large or empty.

    With a `part`, those from one place to another, as they are stored.
    """
    name = shown_name(path)
    try:
        with _opened(path) as file:
            if part is not None:
                yield from _between(file, *part)
                return
            stored = _stored(file)
            head = b""
            while len(head) < _MAGIC and (more := next(stored, b"")):
                head += more
            kind = next((kind for kind in _KINDS if head.startswith(kind[0])), None)
            if head.startswith(_ZSTANDARD):
                raise SourceError(
                    name,
                    "Zstandard is not unpacked by the verifier's own reader",
                    "Unpack the file first, or read it with thresher.streams.",
                )
            if kind is not None:
                yield from _through(kind[2], name, kind[1], _joined(head, stored))
            elif head:
                yield from _joined(head, stored)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        reason = "there is no such file" if missing else f"cannot be read: {error.strerror}"
        raise SourceError(name, reason) from error


def _opened(path: str) -> closing[BinaryIO] | nullcontext[BinaryIO]:
    if path == STDIN:
        if sys.stdin is None:
            raise SourceError(shown_name(path), "standard input is closed")
        return nullcontext(sys.stdin.buffer)
    if "://" in path and not Path(path).exists():
        return closing(_elsewhere(path))
    return closing(Path(path).open("rb"))


def _elsewhere(address: str) -> BinaryIO:
    """A file on another machine, by the package that knows its protocol."""
    try:
        opened: BinaryIO = import_module("fsspec").open(address, "rb").open()
    except ImportError as error:
        raise SourceError(
            shown_name(address),
            "cannot be read from another machine: a package is not installed",
            "Install what reads it, such as thresher[s3] for s3://.",
        ) from error
    except ValueError as error:
        raise SourceError(shown_name(address), f"cannot be read: {error}".rstrip(".")) from error
    return opened


def _stored(file: BinaryIO) -> Iterator[bytes]:
    while piece := file.read(PIECE):
        yield piece


def _between(file: BinaryIO, start: int, stop: int) -> Iterator[bytes]:
    file.seek(start)
    left = stop - start
    while left > 0 and (piece := file.read(min(PIECE, left))):
        left -= len(piece)
        yield piece


def _joined(head: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield head
    yield from rest


def _through(
    begin: Callable[[], _Unpacking], name: str, kind: str, stored: Iterator[bytes]
) -> Iterator[bytes]:
    """The stored bytes, unpacked: one packed file after another."""
    inside = begin()
    for piece in stored:
        data = piece
        while data or not (inside.needs_input or inside.eof):
            if inside.eof:
                # Some programs fill up with zeros behind a packed file.
                data = data.lstrip(b"\0")
                if not data:
                    break
                inside = begin()
            try:
                made = inside.decompress(data, PIECE)
            except (zlib.error, lzma.LZMAError, OSError, EOFError) as error:
                raise SourceError(
                    name, f"the {kind} data is damaged ({error})", "Fetch the file again."
                ) from error
            data = inside.unused_data if inside.eof else b""
            if made:
                yield made
    if not inside.eof:
        raise SourceError(
            name, f"the {kind} data ends in the middle", "The file is cut short; fetch it again."
        )

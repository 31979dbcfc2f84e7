"""Compressed bytes, unpacked piece by piece: gzip, Zstandard, xz, bzip2."""

from __future__ import annotations

import bz2
import lzma
from collections.abc import Callable
from typing import Any, Protocol

from isal import igzip_lib
from zstandard import ZstdDecompressor, ZstdError

from thresher.errors import SourceError


class _Decompressor(Protocol):
    """What the decompressors of bz2, lzma and isal have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Zstandard:
    """A Zstandard frame behind the interface of the others.

    The package's own object has no limit on what it returns, so it is fed little at a time: one
    kilobyte of a hostile file becomes 32 MB at most.
    """

    _PIECE = 1024

    def __init__(self) -> None:
        self._frame = ZstdDecompressor().decompressobj()
        self._left = b""
        self.unused_data = b""

    @property
    def eof(self) -> bool:
        return bool(self._frame.eof)

    @property
    def needs_input(self) -> bool:
        return not self._left and not self.eof

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        stored = self._left + data
        parts, size, at = [], 0, 0
        while at < len(stored) and size < max_length and not self.eof:
            parts.append(self._frame.decompress(stored[at : at + self._PIECE]))
            size += len(parts[-1])
            at += self._PIECE
        self._left = stored[at:]
        if self.eof:
            self.unused_data, self._left = self._frame.unused_data + self._left, b""
        return b"".join(parts)


def _gzip() -> _Decompressor:
    made: _Decompressor = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
    return made


_MAKERS: dict[str, Callable[[], _Decompressor]] = {
    "gzip": _gzip,
    "Zstandard": _Zstandard,
    "xz": lzma.LZMADecompressor,
    "bzip2": bz2.BZ2Decompressor,
}
_FAULTS: Any = (
    igzip_lib.error,
    ZstdError,
    lzma.LZMAError,
    OSError,
    EOFError,
)


class Unpacker:
    """Turns stored bytes into those they were made from; packed files in a row are one file.

    Zeros behind a packed file, as tapes have them, are passed over.
    """

    def __init__(self, file: str, kind: str) -> None:
        self._file, self._kind, self._make = file, kind, _MAKERS[kind]
        self._inside = self._make()
        self._rest = b""
        #: Whether other bytes follow a packed file, and have not given anything yet.
        self._following = False

    @property
    def pending(self) -> bool:
        """Whether there is more to come without further stored bytes."""
        return bool(self._rest) or not (self._inside.needs_input or self._inside.eof)

    def unpack(self, stored: bytes, most: int) -> bytes:
        """What the stored bytes, and those kept from before, give: about `most` bytes."""
        stored, self._rest = self._rest + stored, b""
        if self._inside.eof:
            stored = stored.lstrip(b"\0")
            if not stored:
                return b""
            self._inside, self._following = self._make(), True
        try:
            data = self._inside.decompress(stored, most)
        except _FAULTS as fault:
            raise self._others() if self._following else SourceError(
                self._file, f"the {self._kind} data is damaged ({fault})", "Fetch the file again."
            ) from fault
        self._following = self._following and not data
        if self._inside.eof:
            self._rest = self._inside.unused_data
        return data

    def finish(self) -> None:
        """Raise if the stored bytes, of which there are no more, are cut short."""
        if not self._inside.eof:
            raise self._others() if self._following else SourceError(
                self._file,
                f"the {self._kind} data ends in the middle",
                "The file is cut short; fetch it again.",
            )

    def _others(self) -> SourceError:
        return SourceError(
            self._file,
            f"behind the {self._kind} data are bytes that are none",
            "Cut them off, or fetch the file again.",
        )

"""Which bytes are compressed, told by how they begin; what unpacks them is imported for those."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from thresher.streams.sources.unpacking import Unpacker

_BEGINNINGS = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"\xfd7zXZ\x00": "xz",
    b"BZh": "bzip2",
}


def unpacker_for(magic: bytes, file: str) -> Unpacker | None:
    """The unpacker for input that begins with these bytes; None if it is not packed."""
    for start, kind in _BEGINNINGS.items():
        if magic.startswith(start):
            made: Unpacker = import_module("thresher.streams.sources.unpacking").Unpacker(
                file, kind
            )
            return made
    return None

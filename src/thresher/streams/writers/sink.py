"""Where written bytes go: a file, compressed by its suffix, or standard output."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

import zstandard
from isal import igzip_threaded


@contextmanager
def sink(path: str) -> Iterator[BinaryIO]:
    """A file to write to, `-` for standard output; `.gz` and `.zst` compress.

    A file appears under its name when everything has been written, and not at all if an
    error comes first. What is no plain file (a pipe, a device) is written to directly.
    """
    if path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    if target.exists() and not target.is_file():
        with target.open("wb") as plain, _compressed(plain, path) as file:
            yield file
        return
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as plain, _compressed(plain, path) as file:
            yield file
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextmanager
def _compressed(plain: BinaryIO, path: str) -> Iterator[BinaryIO]:
    if path.endswith(".gz"):
        with igzip_threaded.open(plain, "wb", threads=1) as file:
            yield cast(BinaryIO, file)
    elif path.endswith(".zst"):
        with zstandard.ZstdCompressor().stream_writer(plain, closefd=False) as file:
            yield cast(BinaryIO, file)
    else:
        yield plain


def _umask() -> int:
    """What a new file of this process may not be; there is no way to ask but to set it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask

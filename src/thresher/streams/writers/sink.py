"""Where written bytes go: a file, compressed by its suffix, or standard output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

import zstandard
from isal import igzip

from thresher.streams.sources.whole_file import whole_file


@contextmanager
def sink(path: str) -> Iterator[BinaryIO]:
    """A file to write to, `-` for standard output; `.gz` and `.zst` compress.

    A file appears under its name when everything has been written, and stays what it was if an
    error comes first: see `whole_file`.
    """
    if path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with whole_file(path) as plain, _compressed(plain, path) as file:
        yield file


@contextmanager
def _compressed(plain: BinaryIO, path: str) -> Iterator[BinaryIO]:
    if path.endswith(".gz"):
        # Not its writer with a thread, which waits for ever once the disk is full. No name and
        # no time: the same rows are the same bytes.
        with igzip.IGzipFile("", "wb", fileobj=plain, mtime=0) as file:
            yield cast(BinaryIO, file)
    elif path.endswith(".zst"):
        with zstandard.ZstdCompressor().stream_writer(plain, closefd=False) as file:
            yield cast(BinaryIO, file)
    else:
        yield plain

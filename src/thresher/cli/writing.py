"""Where results go: a file, or standard output, in UTF-8 whatever the terminal speaks."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

import click


@contextmanager
def writing(path: str, inputs: Sequence[str] = ()) -> Iterator[IO[bytes]]:
    """A file to write bytes to, or standard output for `-`; never one of the inputs."""
    if path != "-":
        if path in inputs:
            raise click.UsageError(f"-o {path}: this is one of the inputs; choose another name.")
        with open(path, "wb") as file:
            yield file
        return
    if sys.stdout is None:
        raise click.UsageError("standard output is closed; give a file with -o.")
    sys.stdout.flush()
    out = sys.stdout.buffer
    if not isinstance(out, io.RawIOBase):
        yield out
        out.flush()
        return
    # Python without buffers (-u) gives up a text of which a pipe took only a part.
    buffered = io.BufferedWriter(out)
    try:
        yield buffered
        buffered.flush()
    finally:
        buffered.detach()

"""Where results go: a file, or standard output, in UTF-8 whatever the terminal speaks."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import IO

import click


def check_output(path: str, inputs: Iterable[str]) -> None:
    """Refuse, before any work, an output that could not be written or that is an input."""
    from thresher.streams.sources.source import is_one_of

    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise click.UsageError(f"-o {path}: this is a folder; give the name of a file in it.")
    if not os.path.isdir(folder):
        raise click.UsageError(f"-o {path}: there is no folder {folder}; make it first.")
    # A device or a pipe takes what is written; a file is put in its place when it is complete.
    plain = os.path.isfile(path) or not os.path.exists(path)
    if plain and not os.access(folder, os.W_OK | os.X_OK):
        raise click.UsageError(f"-o {path}: nothing may be written to the folder {folder}.")
    if is_one_of(path, inputs):
        raise click.UsageError(f"-o {path}: this is one of the inputs; choose another name.")


@contextmanager
def writing(path: str) -> Iterator[IO[bytes]]:
    """A file to write bytes to, which appears when all is written; standard output for `-`."""
    if path != "-":
        from thresher.streams.sources.whole_file import whole_file

        with whole_file(path) as file:
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

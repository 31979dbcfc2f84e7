"""Rows in random order: lines as they were where the format stays, otherwise rows as converted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np

from thresher.errors import RequestError
from thresher.kernels.scanning import split_csv
from thresher.streams.first_look import decoded_by
from thresher.streams.formats.csv_table import HEADER_BYTES
from thresher.streams.formats.detection import format_named, of_lines
from thresher.streams.formats.format import BYTE_ORDER_MARK
from thresher.streams.rows import joined_rows, taken_rows
from thresher.streams.sources.source import STDIN, ByteSource
from thresher.streams.writers import Examples

if TYPE_CHECKING:
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream

#: So many rows are brought into random order and written at a time.
ROWS_AT_ONCE = 1 << 14


def keeps_lines(stream: Stream, to: str) -> bool:
    """Whether a stream and the format to write have the same lines."""
    if not of_lines(format_named(stream.format)):
        return False
    if stream.format == "csv":
        return to == ("tsv" if stream.recipe.separator == "\t" else "csv")
    return to == ("tsv" if stream.format == "text" else stream.format)


def header_of(stream: Stream) -> bytes:
    """The line that names the columns of a table; nothing in other formats."""
    if stream.format != "csv":
        return b""
    path = stream.paths[0]
    if path == STDIN:
        raise RequestError("rows of standard input cannot be shuffled: its header has gone by.")
    with closing(ByteSource(path, decoded_by(stream.recipe))) as source:
        text = source.head(HEADER_BYTES).removeprefix(BYTE_ORDER_MARK)
    separator = (stream.recipe.separator or ",").encode()
    _, skip = split_csv.split(text, separator, 1)
    return text[:skip].rstrip(b"\r\n") + b"\n"


def lines_of(chunk: Chunk) -> Iterator[bytes]:
    """The lines of the rows, each with its end."""
    text, start, stop = chunk.text, chunk.start, chunk.stop
    if text is None or start is None or stop is None:
        # The end of a file, with what was found there and no row.
        assert not len(chunk.rows)
        return
    for one, end in zip(start.tolist(), stop.tolist(), strict=True):
        yield text[one:end].rstrip(b"\r\n") + b"\n"


def shuffled_lines(lines: list[bytes], seed: int) -> Iterable[bytes]:
    """The lines in random order."""
    return map(lines.__getitem__, np.random.default_rng(seed).permutation(len(lines)).tolist())


def shuffled(parts: list[Examples], seed: int) -> Iterator[Examples]:
    """The rows of all parts in random order, some at a time.

    >>> from thresher.streams.rows import Rows
    >>> rows = Examples(Rows.of([{0: 1}, {1: 1}, {2: 1}]), np.array([0, 1, 1], np.int32), "ab")
    >>> [(*part.rows, part.label.tolist()) for part in shuffled([rows], 2)]
    [({2: 1.0}, {0: 1.0}, {1: 1.0}, [1, 0, 1])]
    """
    rows = joined_rows([part.rows for part in parts])
    label = np.concatenate([np.zeros(0, np.int32), *(part.label for part in parts)])
    importance = None
    if any(part.importance is not None for part in parts):
        weights = [
            np.ones(len(part.rows)) if part.importance is None else part.importance
            for part in parts
        ]
        importance = np.concatenate(weights)
    names = parts[-1].label_names if parts else ()
    order = np.random.default_rng(seed).permutation(len(rows))
    for at in range(0, len(order), ROWS_AT_ONCE):
        which = order[at : at + ROWS_AT_ONCE]
        weight = None if importance is None else importance[which]
        yield Examples(taken_rows(rows, which), label[which], names, weight)

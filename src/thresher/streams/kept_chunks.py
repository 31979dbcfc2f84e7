"""The chunks of one pass over a stream, kept for those after it, where memory allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from thresher.streams.chunk import Chunk
from thresher.streams.sources.machine import free_memory

#: So many bytes are kept at most: what a gigabyte of svmlight comes to, without its text.
MOST_BYTES = 2**29
#: And no more than one part in so many of the memory that nobody uses.
SHARE = 4


class KeptChunks:
    """Chunks as they are handed out, until they are too many; then none is kept.

    Parameters
    ----------
    lines
        Whether the text of the rows is kept as well, for those who want names or lines.
    most
        So many bytes may be kept; None: `MOST_BYTES`, or a quarter of the free memory if that is
        less.
    """

    def __init__(self, *, lines: bool, most: int | None = None) -> None:
        self._lines = lines
        self._most = min(MOST_BYTES, free_memory() // SHARE) if most is None else most
        self._chunks: list[Chunk] = []
        self._bytes = 0
        #: Whether the stream has come to its end, and every chunk of it is here.
        self.whole = False

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self._chunks)

    def passing(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The chunks of a pass from its beginning, each kept on its way."""
        self._chunks, self._bytes, self.whole = [], 0, False
        for chunk in chunks:
            if self._bytes <= self._most:
                self._keep(chunk)
            yield chunk
        self.whole = self._bytes <= self._most

    def _keep(self, chunk: Chunk) -> None:
        # Bad lines have been dealt with, and hold on to their text.
        kept = replace(chunk, bad=())
        if not self._lines:
            kept = replace(kept, text=None, start=None, stop=None)
        self._bytes += _size(kept)
        if self._bytes <= self._most:
            self._chunks.append(kept)
        else:
            self._chunks = []


def _size(chunk: Chunk) -> int:
    """Bytes that a chunk takes; of memory that was not filled nothing is there."""
    rows = chunk.rows
    places = (chunk.line, chunk.start, chunk.stop)
    values = (None if rows.only_ones else rows.value, chunk.importance)
    arrays = (rows.row_start, rows.column, chunk.label, *places, *values)
    return sum(array.nbytes for array in arrays if array is not None) + len(chunk.text or b"")

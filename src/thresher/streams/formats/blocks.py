"""From the bytes of a file to blocks of whole lines, and from blocks to jobs for the scanners."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from thresher.streams.chunk import BadLine
from thresher.streams.formats.format import Job, RecordEnds, Scanned, TextFormat
from thresher.streams.formats.mending import mended
from thresher.streams.sources.source import ByteSource

#: Text handed to a scanner at a time: a millisecond of work. With half of it a gigabyte of svmlight
#: took 1.2 times as long, for what is done once a block; with twice of it as long as with this.
CHUNK_BYTES = 1 << 21
#: The longest line that is read, and about the memory that it may take; more is a bad line.
MAX_LINE_BYTES = 32 << 20
_KEPT = 1 << 16


def text_jobs(
    format_: TextFormat,
    source: ByteSource,
    chunk_bytes: int = CHUNK_BYTES,
    max_line_bytes: int = MAX_LINE_BYTES,
) -> Iterator[Job]:
    """The blocks of a file, each as a job; a header is skipped, an endless line is refused."""
    head = source.head(format_.head_bytes)
    skip = format_.begin(source.name, head)
    while skip > 0 and (header := source.read(skip)):
        skip -= len(header)
        yield Job(partial(_nothing, header.count(b"\n")), source.n_bytes)
    ends = format_.ends or _LineEnds()
    rest, ended, begun = b"", False, False
    while not ended:
        # A long line is not looked through for its end again and again in small steps.
        size = max(chunk_bytes, min(len(rest) + len(rest) // 4, max_line_bytes + 1))
        if format_.ends is None:
            whole, rest, ended = source.lines(rest, size)
        else:
            whole, rest, ended = _records(ends, source, rest, size)
        if whole and not begun:
            begun, header_bytes = True, format_.header_in(whole)
            if header_bytes:
                yield Job(partial(_nothing, 1), source.n_bytes)
                whole = whole[header_bytes:]
        for block, too_long in _pieces(ends, whole, max_line_bytes):
            yield from _of_piece(format_, source, block, max_line_bytes if too_long else None)
        if len(rest) > max_line_bytes:
            sizes = _skipped(ends, source, rest)
            yield _too_long(source, rest, sizes, max_line_bytes)
            rest = b""
    if rest:
        source.unended = not rest.isspace()
        if not begun and format_.header_in(rest) == len(rest):
            return
        yield _scanning(format_, source, rest)


def _of_piece(
    format_: TextFormat, source: ByteSource, block: bytes, most: int | None
) -> Iterator[Job]:
    """The job for a piece of a block, if it is not empty; with `most`, a record that is longer."""
    if most is not None:
        yield _too_long(source, block, (len(block) - 1, block.count(b"\n")), most)
    elif block:
        yield _scanning(format_, source, block)


def _scanning(format_: TextFormat, source: ByteSource, block: bytes) -> Job:
    """The job that scans a block."""
    lines = (0, 0)
    if format_.mends:
        block, lines = mended(block)
    block = format_.arranged(block)
    run = partial(format_.scan, source.name, block, 1)
    if lines[0]:
        run = partial(_remembering, run, lines)
    return Job(run, source.n_bytes, block)


def _remembering(scan: Callable[[], Scanned], lines: tuple[int, int]) -> Scanned:
    return replace(scan(), mended=lines)


class _LineEnds:
    """Where records end in a format whose records are lines."""

    def last(self, block: bytes, /) -> int:
        return block.rfind(b"\n") + 1

    def next(self, block: bytes, at: int, state: int, /) -> tuple[int, int]:
        return block.find(b"\n", at) + 1 or -1, 0


def _pieces(ends: RecordEnds, block: bytes, most: int) -> list[tuple[bytes, bool]]:
    """The block cut around the records that are too long, and which of the pieces are those."""
    if len(block) <= most:
        return [(block, False)]
    pieces, begun, start = [], 0, 0
    while start < len(block):
        stop, _ = ends.next(block, start, 0)
        if stop - 1 - start > most:
            pieces += [(block[begun:start], False), (block[start:stop], True)]
            begun = stop
        start = stop
    return [*pieces, (block[begun:], False)]


def _records(
    ends: RecordEnds, source: ByteSource, begun: bytes, size: int
) -> tuple[bytes, bytes, bool]:
    """As `ByteSource.lines`, where a record may have line ends inside."""
    data = source.read(max(size - len(begun), 1))
    block = begun + data
    cut = ends.last(block) if data else 0
    return block[:cut], block[cut:], not data


def _skipped(ends: RecordEnds, source: ByteSource, begun: bytes) -> tuple[int, int]:
    """Go on to the next record; the bytes and the line ends of the one that has begun."""
    size, n_lines = len(begun), begun.count(b"\n")
    _, state = ends.next(begun, 0, 0)
    while data := source.read(1 << 20):
        end, state = ends.next(data, 0, state)
        if end >= 0:
            source.put_back(data[end:])
            return size + end - 1, n_lines + data.count(b"\n", 0, end)
        size += len(data)
        n_lines += data.count(b"\n")
    return size, n_lines + 1


def _too_long(source: ByteSource, begun: bytes, sizes: tuple[int, int], most: int) -> Job:
    """A record that is too long, as the bad line it is: its beginning, its bytes and lines."""
    size, n_lines = sizes
    what = "line" if n_lines == 1 else "record"
    more = "" if n_lines == 1 else f" in {n_lines} lines (a quote that is never closed?)"
    bad = BadLine(
        source.name,
        1,
        f"a {what} of {size} bytes{more}",
        f"{what}s of at most {most} bytes; of this one only the first {_KEPT} bytes are kept",
        begun[:_KEPT].rstrip(b"\n"),
    )
    return Job(partial(_nothing, n_lines, bad), source.n_bytes)


def _nothing(n_lines: int, *bad: BadLine) -> Scanned:
    """Lines that are no rows."""
    none = np.empty(0, np.int64)
    return Scanned(
        row_start=np.zeros(1, np.int64),
        column=np.empty(0, np.int32),
        value=np.empty(0),
        label=np.empty(0, np.int32),
        label_names=[],
        importance=None,
        line=none,
        start=none,
        stop=none,
        bad=bad,
        n_lines=n_lines,
    )

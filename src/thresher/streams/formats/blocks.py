"""From the bytes of a file to blocks of whole lines, and from blocks to jobs for the scanners."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from thresher.streams.chunk import BadLine
from thresher.streams.formats.format import Job, Scanned, TextFormat, after_last_line_end
from thresher.streams.sources.source import Source

#: Text handed to a scanner at a time: a few hundred microseconds of work.
CHUNK_BYTES = 1 << 20
#: The longest line that is read; more is a bad line. So much memory one line may take.
MAX_LINE_BYTES = 32 << 20
_KEPT = 1 << 16


def text_jobs(
    format_: TextFormat,
    source: Source,
    chunk_bytes: int = CHUNK_BYTES,
    max_line_bytes: int = MAX_LINE_BYTES,
) -> Iterator[Job]:
    """The blocks of a file, each as a job; a header is skipped, an endless line is refused."""
    head = source.head(format_.head_bytes)
    skip = format_.begin(source.name, head)
    while skip > 0 and (header := source.read(skip)):
        skip -= len(header)
        yield Job(partial(_nothing, header.count(b"\n")), source.n_bytes)
    by_lines = format_.cut is after_last_line_end
    rest, ended = b"", False
    while not ended:
        # A long line is not looked through for its end again and again in small steps.
        size = max(chunk_bytes, len(rest) + len(rest) // 4)
        if by_lines:
            whole, rest, ended = source.lines(rest, size)
        else:
            whole, rest, ended = _records(format_, source, rest, size)
        for block, too_long in _pieces(whole, max_line_bytes) if by_lines else [(whole, False)]:
            if too_long:
                yield _too_long(source, block, len(block) - 1, max_line_bytes)
            elif block:
                yield Job(partial(format_.scan, source.name, block, 1), source.n_bytes, block)
        if len(rest) > max_line_bytes:
            size = len(rest) + _skip_line(source)
            yield _too_long(source, rest, size, max_line_bytes)
            rest = b""
    if rest:
        yield Job(partial(format_.scan, source.name, rest, 1), source.n_bytes, rest)


def _pieces(block: bytes, most: int) -> list[tuple[bytes, bool]]:
    """The block cut around the lines that are too long, and which of the pieces are those."""
    if len(block) <= most:
        return [(block, False)]
    pieces, begun, start = [], 0, 0
    while start < len(block):
        stop = block.index(b"\n", start) + 1
        if stop - 1 - start > most:
            pieces += [(block[begun:start], False), (block[start:stop], True)]
            begun = stop
        start = stop
    return [*pieces, (block[begun:], False)]


def _records(
    format_: TextFormat, source: Source, begun: bytes, size: int
) -> tuple[bytes, bytes, bool]:
    """Whole records where a line end may be inside of one; as `Source.lines` otherwise."""
    data = source.read(max(size - len(begun), 1))
    block = begun + data
    cut = format_.cut(memoryview(block)) if data else 0
    return block[:cut], block[cut:], not data


def _skip_line(source: Source) -> int:
    """Go on to the next line; return how many bytes were left of this one."""
    size = 0
    while data := source.read(1 << 20):
        end = data.find(b"\n")
        if end >= 0:
            source.put_back(data[end + 1 :])
            return size + end
        size += len(data)
    return size


def _too_long(source: Source, line: bytes, size: int, most: int) -> Job:
    """A line that is too long, as the bad line it is."""
    bad = BadLine(
        source.name,
        1,
        f"a line of {size} bytes",
        f"lines of at most {most} bytes; of this one only the first {_KEPT} bytes are kept",
        line[:_KEPT].rstrip(b"\n"),
    )
    return Job(partial(_nothing, 1, bad), source.n_bytes)


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

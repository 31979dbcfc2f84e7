"""The verifier's own reader of svmlight files, so that no stream code is trusted.

The grammar is stated in `docs/certificates.md`. Text is read in blocks and scanned by
`compiled.svmlight_lines`, by several threads where that is wanted; the rows do not depend on
how many. Rows are held in memory, up to a limit; text is not.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadLineError, SourceError
from thresher.verifier.compiled.svmlight_lines import scan_lines
from thresher.verifier.readers.label_names import (
    BYTES_TO_DECIDE,
    MOST_LABELS,
    one_spelling,
)
from thresher.verifier.readers.line_faults import MOST_COLUMNS, bad_line
from thresher.verifier.readers.plain_rows import PlainRows
from thresher.verifier.readers.text_blocks import (
    MOST_LINE_BYTES,
    Block,
    rows_before,
    start_of_line,
    text_blocks,
)
from thresher.verifier.readers.unpacked import shown_name, unpacked

#: Spellings of labels that are remembered.
_KEPT_SPELLINGS = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What is refused because it is too much."""

    #: Bytes of a line, without its end.
    line_bytes: int = MOST_LINE_BYTES
    #: Different labels.
    labels: int = MOST_LABELS
    #: Rows of all files; so many can be certified, and a packed file of blank ones is short.
    rows: int = 20_000_000
    #: Bytes of all rows and labels in memory; None: half of what the machine has.
    memory: int | None = None


def read_svmlight(  # noqa: PLR0913  (each is an option, and has a default)
    paths: Sequence[str],
    positive: str | None = None,
    *,
    one_based: bool = False,
    n_columns: int = MOST_COLUMNS,
    workers: int = 1,
    limits: Limits | None = None,
    parts: Sequence[tuple[int, int] | None] | None = None,
    first: bool = False,
) -> PlainRows:
    """The rows of svmlight files, one file after another.

    Parameters
    ----------
    paths
        Files, packed by gzip, xz or bzip2 or not at all; ``-`` is standard input.
    positive
        The label that counts as +1; every other one is -1. None: as `label_names.signs_of` says.
    one_based
        Whether index 1 is column 0.
    n_columns
        Columns must be below this.
    workers
        Threads that scan the text.
    limits
        What is refused because it is too much.
    parts
        For each file the bytes that are read of it, which begin and end with lines; None: all. The
        lines of a part count from its start.
    first
        Whether it is enough to read the rows that may tell what labels mean.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "tiny.svm")
    >>> _ = file.write_text("+1 7:0.5 0:1\\n-1 3:1\\n")
    >>> rows = read_svmlight([str(file)])
    >>> rows.column.tolist(), rows.label.tolist(), rows.label_names
    ([0, 7, 3], [1, -1], ('1', '-1'))
    """
    limits = limits or Limits()
    scan = partial(_scanned, n_columns=min(n_columns, MOST_COLUMNS), one_based=one_based)
    chosen = [None] * len(paths) if parts is None else parts
    blocks = (
        block
        for path, part in zip(paths, chosen, strict=True)
        for block in _blocks(path, limits, part)
    )
    whole = _Whole(limits, _half_the_memory() if limits.memory is None else limits.memory)
    try:
        for lines in _in_order(scan, blocks, workers):
            whole.take(lines)
            if first and whole.enough.done:
                break
        return whole.rows(positive)
    except MemoryError as error:
        raise _too_much(shown_name(paths[-1])) from error


def _blocks(path: str, limits: Limits, part: tuple[int, int] | None) -> Iterator[Block]:
    inside = part is not None and part[0] > 0
    return text_blocks(shown_name(path), unpacked(path, part), limits.line_bytes, inside=inside)


class _Lines(NamedTuple):
    """The rows of a block."""

    file: str
    row_start: NDArray[np.int64]
    column: NDArray[np.int32]
    value: NDArray[np.float64]
    label: NDArray[np.int32]
    #: The labels as they are written, and the line of the first row of each.
    written: list[bytes]
    lines: list[int]
    #: The text they come from, while somebody may still want to know where in it a row begins.
    block: Block | None


def _scanned(block: Block, n_columns: int, one_based: bool) -> _Lines:
    row_start, column, value, label, written, lines, n_lines, fault = scan_lines(
        block.text, 0, n_columns, one_based
    )
    before = block.first_line - 1
    if fault is not None:
        raise bad_line(block, before + n_lines, fault, n_columns, one_based)
    places = [before + line for line in lines]
    return _Lines(block.file, row_start, column, value, label, written, places, block)


def _in_order(
    scan: Callable[[Block], _Lines], blocks: Iterable[Block], workers: int
) -> Iterator[_Lines]:
    """The blocks, scanned; what goes wrong first in the files is raised first."""
    if workers <= 1:
        yield from map(scan, blocks)
        return
    waiting: deque[Future[_Lines]] = deque()
    source, unreadable = iter(blocks), None
    with ThreadPoolExecutor(workers) as pool:
        while True:
            try:
                block = next(source, None)
            except (SourceError, BadLineError) as error:
                # A fault in front of the place that could not be read comes first.
                unreadable = error
                break
            if block is None:
                break
            waiting.append(pool.submit(scan, block))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    if unreadable is not None:
        raise unreadable


@dataclass(slots=True)
class _Deciding:
    """How many rows may tell what labels mean: those that begin in the first 32 MiB of text."""

    rows: int = 0
    #: Bytes of text since the first row.
    size: int = 0
    done: bool = False

    def look_at(self, lines: _Lines) -> None:
        """Count the rows of the next block, as far as they belong to the first."""
        if self.done or lines.block is None or not (self.rows or len(lines.label)):
            return
        text = lines.block.text
        if not self.rows:
            self.size = -start_of_line(text, lines.lines[0] - lines.block.first_line)
        room = BYTES_TO_DECIDE - self.size
        here = len(lines.label) if len(text) <= room else rows_before(text, room)
        self.rows += here
        self.size += len(text)
        self.done = self.size >= BYTES_TO_DECIDE


@dataclass(slots=True)
class _Whole:
    """All rows so far."""

    limits: Limits
    #: Bytes that rows and labels may still take.
    room: int
    n_rows: int = 0
    parts: deque[_Lines] = field(default_factory=deque)
    number: dict[str, int] = field(default_factory=dict)
    places: list[tuple[str, int]] = field(default_factory=list)
    enough: _Deciding = field(default_factory=_Deciding)
    #: Labels as they are written, by their numbers; forgotten when there are many of them.
    known: dict[bytes, int] = field(default_factory=dict)

    def take(self, lines: _Lines) -> None:
        """Add the rows of the next block."""
        self.room -= sum(array.nbytes for array in lines[1:5])
        numbers = [
            self._number(text, (lines.file, line))
            for text, line in zip(lines.written, lines.lines, strict=True)
        ]
        self.n_rows += len(lines.label)
        if self.n_rows > self.limits.rows:
            what = f"there are more than {self.limits.rows:,} rows, as many as are certified"
            raise SourceError(lines.file, what)
        if self.room < 0:
            raise _too_much(lines.file)
        if numbers != list(range(len(numbers))):
            lines = lines._replace(label=np.array(numbers, np.int32)[lines.label])
        self.enough.look_at(lines)
        self.parts.append(lines._replace(written=[], lines=[], block=None))

    def _number(self, text: bytes, place: tuple[str, int]) -> int:
        number = self.known.get(text)
        if number is not None:
            return number
        name = one_spelling(text.decode())
        if name not in self.number:
            if len(self.number) == self.limits.labels:
                file, line = place
                raise BadLineError(
                    f"{file}:{line}: found label number {len(self.number) + 1}, expected at most "
                    f"{self.limits.labels} different labels.",
                    file=file,
                    line=line,
                )
            self.room -= len(name)
            self.number[name] = len(self.number)
            self.places.append(place)
        if len(self.known) < _KEPT_SPELLINGS and len(text) < 100:
            self.known[text] = self.number[name]
        return self.number[name]

    def rows(self, positive: str | None) -> PlainRows:
        """The rows as one, the parts being given up on the way."""
        n_rows = sum(len(part.label) for part in self.parts)
        n_values = sum(len(part.column) for part in self.parts)
        row_start, label = np.zeros(n_rows + 1, np.int64), np.empty(n_rows, np.int32)
        column, value = np.empty(n_values, np.int32), np.empty(n_values, np.float64)
        row = at = 0
        while self.parts:
            part = self.parts.popleft()
            next_row, stop = row + len(part.label), at + len(part.column)
            row_start[row + 1 : next_row + 1] = part.row_start[1:] + at
            label[row:next_row] = part.label
            column[at:stop], value[at:stop] = part.column, part.value
            row, at = next_row, stop
        names, places = tuple(self.number), tuple(self.places)
        return PlainRows(row_start, column, value, label, names, places, positive, self.enough.rows)


def _half_the_memory() -> int:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, OSError, ValueError):
        # A machine that does not say: what the smallest ones have.
        return 2 << 30


def _too_much(file: str) -> SourceError:
    return SourceError(
        file,
        "the rows take more memory than may be used",
        "Use a machine that has more of it.",
        code="source.memory",
    )

"""The labels of a stream: numbered in order of appearance, and given a sign by a scheme."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadLineError
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.chunk import BadLine, Chunk
from thresher.streams.label_scheme import ROWS_TO_DECIDE, LabelScheme, canonical
from thresher.streams.rows import Rows

_NONE, _UNKNOWN = 0, 2
#: A stream of numbers to be predicted has as many labels as rows; nobody means that here.
MOST_LABELS = 1 << 16
_TOO_MANY = -2


class Labeller:
    """Numbers labels for the whole stream, and takes out the rows whose label does not fit."""

    def __init__(self, scheme: LabelScheme | None, bad: BadLinePolicy) -> None:
        self.names: list[str] = []
        self._scheme = scheme
        self._bad = bad
        self._number: dict[str, int] = {}
        #: By number: -1 or +1, or 2 where the scheme was not asked yet, 0 where it says no.
        self._sign = np.empty(0, np.int8)
        self._passes = 0

    def begin_pass(self) -> None:
        """From the second pass on, bad lines are left out without being counted again."""
        self._passes += 1

    def numbers(self, label: NDArray[np.int32], written: list[str]) -> NDArray[np.int32]:
        """The labels of a block, numbered as in the whole stream."""
        number = np.empty(len(written) + 1, np.int32)
        for place, name in enumerate(map(canonical, written)):
            if name not in self._number and len(self.names) < MOST_LABELS:
                self._number[name] = len(self.names)
                self.names.append(name)
            number[place] = self._number.get(name, _TOO_MANY)
        number[-1] = -1
        if np.array_equal(number[:-1], np.arange(len(written))):
            return label
        return number[label]

    def signs(self, label: NDArray[np.int32]) -> NDArray[np.int8]:
        """-1 or +1 for rows whose labels fit the scheme."""
        self._ask_scheme(label)
        return self._sign[label]

    def labelled(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The chunks without rows whose labels do not fit, with bad lines dealt with, in order."""
        for chunk in chunks if self._scheme is None else self._once_decided(chunks):
            yield from self._dealt_with(self._fitting(chunk))

    def _once_decided(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The same chunks; the first are held back until there are enough rows to decide."""
        assert self._scheme is not None
        held: list[Chunk] = []
        seen: Counter[str] = Counter()
        n_rows = 0
        for chunk in chunks:
            if self._scheme.decided:
                yield chunk
                continue
            held.append(chunk)
            first = chunk.label[: ROWS_TO_DECIDE - n_rows]
            seen.update(self.names[number] for number in first.tolist() if number >= 0)
            n_rows += len(first)
            if n_rows >= ROWS_TO_DECIDE:
                self._scheme.decide(seen)
                yield from held
                held = []
        self._scheme.decide(seen)
        yield from held

    def _ask_scheme(self, label: NDArray[np.int32]) -> None:
        """Learn the sign of the labels that are new, in order of appearance."""
        assert self._scheme is not None
        if len(self._sign) < len(self.names):
            more = np.full(len(self.names) - len(self._sign), _UNKNOWN, np.int8)
            self._sign = np.concatenate((self._sign, more))
        if not len(label):
            return
        new = np.flatnonzero(self._sign == _UNKNOWN)
        for number in new.tolist():
            if number in label:
                self._sign[number] = self._scheme.sign(self.names[number]) or _NONE

    def _fitting(self, chunk: Chunk) -> Chunk:
        """The chunk without rows whose labels are missing or do not fit: they are bad lines."""
        if self._scheme is None:
            odd = chunk.label == _TOO_MANY
        else:
            self._ask_scheme(chunk.label)
            odd = chunk.label < 0
            if len(self._sign):
                odd |= self._sign[chunk.label] == _NONE
        if not odd.any():
            return chunk
        found = [self._misfit(chunk, int(row)) for row in np.flatnonzero(odd)]
        return replace(
            without(chunk, odd), bad=sorted([*chunk.bad, *found], key=lambda bad: bad.line)
        )

    def _misfit(self, chunk: Chunk, row: int) -> BadLine:
        number = int(chunk.label[row])
        found = "no label" if number == -1 else f"label number {MOST_LABELS + 1}"
        if number >= 0:
            found = f"the label {self.names[number]}"
        expected = f"at most {MOST_LABELS} different labels"
        if number != _TOO_MANY and self._scheme is not None:
            expected = self._scheme.expected()
        raw = b""
        if chunk.text is not None and chunk.start is not None and chunk.stop is not None:
            raw = chunk.text[int(chunk.start[row]) : int(chunk.stop[row])]
        return BadLine(chunk.file, int(chunk.line[row]), found, expected, raw)

    def _dealt_with(self, chunk: Chunk) -> Iterator[Chunk]:
        """The chunk; if a bad line stops the stream, the rows before that line, then the error."""
        for bad in chunk.bad if self._passes == 1 else ():
            try:
                self._bad.take(bad)
            except BadLineError:
                before = without(chunk, chunk.line > bad.line)
                yield replace(before, bad=[other for other in chunk.bad if other.line < bad.line])
                raise
        self._bad.flush()
        yield chunk


def without(chunk: Chunk, left_out: NDArray[np.bool_]) -> Chunk:
    """The chunk without some of its rows."""
    keep = ~left_out
    rows = chunk.rows
    inside = np.repeat(keep, np.diff(rows.row_start))
    row_start = np.concatenate(([0], np.cumsum(np.diff(rows.row_start)[keep])))
    return replace(
        chunk,
        rows=Rows(row_start, rows.column[inside], rows.value[inside]),
        label=chunk.label[keep],
        importance=None if chunk.importance is None else chunk.importance[keep],
        line=chunk.line[keep],
        start=None if chunk.start is None else chunk.start[keep],
        stop=None if chunk.stop is None else chunk.stop[keep],
    )

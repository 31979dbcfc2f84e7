"""The labels of a stream: numbered in order of appearance, and given a sign by a scheme."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadLineError, Hint, LabelError
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.chunk import BadLine, Chunk
from thresher.streams.label_scheme import BYTES_TO_DECIDE, ROWS_TO_DECIDE, LabelScheme, canonical
from thresher.streams.rows import Rows
from thresher.streams.value_limits import ValueLimits

_NONE, _UNKNOWN = 0, 2
#: A stream of numbers to be predicted has as many labels as rows; nobody means that here.
MOST_LABELS = 1 << 16
_TOO_MANY = -2


class Labeller:
    """Numbers labels for the whole stream, and takes out rows whose label or values do not fit."""

    def __init__(
        self,
        scheme: LabelScheme | None,
        bad: BadLinePolicy,
        limits: ValueLimits | None = None,
        names_in: Callable[[Chunk, int], list[tuple[int, str]]] = lambda chunk, row: [],
    ) -> None:
        self.names: list[str] = []
        self._scheme = scheme
        self._bad = bad
        self._limits = limits
        self._names_in = names_in
        self._number: dict[str, int] = {}
        #: The labels of the last block, which most often are those of the next, and their numbers.
        self._written: list[str] = []
        self._renumbered: NDArray[np.int32] | None = None
        #: By number: -1 or +1, or 2 where the scheme was not asked yet, 0 where it says no.
        self._sign = np.empty(0, np.int8)
        self._passes = 0
        #: What to say to whoever has no labels: where they should be, and what to do about it.
        self.label_place: Callable[[Chunk], tuple[str, Hint | None]] = lambda _: ("", None)

    def begin_pass(self) -> None:
        """From the second pass on, bad lines are left out without being counted again."""
        self._passes += 1

    def numbers(self, label: NDArray[np.int32], written: list[str]) -> NDArray[np.int32]:
        """The labels of a block, numbered as in the whole stream."""
        if written != self._written:
            self._written, self._renumbered = written, self._numbered(written)
        return label if self._renumbered is None else self._renumbered[label]

    def _numbered(self, written: list[str]) -> NDArray[np.int32] | None:
        """The number of each label of a block, and -1 for none; None if they are as they were."""
        number = np.empty(len(written) + 1, np.int32)
        for place, name in enumerate(map(canonical, written)):
            if name not in self._number and len(self.names) < MOST_LABELS:
                self._number[name] = len(self.names)
                self.names.append(name)
            number[place] = self._number.get(name, _TOO_MANY)
        number[-1] = -1
        return None if np.array_equal(number[:-1], np.arange(len(written))) else number

    def signs(self, label: NDArray[np.int32]) -> NDArray[np.int8]:
        """-1 or +1 for rows of a chunk, whose labels fit the scheme."""
        return self._sign.take(label)

    def labelled(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The chunks without rows whose labels do not fit, with bad lines dealt with, in order."""
        for chunk in chunks if self._scheme is None else self._once_decided(chunks):
            yield from self._dealt_with(self._within_limits(self._fitting(chunk)))

    def _once_decided(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The same chunks; the first rows are held back until there are enough to decide.

        Enough are so many rows, or so many bytes of text with fewer, wherever chunks are cut. As
        long as they have one label, which means nothing alone, so many bytes are waited for.
        """
        assert self._scheme is not None
        held: list[Chunk] = []
        seen: Counter[str] = Counter()
        n_rows = n_bytes = 0
        for chunk in chunks:
            waits = held or len(chunk.rows) or (len(chunk.bad) and not self._bad.only_counts)
            if self._scheme.decided or not waits:
                # Blank lines before the first row tell nothing.
                yield chunk
                continue
            held.append(chunk)
            if not n_rows and chunk.start is not None and len(chunk.start):
                n_bytes -= int(chunk.start[0])
            most = self._rows_within(chunk, BYTES_TO_DECIDE - n_bytes)
            first = chunk.label[: min(max(0, ROWS_TO_DECIDE - n_rows), most)]
            seen.update(self.names[number] for number in first.tolist() if number >= 0)
            if self._scheme.waits(seen):
                seen.update(self._first_other(chunk.label[len(first) : most], seen))
            n_rows += len(chunk.label)
            n_bytes += 12 * len(chunk.rows.column) if chunk.text is None else len(chunk.text)
            if n_bytes >= BYTES_TO_DECIDE or (
                n_rows >= ROWS_TO_DECIDE and not self._scheme.waits(seen)
            ):
                self._decide(seen, held)
                yield from held
                held = []
        self._decide(seen, held)
        yield from held

    def _decide(self, seen: Counter[str], held: list[Chunk]) -> None:
        """Settle on a scheme; where that fails, lines that are bad by themselves come first."""
        assert self._scheme is not None
        try:
            self._scheme.decide(seen)
        except LabelError:
            for bad in (bad for chunk in held for bad in chunk.bad):
                self._bad.take(bad)
            raise

    def _first_other(self, label: NDArray[np.int32], seen: Counter[str]) -> list[str]:
        """The first label that is not the one that was seen, if there is one."""
        (known,) = seen
        other = np.flatnonzero((label >= 0) & (label != self._number[known]))
        return [self.names[label[k]] for k in other[:1].tolist()]

    @staticmethod
    def _rows_within(chunk: Chunk, n_bytes: int) -> int:
        """How many rows of a chunk begin in its first bytes; without text it is all of them."""
        if chunk.text is None or chunk.start is None:
            return len(chunk.label)
        return int(np.searchsorted(chunk.start, n_bytes))

    def _ask_scheme(self, label: NDArray[np.int32]) -> None:
        """Learn the sign of the labels that are new, in order of appearance."""
        assert self._scheme is not None
        if len(self._sign) < len(self.names):
            more = np.full(len(self.names) - len(self._sign), _UNKNOWN, np.int8)
            self._sign = np.concatenate((self._sign, more))
        if not len(label):
            return
        for number in np.flatnonzero(self._sign == _UNKNOWN).tolist():
            if number in label:
                self._sign[number] = self._scheme.sign(self.names[number]) or _NONE

    def _fitting(self, chunk: Chunk) -> Chunk:
        """The chunk without rows whose labels are missing or do not fit: they are bad lines."""
        if self._scheme is None:
            odd = chunk.label == _TOO_MANY
        else:
            self._ask_scheme(chunk.label)
            if self._sign.all() and chunk.label.min(initial=0) >= 0:
                return chunk
            # A label that is missing is number -1, and one of too many -2: the last two here.
            odd = np.append(self._sign == _NONE, [True, True])[chunk.label]
        if not odd.any():
            return chunk
        # Very many rows may lack the same: they share its words.
        wanted = cache(partial(self._wanted, chunk))
        found = []
        for row in np.flatnonzero(odd).tolist():
            what, expected, hint = wanted(int(chunk.label[row]))
            line = int(chunk.line[row])
            found.append(BadLine(chunk.file, line, what, expected, _raw(chunk, row), hint))
        return _with_more_bad(chunk, odd, found)

    def _within_limits(self, chunk: Chunk) -> Chunk:
        """The chunk without rows that the learner cannot take: they are bad lines."""
        limits = self._limits
        if limits is None or not len(places := limits.misfits(chunk.rows)):
            return chunk
        at = np.searchsorted(chunk.rows.row_start, places, side="right") - 1
        found = []
        for row, place in zip(at.tolist(), places.tolist(), strict=True):
            column = int(chunk.rows.column[place])
            name = dict(self._names_in(chunk, row)).get(column, column)
            what = f"the value {float(chunk.rows.value[place])!r} of feature {name}"
            line = int(chunk.line[row])
            found.append(BadLine(chunk.file, line, what, limits.expected, _raw(chunk, row)))
        odd = np.zeros(len(chunk.rows), bool)
        odd[at] = True
        return _with_more_bad(chunk, odd, found)

    def _wanted(self, chunk: Chunk, number: int) -> tuple[str, str, Hint | None]:
        """What a row has whose label does not fit, what it should have, and what to do."""
        if number == _TOO_MANY or self._scheme is None:
            found = "no label" if number == -1 else f"label number {MOST_LABELS + 1}"
            return found, f"at most {MOST_LABELS} different labels", None
        if number >= 0:
            return f"the label {self.names[number]}", self._scheme.expected(), None
        where, hint = self.label_place(chunk)
        return "no label", self._scheme.expected() + where, hint

    def _dealt_with(self, chunk: Chunk) -> Iterator[Chunk]:
        """The chunk; if a bad line stops the stream, the rows before that line, then the error."""
        if self._passes == 1:
            self._bad.note_mended(chunk.file, *chunk.mended)
        if self._passes == 1 and self._bad.only_counts:
            self._bad.count_all(chunk.bad)
            yield chunk
            return
        for bad in chunk.bad if self._passes == 1 else ():
            try:
                self._bad.take(bad)
            except BadLineError:
                before = without(chunk, chunk.line > bad.line)
                yield replace(before, bad=[other for other in chunk.bad if other.line < bad.line])
                raise
        self._bad.flush()
        yield chunk


def _raw(chunk: Chunk, row: int) -> bytes:
    """The line of a row as it was, where rows have lines."""
    if chunk.text is None or chunk.start is None or chunk.stop is None:
        return b""
    return chunk.text[int(chunk.start[row]) : int(chunk.stop[row])]


def _with_more_bad(chunk: Chunk, odd: NDArray[np.bool_], found: list[BadLine]) -> Chunk:
    """The chunk without the rows that are odd, and with what was found of them."""
    bad = sorted([*chunk.bad, *found], key=lambda bad: bad.line)
    return replace(without(chunk, odd), bad=bad)


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

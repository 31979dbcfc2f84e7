"""Chunk: some rows of a file, with where they stand in it and what could not be read."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from thresher.errors import (
    BadLineError,
    DimensionError,
    FeatureRangeError,
    HeavyRowError,
    Hint,
    RowError,
    StreamFaultError,
)
from thresher.errors.error import joined
from thresher.records import record
from thresher.streams.rows import Rows


def shown(found: bytes, most: int = 40) -> str:
    """Bytes from a file as a message shows them: printable, and not too long.

    >>> print(shown(b"3:x\\x00"))
    '3:x\\x00'
    """
    text = found[: 4 * most].decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= most else text[: most - 3] + "...")


@record
class BadLine:
    """A line that could not be read: where, what was found, what was expected, and its bytes."""

    file: str
    line: int
    found: str
    expected: str
    raw: bytes
    #: What can be done about it, if something can.
    hint: Hint | None = None

    @property
    def what(self) -> str:
        """Where it is and what is wrong with it."""
        return f"{self.file}:{self.line}: found {self.found}, expected {self.expected}"

    def __str__(self) -> str:
        return joined(self.what, self.hint.remedy if self.hint else "")

    def error(self, more: str = "") -> BadLineError:
        """The line as an error, with something more to say about it."""
        code, remedy, fields = self.hint or Hint(BadLineError.code)
        fields = fields | {"file": self.file, "line": self.line}
        return BadLineError(joined(self.what, more), remedy, code=code, **fields)


@record
class Chunk:
    """Consecutive rows of one file, in order; the bad lines among them are listed apart."""

    #: As messages call it; ``<stdin>`` for standard input.
    file: str
    rows: Rows
    #: Index into the stream's label names; -1 where a line has no label.
    label: NDArray[np.int32]
    #: Weight of each example, or None: all 1.
    importance: NDArray[np.float64] | None
    #: Number of each row's line in its file, counted from 1.
    line: NDArray[np.int64]
    bad: Sequence[BadLine]
    #: Bytes of input (as stored, so compressed ones count as such) consumed up to the end of it.
    position: int
    #: The text of the lines, and where in it the line of each row begins and ends; or None.
    text: bytes | None
    start: NDArray[np.int64] | None
    stop: NDArray[np.int64] | None
    #: Where rows come from a table and not from text: the table, of whose rows `start` says which.
    records: Any = None
    #: How many lines were read although they are not UTF-8, and the first of them.
    mended: tuple[int, int] = (0, 0)

    def place(self, row: int) -> str:
        """File and line of a row."""
        return f"{self.file}:{self.line[row]}"

    @contextmanager
    def blaming_lines(
        self,
        rows: Sequence[int] | NDArray[np.int64] | None = None,
        names_in: Callable[[int], Mapping[int, str]] = lambda row: {},
    ) -> Iterator[None]:
        """Errors about a row, counted in `rows` or in all rows, name its file and line instead.

        `names_in` tells what the columns of a row are called, so that features go by their names.

        >>> from thresher.errors import DimensionError
        >>> rows, label, line = Rows.of([{0: 1}, {1: 1}, {2: 1}]), np.zeros(3), np.array([4, 5, 9])
        >>> chunk = Chunk("a.svm", rows, label, None, line, (), 99, None, None, None)
        >>> with chunk.blaming_lines([1, 2]):
        ...     raise DimensionError(1, 2, 2)
        Traceback (most recent call last):
        thresher.errors.StreamFaultError: a.svm:9: feature index 2 is outside the learner's 2 \
weights (valid indices are 0 to 1). Create the learner with n_features=3 or more.
        """
        try:
            yield
        except (FeatureRangeError, DimensionError, HeavyRowError, RowError) as error:
            row = int(error.row if rows is None else rows[error.row])
            if isinstance(error, FeatureRangeError):
                error = error.naming(names_in(row))
            raise StreamFaultError.at(self.file, int(self.line[row]), error) from error

    def parts(self, most_rows: int) -> Iterator[Chunk]:
        """The chunk in parts of so many rows at most, each with the bad lines that follow its rows.

        Bad lines before the first row belong to the first part.
        """
        n = len(self.rows)
        if n <= most_rows:
            yield self
            return
        before = 0
        lines = [bad.line for bad in self.bad]
        for first in range(0, n, most_rows):
            here = slice(first, min(n, first + most_rows))
            until = len(lines) if here.stop == n else bisect(lines, int(self.line[here.stop]))
            yield replace(
                self,
                rows=self.rows[here],
                label=self.label[here],
                importance=None if self.importance is None else self.importance[here],
                line=self.line[here],
                bad=self.bad[before:until],
                start=None if self.start is None else self.start[here],
                stop=None if self.stop is None else self.stop[here],
            )
            before = until


class _MadeWhenAskedFor(Sequence[BadLine]):
    """Bad lines that are made one by one."""

    @abstractmethod
    def _made(self, place: int) -> BadLine:
        """The bad line at a place."""

    @overload
    def __getitem__(self, place: int) -> BadLine: ...
    @overload
    def __getitem__(self, place: slice) -> list[BadLine]: ...
    def __getitem__(self, place: int | slice) -> BadLine | list[BadLine]:
        if isinstance(place, slice):
            return [self._made(k) for k in range(*place.indices(len(self)))]
        return self._made(place)


class FaultyLines(_MadeWhenAskedFor):
    """The bad lines of a block, each put in words when it is asked for: there may be very many.

    Parameters
    ----------
    faults
        As a scanner put them down: see `RowSink.faults`.
    words
        What makes a bad line of one of them.
    """

    def __init__(
        self, faults: NDArray[np.int64], words: Callable[[int, int, int, int, int, int], BadLine]
    ) -> None:
        self._faults, self._words = faults, words

    def __len__(self) -> int:
        return len(self._faults)

    def _made(self, place: int) -> BadLine:
        return self._words(*self._faults[place].tolist())


class Shifted(_MadeWhenAskedFor):
    """Bad lines of a block, with lines counted from the start of the file."""

    def __init__(self, bad: Sequence[BadLine], n_lines: int) -> None:
        self._bad, self._n_lines = bad, n_lines

    def __len__(self) -> int:
        return len(self._bad)

    def _made(self, place: int) -> BadLine:
        bad = self._bad[place]
        return replace(bad, line=bad.line + self._n_lines)

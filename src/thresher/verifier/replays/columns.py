"""Columns numbered without gaps: memory goes by the features that occur, not by their numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.readers.labelled_rows import LabelledRows


@dataclass(frozen=True)
class Columns:
    """A stream over columns 0..width-1, and which column of the given one each of them is."""

    stream: LabelledRows
    width: int
    #: Increasing; None where columns are as they were.
    given: NDArray[np.int64] | None

    @classmethod
    def of(
        cls, stream: LabelledRows, numbers: int = 1, more: NDArray[np.int64] | None = None
    ) -> Columns:
        """The stream as it is where its columns are few, otherwise numbered anew in order.

        Columns are few if a table of so many `numbers` for each takes little room. `more` are
        columns that have a number although the stream may lack them.

        >>> from thresher.verifier.readers.labelled_rows import read_rows
        >>> found = Columns.of(read_rows([{5: 1, 2000000000: 2}, {7: 1}], [1, -1]))
        >>> found.stream.column.tolist(), found.given.tolist()
        ([0, 2, 1], [5, 7, 2000000000])
        """
        also = np.zeros(0, np.int64) if more is None else more
        width = max(stream.width, int(also.max(initial=-1)) + 1)
        if width * numbers <= 4 * (len(stream.column) + len(also)) + 1024:
            return cls(stream, width, None)
        given = np.union1d(stream.column, also).astype(np.int64)
        column = np.searchsorted(given, stream.column).astype(np.int32)
        return cls(replace(stream, column=column), len(given), given)

    def further(self, rows: LabelledRows) -> LabelledRows:
        """Other rows by these numbers; columns that the stream has not are all called `width`.

        >>> from thresher.verifier.readers.labelled_rows import read_rows
        >>> found = Columns.of(read_rows([{5: 1, 2000000000: 2}, {7: 1}], [1, -1]))
        >>> found.further(read_rows([{4: 1, 7: 1, 9: 1}], [1])).column.tolist()
        [3, 1, 3]
        """
        if self.given is None:
            column = np.where(rows.column < self.width, rows.column, self.width)
        else:
            place = np.searchsorted(self.given, rows.column)
            near = np.minimum(place, len(self.given) - 1)
            known = len(self.given) > 0
            column = np.where(known & (self.given[near] == rows.column), near, self.width)
        return replace(rows, column=column.astype(np.int32))

    def places(self, columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """By which numbers these columns go, all of which have one."""
        return columns if self.given is None else np.searchsorted(self.given, columns)

    def as_given(self, columns: NDArray[np.int64]) -> NDArray[np.int64]:
        """These columns, by the numbers that the stream has for them."""
        return columns if self.given is None else self.given[columns]


def narrowed(rows: LabelledRows, width: int) -> LabelledRows:
    """The rows without the columns from `width` on.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> found = narrowed(read_rows([[1, 2, 3], [0, 0, 4]], [1, 1]), 2)
    >>> found.row_start.tolist(), found.value.tolist()
    ([0, 2, 2], [1.0, 2.0])
    """
    kept = rows.column < width
    if np.all(kept):
        return rows
    counts = np.bincount(rows.row[kept], minlength=len(rows))
    start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return replace(rows, row_start=start, column=rows.column[kept], value=rows.value[kept])

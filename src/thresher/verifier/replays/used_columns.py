"""The columns that a stream uses, so that a replay needs room for these alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.readers.labelled_rows import LabelledRows

#: A table may be so many times as wide as the stream has values before it is made narrower.
ROOM_PER_VALUE = 4


class UsedColumns(NamedTuple):
    """Columns numbered from 0 on in the same order, and how to get back."""

    column: NDArray[np.int32]
    width: int
    #: The column in the stream of each one here.
    original: NDArray[np.int64]


def used_columns(stream: LabelledRows) -> UsedColumns:
    """The stream's columns, renumbered where most of the numbers below the largest are unused.

    A single column 2^31 - 2 would otherwise ask for tables of gigabytes.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> found = used_columns(read_rows([{7: 1, 2000000000: 1}], [1]))
    >>> found.column.tolist(), found.width, found.original.tolist()
    ([0, 1], 2, [7, 2000000000])
    """
    if stream.width <= ROOM_PER_VALUE * len(stream.column):
        return UsedColumns(stream.column, stream.width, np.arange(stream.width))
    original, column = np.unique(stream.column, return_inverse=True)
    return UsedColumns(column.astype(np.int32), len(original), original.astype(np.int64))

"""The slow twin of `kernels/rows/check_rows.pyx`: what rows hold, asked one by one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

Row = Sequence[tuple[int, float]]


def is_sound(row: Row) -> bool:
    """Whether the indices increase strictly from 0 on and the values are finite."""
    indices = [-1, *(index for index, _ in row)]
    increasing = all(a < b for a, b in pairwise(indices))
    return increasing and all(math.isfinite(value) for _, value in row)


def inspect(rows: Sequence[Row]) -> tuple[int, int, int, bool, float, float]:
    """Return (first unsound row or -1, largest index or -1, zeros, integral, lowest, highest).

    All but the first speak of the rows before the first unsound one.
    """
    unsound = next((t for t, row in enumerate(rows) if not is_sound(row)), -1)
    pairs = [pair for row in rows[: unsound if unsound >= 0 else None] for pair in row]
    values = [value for _, value in pairs]
    return (
        unsound,
        max((index for index, _ in pairs), default=-1),
        values.count(0.0),
        all(abs(value) <= 2**20 and value == math.floor(value) for value in values),
        min(values, default=0.0),
        max(values, default=0.0),
    )


def inspect_frame(
    row_start: Sequence[int], column: Sequence[int], label: Sequence[int], n_labels: int
) -> tuple[int, int]:
    """Return (first row at fault or -1, largest index of the rows before it or -1)."""
    largest, begins = -1, 0
    for t, stop in enumerate(row_start[1:]):
        row = column[begins : max(stop, 0)]
        if row_start[t] != begins or not begins <= stop <= len(column):
            return t, largest
        if not is_sound([(index, 1.0) for index in row]):
            return t, largest
        largest, begins = max([largest, *row]), stop
        if not -1 <= label[t] < n_labels:
            return t, largest
    return (-1 if begins == row_start[-1] == len(column) else len(label)), largest

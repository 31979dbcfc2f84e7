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

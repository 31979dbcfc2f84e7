"""The mean of duals, of which the theorem for mixing speaks."""

from __future__ import annotations

from math import fsum

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def average(table: Numbers) -> Numbers:
    """The mean of each column: its sum, rounded once, over the number of lines.

    >>> average(np.array([[1e16, 1.0], [1.0, 2.0], [-1e16, 0.0]])).tolist()
    [0.3333333333333333, 1.0]
    """
    total = table[0].copy()
    rounded = np.zeros(len(total), bool)
    for line in table[1:]:
        # What a sum of two lost in rounding (Knuth); mostly nothing, and then it is exact.
        after = total + line
        part = after - total
        rounded |= (total - (after - part)) + (line - part) != 0.0
        total = after
    for column in np.flatnonzero(rounded).tolist():
        total[column] = fsum(table[:, column])
    return np.asarray(total / len(table))

"""ValueLimits: which values a learner can take; rows with others are bad lines to it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.records import record
from thresher.streams.rows import Rows


@record
class ValueLimits:
    """The least and the largest value of a feature, and whether all must be whole numbers.

    >>> limits = ValueLimits(0.0, 1.0, False, "values in [0, 1]")
    >>> rows = Rows(np.array([0, 1, 3]), np.array([4, 2, 5], np.int32), np.array([1.0, 0.5, -2.0]))
    >>> limits.misfits(rows).tolist()
    [2]
    """

    lowest: float
    highest: float
    whole: bool
    #: The same in words.
    expected: str

    def hold_for(self, rows: Rows) -> bool:
        """Whether every value of some rows can be taken, by what is known of them as a whole."""
        inside = self.lowest <= rows.lowest and rows.highest <= self.highest
        return inside and (rows.integral or not self.whole)

    def misfits(self, rows: Rows) -> NDArray[np.int64]:
        """The places of the first value at fault in each row that has one."""
        if self.hold_for(rows):
            return np.empty(0, np.int64)
        wrong = (rows.value < self.lowest) | (rows.value > self.highest)
        if self.whole:
            wrong |= rows.value != np.rint(rows.value)
        places = np.flatnonzero(wrong)
        row = np.searchsorted(rows.row_start, places, side="right")
        return places[np.flatnonzero(np.diff(row, prepend=-1))]

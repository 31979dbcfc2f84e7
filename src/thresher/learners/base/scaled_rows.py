"""Rows as a learner with `scaling` sees them, worked out once more for whoever wants to look."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.streams.rows import Rows


def scaled_values(
    rows: Rows, scaling: str | None, largest: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The values of rows after scaling; sums of long rows may differ in the last digit.

    Parameters
    ----------
    rows
        The rows as they came.
    scaling
        As in `Options`; None leaves them as they are.
    largest
        With "online", the largest absolute value of each feature so far.

    Examples
    --------
    >>> rows = Rows.of([{0: 3.0, 1: -4.0}])
    >>> scaled_values(rows, "l2", np.empty(0)).tolist()
    [0.6, -0.8]
    >>> scaled_values(rows, "online", np.array([6.0, 1.0])).tolist()
    [0.5, -1.0]
    """
    value, size = rows.value, np.abs(rows.value)
    if scaling is None:
        return value
    if scaling == "online":
        found: NDArray[np.float64] = value / np.maximum(largest[rows.column], size)
        return found
    row = np.repeat(np.arange(len(rows)), np.diff(rows.row_start))
    top = np.zeros(len(rows))
    np.maximum.at(top, row, size)
    # First by the largest, so that no square overflows or vanishes.
    shares: NDArray[np.float64] = value / top[row]
    if scaling == "max":
        return shares
    sums = np.bincount(row, shares**2 if scaling == "l2" else np.abs(shares), len(rows))
    lengths = np.sqrt(sums) if scaling == "l2" else sums
    return np.asarray(shares / lengths[row])

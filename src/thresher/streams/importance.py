"""Importance: how much each example counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ImportanceError

LARGEST = 1e9


def as_importance(given: Any, n_rows: int) -> NDArray[np.float64] | None:
    """The weight of each row as doubles; None where all are 1.

    >>> as_importance([1, 1], 2) is None, as_importance([1, 0.5], 2).tolist()
    (True, [1.0, 0.5])
    >>> as_importance([-2], 1)
    Traceback (most recent call last):
    thresher.errors.ImportanceError: row 0: found importance -2.0; it must be from 0 to 1e9.
    """
    if given is None:
        return None
    listed = np.asarray(list(given) if isinstance(given, Iterator) else given)
    if listed.ndim != 1 or listed.dtype.kind not in "biuf" or len(listed) != n_rows:
        raise ImportanceError(
            f"importance must be a list of {n_rows} numbers, one for each row; found an array of "
            f"{listed.dtype} with shape {listed.shape}."
        )
    weight = np.ascontiguousarray(listed, np.float64)
    odd = np.flatnonzero(~((weight >= 0.0) & (weight <= LARGEST)))
    if len(odd):
        raise ImportanceError.senseless(int(odd[0]), float(weight[odd[0]]))
    return None if np.all(weight == 1.0) else weight

"""Matrices of covariances from several shards, by arithmetic that gives the same bits everywhere.

LAPACK's own routines differ in their last bits from one machine to another.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def inverse(matrix: Numbers) -> Numbers | None:
    """The inverse of a symmetric matrix, by Gauss and Jordan; None unless it is positive.

    >>> inverse(np.array([[4.0, 0.0], [0.0, 0.5]])).tolist()
    [[0.25, 0.0], [0.0, 2.0]]
    >>> inverse(np.array([[1.0, 2.0], [2.0, 1.0]])) is None
    True
    """
    n = len(matrix)
    left, right = matrix.copy(), np.eye(n)
    for k in range(n):
        pivot = left[k, k]
        # Written so that NaN is refused as well.
        if not pivot > 0.0:
            return None
        left[k] /= pivot
        right[k] /= pivot
        factor = left[:, k].copy()
        factor[k] = 0.0
        left -= factor[:, None] * left[k]
        right -= factor[:, None] * right[k]
    return np.asarray(0.5 * (right + right.T))


def times(matrix: Numbers, vector: Numbers) -> Numbers:
    """Their product, summed from left to right."""
    return np.asarray(np.cumsum(matrix * vector, axis=1)[:, -1])


def by_precision(
    mean: Numbers, spread: Numbers, shards: Sequence[tuple[Numbers, Numbers]]
) -> tuple[Numbers, Numbers]:
    """Means by the inverses of their covariances, as `rules.by_precision` has it for numbers.

    Where rounding has left a matrix that has no inverse, means and matrices are averaged.
    """
    known = inverse(spread)
    each = [inverse(own) for _, own in shards]
    sure = [one for one in each if one is not None]
    if known is not None and len(sure) == len(shards):
        moved, precision = np.zeros(len(mean)), known.copy()
        for (own, _), one in zip(shards, sure, strict=True):
            moved += times(one, own - mean)
            precision += one - known
        whole = inverse(precision + (sqrt(len(shards)) - 1.0) * known)
        new = inverse(precision)
        if whole is not None and new is not None:
            return mean + times(whole, moved), new
    away, matrix = np.zeros(len(mean)), np.zeros(spread.shape)
    for own, other in shards:
        away += own - mean
        matrix += other
    return mean + away / len(shards), matrix / len(shards)

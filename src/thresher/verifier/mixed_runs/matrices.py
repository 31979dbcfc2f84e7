"""Covariances of shards that learned apart, combined by their inverses.

The order of operations is part of the rule: a library for linear algebra has another one on
another machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import TypeAlias

import numpy as np

from thresher.verifier.mixed_runs.moves import Numbers, gained

#: A mean and its covariances.
Belief: TypeAlias = tuple[Numbers, Numbers]


def inverted(matrix: Numbers) -> Numbers | None:
    """The inverse by Gauss and Jordan, without exchange of rows; None if a pivot is not positive.

    Of the result and its mirror image the mean is taken, for what they differ by is rounding.

    >>> inverted(np.array([[2.0, 0.0], [0.0, 0.25]])).tolist()
    [[0.5, 0.0], [0.0, 4.0]]
    >>> inverted(np.array([[0.0]])) is None
    True
    """
    n = len(matrix)
    both = np.concatenate([matrix, np.identity(n)], axis=1)
    for k in range(n):
        # So that what is not a number is no pivot either.
        if not both[k, k] > 0.0:
            return None
        both[k] /= both[k, k]
        others = both[:, k].copy()
        others[k] = 0.0
        both -= np.outer(others, both[k])
    right = both[:, n:]
    return np.asarray((right + right.T) * 0.5)


def product(matrix: Numbers, vector: Numbers) -> Numbers:
    """Matrix times vector, term by term from the left."""
    total = matrix[:, 0] * vector[0]
    for k in range(1, len(vector)):
        total = total + matrix[:, k] * vector[k]
    return np.asarray(total)


def combined_belief(before: Belief, each: Sequence[Belief]) -> Belief:
    """Means by the inverses of covariances, as `moves.by_precision` has it for single numbers.

    Where rounding has left a matrix without an inverse: the means of the means and of the matrices.
    """
    mean, spread = before
    known = inverted(spread)
    sure = [inverted(own) for _, own in each]
    precisions = [one for one in sure if one is not None]
    if known is not None and len(precisions) == len(each):
        moved = np.zeros(len(mean))
        for (own, _), precision in zip(each, precisions, strict=True):
            moved = moved + product(precision, own - mean)
        whole = gained(known, precisions)
        reach = inverted(whole + (sqrt(len(each)) - 1.0) * known)
        found = inverted(whole)
        if reach is not None and found is not None:
            return mean + product(reach, moved), found
    away, total = np.zeros(len(mean)), np.zeros(spread.shape)
    for own, other in each:
        away, total = away + (own - mean), total + other
    return mean + away / len(each), total / len(each)

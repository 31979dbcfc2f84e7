r"""How numbers of shards become one number, each by what it knows.

With :math:`w_0, s_0` from before the epoch and :math:`w_k, s_k` of shard k of N, and sums in the
order of the shards:

.. math::

    \text{precision: } & w_0 + \frac{\sum_k s_k (w_k - w_0)}{s + (\sqrt N - 1)\,s_0}, \\
    \text{squares: } & w_0 + \frac{\sum_k (s_k - s_0)(w_k - w_0)}{\sum_k (s_k - s_0)}, \\
    \text{counts: } & w_0 + \frac{\sum_k s_k (w_k - w_0)}{s},

where :math:`s` is what `gained` says. Nothing is divided by nothing: then :math:`w_0` stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]
#: What comes of a weight and of the number that goes with it.
Pair: TypeAlias = tuple[Numbers, Numbers]
#: Weights from before and of each shard, then the numbers that go with them.
Each: TypeAlias = Sequence[Numbers]
#: A smaller variance counts as this, so that there is one over it.
LEAST_VARIANCE = 1e-300


def gained(before: Numbers, each: Iterable[Numbers]) -> Numbers:
    """What was there, and what every shard has added to it.

    >>> gained(np.array([5.0]), [np.array([6.0]), np.array([7.5])]).tolist()
    [8.5]
    """
    total = before
    for own in each:
        total = total + (own - before)
    return total


def mean(table: Numbers) -> Numbers:
    """The sum of each column, rounded once, over the number of lines."""
    total, exact = table[0].copy(), np.ones(table.shape[1], bool)
    for line in table[1:]:
        # Knuth's two-sum: what rounding has taken.
        after = total + line
        back = after - total
        exact &= (total - (after - back)) + (line - back) == 0.0
        total = after
    for column in np.flatnonzero(~exact).tolist():
        total[column] = fsum(table[:, column].tolist())
    return np.asarray(total / len(table))


def by_precision(weight: Numbers, known: Numbers, weights: Each, precisions: Each) -> Pair:
    """Moves by precisions (inverse variances), which add up."""
    moved = _weighed(weight, weights, precisions)
    precision = gained(known, precisions)
    # What all knew before counts between once and for each shard.
    again = (sqrt(len(weights)) - 1.0) * known
    return weight + moved / (precision + again), precision


def by_variances(weight: Numbers, known: Numbers, weights: Each, variances: Each) -> Pair:
    """The same, with what precisions are one over."""
    precisions = [1.0 / np.maximum(own, LEAST_VARIANCE) for own in variances]
    before = 1.0 / np.maximum(known, LEAST_VARIANCE)
    found, precision = by_precision(weight, before, weights, precisions)
    return found, 1.0 / precision


def by_squares(weight: Numbers, known: Numbers, weights: Each, squares: Each) -> Pair:
    """Moves by what the squares of gradients have gained."""
    gains = [own - known for own in squares]
    total = np.zeros_like(weight)
    for gain in gains:
        total = total + gain
    return weight + _share(_weighed(weight, weights, gains), total), known + total


def by_counts(weight: Numbers, known: Numbers, weights: Each, counts: Each) -> Pair:
    """Means over so many, which are that of all."""
    total = gained(known, counts)
    return weight + _share(_weighed(weight, weights, counts), total), total


def _weighed(weight: Numbers, weights: Each, votes: Each) -> Numbers:
    """The sum of all moves, each as often as its votes say."""
    moved = np.zeros_like(weight)
    for own, vote in zip(weights, votes, strict=True):
        moved = moved + vote * (own - weight)
    return moved


def _share(moved: Numbers, total: Numbers) -> Numbers:
    some = total > 0.0
    return np.where(some, moved / np.where(some, total, 1.0), 0.0)

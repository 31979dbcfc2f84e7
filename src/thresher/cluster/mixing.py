r"""Mixing: from what shards have learned apart to one learner, in shard order and reproducibly.

**average**, of duals: a number that some shard changed becomes the sum of those of all shards,
rounded once, over the number of shards; one that nobody changed stays as it is. Duals of whole
numbers are whole numbers, so that their sums are exact. `thresher.theory.ParameterMixing` and
`MixingWithLosses` speak of this rule.

**precision**, of AROW: with precisions (inverse variances) :math:`p_0` at the start of the epoch
and weights and precisions :math:`(w_s, p_s)` after it,

.. math:: w = \frac{\sum_s p_s w_s}{\sum_s p_s}, \qquad p = p_0 + \sum_s (p_s - p_0):

who is surer counts more, and what all knew before is counted once in how sure they are together.

**squares**, of AdaGrad: the sums of squared gradients add up as precisions do, and a weight moves
by the mean of its moves, each counted by the squares that made it. No theorem is known for these
two. Scales, the largest values of features, are those of all shards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import fsum

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.shared_numbers import SharedNumbers
from thresher.records import record

Numbers = NDArray[np.float64]
#: So many features of all shards are in memory side by side.
TOGETHER = 1 << 16


@record(eq=False)
class Change:
    """What a shard did to a learner: the numbers that differ, and what it counted."""

    #: By name: where a number differs in some bit, in increasing order, and what it is now.
    numbers: dict[str, tuple[NDArray[np.int64], Numbers]]
    counts: tuple[int, int, int, int]
    weighted: bool = False

    @classmethod
    def between(cls, before: SharedNumbers, after: SharedNumbers) -> Change:
        """From one state of a learner to a later one."""
        found = {}
        for name, old in before.numbers.items():
            new = after.numbers[name]
            where = np.flatnonzero(old.view(np.int64) != new.view(np.int64))
            found[name] = where, new[where]
        counts = zip(after.counts, before.counts, strict=True)
        rounds, negatives, positives, close = (now - then for now, then in counts)
        return cls(found, (rounds, negatives, positives, close), after.weighted)

    @property
    def mistakes(self) -> int:
        """Rounds in which the prediction was wrong."""
        return self.counts[1] + self.counts[2]

    @property
    def n_bytes(self) -> int:
        """About what it takes to send it."""
        return sum(where.nbytes + values.nbytes for where, values in self.numbers.values())


def mixed(before: SharedNumbers, changes: Sequence[Change]) -> SharedNumbers:
    """What the shards come to together, given in their order; one alone is left as it is."""
    numbers = {name: values.copy() for name, values in before.numbers.items()}
    # Marked, not sorted: a mark for each feature takes a tenth of the time.
    marked = np.zeros(len(numbers["dual"]), bool)
    for change in changes if len(changes) > 1 else ():
        for where, _ in change.numbers.values():
            marked[where] = True
    touched = np.flatnonzero(marked)
    if len(changes) == 1:
        for name, (where, values) in changes[0].numbers.items():
            numbers[name][where] = values
    for first in range(0, len(touched), TOGETHER):
        columns = touched[first : first + TOGETHER]
        _mix(before, changes, columns, numbers)
    counted = zip(before.counts, *(change.counts for change in changes), strict=True)
    rounds, negatives, positives, close = map(sum, counted)
    return replace(
        before,
        numbers=numbers,
        counts=(rounds, negatives, positives, close),
        weighted=before.weighted or any(change.weighted for change in changes),
    )


def _mix(
    before: SharedNumbers,
    changes: Sequence[Change],
    columns: NDArray[np.int64],
    numbers: dict[str, Numbers],
) -> None:
    """Mix the numbers of some columns, in place."""
    table = {name: _side_by_side(before, changes, name, columns) for name in numbers}
    if "scale" in table:
        scales, known = table.pop("scale")
        numbers["scale"][columns[: len(known)]] = scales.max(axis=0)
    if before.rule == "average":
        numbers["dual"][columns] = average(table["dual"][0])
        return
    numbers["dual"][columns], numbers[before.rule][columns] = _RULES[before.rule](
        *table["dual"], *table[before.rule]
    )


def _side_by_side(
    before: SharedNumbers, changes: Sequence[Change], name: str, columns: NDArray[np.int64]
) -> tuple[Numbers, Numbers]:
    """A line for each shard with its numbers of these columns, and those from before."""
    old = before.numbers[name]
    # Scales have no entry for a constant feature, whose number is the last of the others.
    columns = columns[: int(np.searchsorted(columns, len(old)))]
    known = old[columns]
    table = np.tile(known, (len(changes), 1))
    for line, change in zip(table, changes, strict=True):
        where, values = change.numbers[name]
        first, last = (
            np.searchsorted(where, [columns[0], columns[-1] + 1]) if len(columns) else (0, 0)
        )
        line[np.searchsorted(columns, where[first:last])] = values[first:last]
    return table, known


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


def _by_precision(
    weights: Numbers, weight: Numbers, precisions: Numbers, precision: Numbers
) -> tuple[Numbers, Numbers]:
    # Not a product of beliefs, in which the prior is divided out: weights overshoot (measured).
    del weight
    total, moment, new = np.zeros(len(precision)), np.zeros(len(precision)), precision.copy()
    for own, sure in zip(weights, precisions, strict=True):
        moment += sure * own
        total += sure
        new += sure - precision
    return moment / total, new


def _by_squares(
    weights: Numbers, weight: Numbers, squares: Numbers, square: Numbers
) -> tuple[Numbers, Numbers]:
    total, moved = np.zeros(len(weight)), np.zeros(len(weight))
    for own, seen in zip(weights, squares, strict=True):
        total += seen - square
        moved += (seen - square) * (own - weight)
    share = np.divide(moved, total, out=np.zeros(len(weight)), where=total > 0.0)
    return weight + share, square + total


_RULES: dict[str, Callable[..., tuple[Numbers, Numbers]]] = {
    "precision": _by_precision,
    "squares": _by_squares,
}

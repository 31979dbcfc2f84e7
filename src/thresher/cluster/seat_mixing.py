"""The members of a committee that are for narrow streams, from shards that learned apart.

The columns of a shard stand in the order in which it met them, and here in the order of all shards;
one that a shard never met was 0 in all its rows. Means and squared distances are those of all rows,
so are the means of the classes. AROW's weights are combined by their precisions, those of the
member with a matrix by the inverses of matrices. Whoever could not see that many columns leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import frexp, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.cluster.matrices import by_precision
from thresher.cluster.rules import EVERYWHERE, by_variances
from thresher.kernels.engines.committee_state import SEAT_KINDS, seat_limits
from thresher.learners.two_class.committee_members import Member, seat_of
from thresher.learners.two_class.standard_columns import FARTHEST, HATS, LEAST
from thresher.records import record

Numbers = NDArray[np.float64]
SQUARES, CLASSES, PAIRS, MATRIX, HATTED = range(1, len(SEAT_KINDS))
#: No column is taken to be surer than this within a class.
LEAST_WITHIN = 0.05
LN2 = 0.6931471805599453


@record(eq=False)
class Columns:
    """Mean and squared distances of columns, in the slots of all shards; without the constant."""

    #: Whether there are few enough of them.
    narrow: bool
    rows: float
    mean: Numbers
    squares: Numbers
    #: In which of the slots here each slot of the shard is, the constant one first.
    slots: NDArray[np.int64]

    @classmethod
    def of(cls, parts: Sequence[Any], slots: NDArray[np.int64], n: int) -> Columns:
        """What a committee remembers, of n columns in all."""
        (count, rows), mean, squares = parts
        if not count:
            return cls(False, float(rows), np.zeros(0), np.zeros(0), np.zeros(0, np.int64))
        places = slots[: len(mean)]
        found = np.zeros((2, n))
        found[0, places], found[1, places] = mean, squares
        return cls(True, float(rows), found[0], found[1], np.append(0, places + 1))

    def parts(self) -> tuple[Numbers, Numbers, Numbers]:
        """As a committee keeps it."""
        count = len(self.mean) + 1 if self.narrow else 0
        return np.array([count, self.rows]), self.mean, self.squares

    @property
    def inverse(self) -> Numbers:
        """One over the standard deviation, 0 for a column that has had one value only."""
        variance = self.squares * (1.0 / self.rows) if self.rows else self.squares
        varied = variance > LEAST
        return np.where(varied, 1.0 / np.sqrt(np.where(varied, variance, 1.0)), 0.0)


def mixed_columns(before: Columns, shards: Sequence[Columns]) -> Columns:
    """Mean and squared distances over the rows of all shards, those of before counted once."""
    rows = before.rows
    for own in shards:
        rows += own.rows - before.rows
    n = max(len(before.mean), *(len(own.mean) for own in shards))
    closed = not before.narrow or not all(own.narrow for own in shards)
    if closed or n > max(seat_limits()):
        return Columns(False, rows, np.zeros(0), np.zeros(0), np.zeros(0, np.int64))
    mean, squares, seen = before.mean, before.squares, before.rows
    for own in shards:
        more = own.rows - before.rows
        if not more:
            continue
        # What the rows of the shard alone come to, and then with all that came before it.
        apart = own.mean - before.mean
        alone = own.mean + apart * (before.rows / more)
        spread = own.squares - before.squares - apart * apart * (before.rows * own.rows / more)
        away, whole = alone - mean, seen + more
        mean = mean + away * (more / whole)
        squares = squares + np.maximum(spread, 0.0) + away * away * (seen * more / whole)
        seen = whole
    return Columns(True, rows, mean, squares, np.arange(n + 1))


def seats_that_stay(
    members: Sequence[Member], present: Sequence[float], columns: Columns, lanes: int
) -> int:
    """How many of the members in seats have not left: not in any shard, nor for all columns."""
    stay, limits = int(min(present)) - lanes, seat_limits()
    if not columns.narrow:
        return 0
    while stay and len(columns.mean) > limits[seat_of(members[stay - 1])]:
        stay -= 1
    return stay


def mixed_seats(
    members: Sequence[Member],
    then: tuple[Sequence[Numbers], Columns],
    now: Sequence[tuple[Sequence[Numbers], Columns]],
    columns: Columns,
) -> list[Numbers]:
    """Of each member its weights and second numbers, as a committee keeps them."""
    found: list[Numbers] = []
    n = len(columns.mean) + 1
    for i, member in enumerate(members):
        kind = seat_of(member)
        (weight, second), *each = (
            _spread_out(kind, parts[2 * i : 2 * i + 2], own.slots, n) for parts, own in (then, *now)
        )
        if kind == CLASSES:
            means = mixed_class_means(second, [own for _, own in each])
            found += [class_weights(means, columns, member.setting), means.ravel()]
        elif kind == MATRIX:
            mean, spread = by_precision(weight, second, each)
            found += [mean, spread[np.tril_indices(n)]]
        else:
            found += by_variances(weight, second, [(EVERYWHERE, *own) for own in each])
    return found


def _spread_out(
    kind: int, parts: Sequence[Numbers], slots: NDArray[np.int64], n: int
) -> tuple[Numbers, Numbers]:
    """Weights and second numbers of a seat in n slots; what was never learned is as at first.

    A matrix as such, the means of the classes a line for each.
    """
    weight, second = parts
    if kind == CLASSES:
        own, means = np.zeros(n), np.zeros((2, n))
        own[slots], means[:, slots] = weight, second.reshape(2, -1)
        return own, means
    if kind == MATRIX:
        own, matrix = np.zeros(n), np.eye(n)
        own[slots] = weight
        row, column = (slots[at] for at in np.tril_indices(len(slots)))
        matrix[row, column] = matrix[column, row] = second
        return own, matrix
    if kind == PAIRS:
        row, column = (slots[at] for at in np.tril_indices(len(slots)))
        low, high = np.minimum(row, column), np.maximum(row, column)
        places, size = high * (high + 1) // 2 + low, n * (n + 1) // 2
    elif kind == HATTED:
        places, size = (slots[:, None] * HATS + np.arange(HATS)).ravel(), HATS * n
    else:
        places, size = slots, n
    own, variance = np.zeros(size), np.ones(size)
    own[places], variance[places] = weight, second
    return own, variance


def mixed_class_means(means: Numbers, shards: Sequence[Numbers]) -> Numbers:
    """The means of each class, a line for each; what its rows weigh comes first."""
    found = means.copy()
    for c in range(2):
        mass = means[c, 0]
        for own in shards:
            mass += own[c, 0] - means[c, 0]
        moved = np.zeros(len(means[c]))
        for own in shards:
            moved += own[c, 0] * (own[c] - means[c])
        if mass > 0.0:
            found[c] = means[c] + moved / mass
        found[c, 0] = mass
    return found


def class_weights(means: Numbers, columns: Columns, before: float) -> Numbers:
    """The weights of the member that compares the means of the classes, the constant first.

    `before` is what so many rows would weigh that say nothing.
    """
    masses = means[:, 0]
    found = np.zeros(len(columns.mean) + 1)
    whole = float(masses[0] + masses[1])
    if not whole > 0.0:
        return found
    inverse = columns.inverse
    low, high = (
        np.clip((means[c, 1:] - columns.mean) * inverse, -FARTHEST, FARTHEST) for c in range(2)
    )
    between = float(masses[0] * masses[1] / whole / (whole + before))
    apart = high - low
    within = np.maximum(1.0 - between * (apart * apart), LEAST_WITHIN)
    low = low * float(masses[0] / (masses[0] + before))
    high = high * float(masses[1] / (masses[1] + before))
    found[1:] = (high - low) / within
    level = np.cumsum(np.append(0.0, found[1:] * (high + low)))[-1]
    odds = logarithm(float(masses[1]) + 1.0) - logarithm(float(masses[0]) + 1.0)
    found[0] = odds - 0.5 * level
    return found


def logarithm(x: float) -> float:
    """Ln x from sums, products and quotients alone, as the kernel has it.

    >>> logarithm(1.0), round(logarithm(10.0), 9)
    (0.0, 2.302585093)
    """
    m, k = frexp(x)
    m, k = 2.0 * m, k - 1
    if m > sqrt(2.0):
        m, k = 0.5 * m, k + 1
    t, total = (m - 1.0) / (m + 1.0), 0.0
    for i in range(23, 0, -2):
        total = total * (t * t) + 1.0 / i
    return 2.0 * (t * total) + k * LN2

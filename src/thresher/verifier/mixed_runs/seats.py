"""Members of committees for narrow streams, and the columns they see, from shards that learned.

A column has a slot: those of before come first, then those that are new to the first shard, then to
the second. Where a shard has not met a column, its rows had 0 there, and its members know of it
what they know at the start. The order of operations is part of the rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.compiled.mixture import natural_logarithm
from thresher.verifier.compiled.standard_columns import SEATS
from thresher.verifier.mixed_runs.matrices import combined_belief
from thresher.verifier.mixed_runs.moves import Numbers, by_variances, gained
from thresher.verifier.replays.committee import is_narrow
from thresher.verifier.state import State

Member = tuple[str, float, str]
CLASSES, PAIRS, MATRIX, HATS = (
    SEATS.index(kind)
    for kind in (("means", "standard"), ("arow", "pairs"), ("matrix", "standard"), ("arow", "hats"))
)
#: Columns of a stream that is narrow at all, and of one in which members from `PAIRS` on stay.
WIDEST, NARROWEST = 1024, 128
#: Hats that each column is seen through.
HATTED = 8
#: A variance that is no larger is none; no column is seen farther away from its mean than this; nor
#: does it vary less than this within a class.
NO_VARIANCE, FARTHEST, LEAST_WITHIN = 1e-280, 4.0, 0.05


@dataclass(frozen=True)
class ColumnsMet:
    """Mean and squared distances of columns, in the slots of all shards."""

    #: Whether there were few enough columns to look at each of them.
    narrow: bool
    rows: float
    #: The columns of all slots, from the second on: the first is the constant's.
    slots: NDArray[np.int64]
    mean: Numbers
    squares: Numbers
    #: Which of the slots this shard has numbers for, in its own order.
    own: NDArray[np.int64]

    @classmethod
    def of_each(
        cls, before: State, after: Sequence[State], members: Sequence[Member]
    ) -> tuple[ColumnsMet, list[ColumnsMet]]:
        """What was there before, and what each shard has met, in the same slots."""
        states = [before, *after]
        narrow = [is_narrow(state, members) for state in states]
        if not all(narrow):
            found = [
                cls._too_wide(_rows(state), one) for state, one in zip(states, narrow, strict=True)
            ]
            return found[0], found[1:]
        met = [state["slots"].tolist() for state in states]
        slots = list(dict.fromkeys(column for columns in met for column in columns))
        place = {column: k for k, column in enumerate(slots, 1)}
        found = []
        for state, columns in zip(states, met, strict=True):
            own = np.array([0, *(place[column] for column in columns)], np.int64)
            mean, squares = np.zeros(len(slots)), np.zeros(len(slots))
            mean[own[1:] - 1], squares[own[1:] - 1] = state["mean"], state["squares"]
            found.append(cls(True, _rows(state), np.array(slots, np.int64), mean, squares, own))
        return found[0], found[1:]

    @classmethod
    def _too_wide(cls, rows: float, narrow: bool = False) -> ColumnsMet:
        nothing = np.zeros(0, np.int64)
        return cls(narrow, rows, nothing, np.zeros(0), np.zeros(0), nothing)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """As a state has them."""
        return {"slots": self.slots, "mean": self.mean, "squares": self.squares}

    @property
    def inverse(self) -> Numbers:
        """One over the standard deviation; 0 for a column that has had one value only."""
        variance = self.squares * (1.0 / self.rows) if self.rows else self.squares
        some = variance > NO_VARIANCE
        return np.where(some, 1.0 / np.sqrt(np.where(some, variance, 1.0)), 0.0)


def _rows(state: State) -> float:
    return float(state["standing"][2]) if "standing" in state else 0.0


def columns_of_all(before: ColumnsMet, each: Sequence[ColumnsMet]) -> ColumnsMet:
    """Mean and squared distances over the rows of all shards, those from before counted once."""
    rows = float(gained(np.array(before.rows), [np.array(own.rows) for own in each]))
    everywhere = all(own.narrow for own in (before, *each))
    if not everywhere or len(before.slots) > WIDEST:
        return ColumnsMet._too_wide(rows)
    mean, squares, seen = before.mean, before.squares, before.rows
    for own in each:
        more = own.rows - before.rows
        if more == 0.0:
            continue
        # The rows that the shard has read, without those from before; then they are added.
        step = own.mean - before.mean
        alone = own.mean + step * (before.rows / more)
        around = own.squares - before.squares - step * step * (before.rows * own.rows / more)
        away, both = alone - mean, seen + more
        mean = mean + away * (more / both)
        squares = squares + np.maximum(around, 0.0) + away * away * (seen * more / both)
        seen = both
    return ColumnsMet(True, rows, before.slots, mean, squares, np.arange(len(before.slots) + 1))


def staying(seats: Sequence[Member], present: int, columns: ColumnsMet) -> int:
    """How many of the seats that no shard has left can see the columns of all shards."""
    if not columns.narrow:
        return 0
    wide = len(columns.slots) > NARROWEST
    while present and wide and _kind(seats[present - 1]) >= PAIRS:
        present -= 1
    return present


def _kind(member: Member) -> int:
    return SEATS.index((member[0], member[2]))


def combined_seats(
    seats: Sequence[Member],
    parts: Sequence[Numbers | None],
    met: Sequence[ColumnsMet],
    columns: ColumnsMet,
) -> Numbers:
    """The numbers of these seats one after another; `parts` and `met` begin with before."""
    left = [np.zeros(0) if part is None else part for part in parts]
    n, found = len(columns.slots) + 1, [np.zeros(0)]
    for member in seats:
        kind, each = _kind(member), []
        for k, own in enumerate(met):
            numbers, left[k] = _in_slots(kind, left[k], own.own, n)
            each.append(numbers)
        (weight, second), *others = each
        if kind == CLASSES:
            means = _class_means(second, [own for _, own in others])
            found += [_class_weights(means, columns, member[1]), means.ravel()]
        elif kind == MATRIX:
            mean, spread = combined_belief((weight, second), others)
            found += [mean, spread[np.tril_indices(n)]]
        else:
            weights, seconds = zip(*others, strict=True)
            found += by_variances(weight, second, weights, seconds)
    return np.concatenate(found)


def _in_slots(
    kind: int, numbers: Numbers, own: NDArray[np.int64], n: int
) -> tuple[tuple[Numbers, Numbers], Numbers]:
    """Weights and second numbers of a seat in the slots of all shards, and what comes after them.

    Pairs of slots have one number each, below the diagonal of a square.
    """
    line, column = (own[at] for at in np.tril_indices(len(own)))
    # Which of a pair comes first may differ between a shard and all of them.
    pair = np.maximum(line, column), np.minimum(line, column)
    at: Any = pair if kind == PAIRS else own
    other: Any = pair if kind in (PAIRS, MATRIX) else own
    weight: Numbers = np.zeros(n)
    second: Numbers = np.ones(n)
    if kind == PAIRS:
        weight, second = np.zeros((n, n)), np.ones((n, n))
    elif kind == HATS:
        weight, second = np.zeros((n, HATTED)), np.ones((n, HATTED))
    elif kind == MATRIX:
        second = np.identity(n)
    elif kind == CLASSES:
        second, other = np.zeros((2, n)), np.s_[:, own]
    for array, where in ((weight, at), (second, other)):
        size = array[where].size
        array[where] = numbers[:size].reshape(array[where].shape)
        numbers = numbers[size:]
    if kind == MATRIX:
        second = np.tril(second) + np.tril(second, -1).T
    elif kind == PAIRS:
        weight, second = weight[np.tril_indices(n)], second[np.tril_indices(n)]
    elif kind == HATS:
        weight, second = weight.ravel(), second.ravel()
    return (weight, second), numbers


def _class_means(before: Numbers, each: Sequence[Numbers]) -> Numbers:
    """A line for each class: what its rows weigh, then the means of their columns."""
    found = before.copy()
    for line, old, new in zip(found, before, zip(*each, strict=True), strict=True):
        mass = gained(old[:1], [own[:1] for own in new])[0]
        moved = np.zeros(len(old))
        for own in new:
            moved = moved + own[0] * (own - old)
        if mass > 0.0:
            line[:] = old + moved / mass
        line[0] = mass
    return found


def _class_weights(means: Numbers, columns: ColumnsMet, before: float) -> Numbers:
    """The weights of a linear discriminant, the constant first; see `learn_means` of the replay.

    `before` is what rows would weigh that say nothing.
    """
    masses = means[:, 0].tolist()
    weights = np.zeros(means.shape[1])
    whole = masses[0] + masses[1]
    if not whole > 0.0:
        return weights
    low, high = (
        np.clip((own - columns.mean) * columns.inverse, -FARTHEST, FARTHEST) for own in means[:, 1:]
    )
    between = masses[0] * masses[1] / whole / (whole + before)
    within = np.maximum(1.0 - between * ((high - low) * (high - low)), LEAST_WITHIN)
    low = low * (masses[0] / (masses[0] + before))
    high = high * (masses[1] / (masses[1] + before))
    weights[1:] = (high - low) / within
    level = 0.0
    for part in (weights[1:] * (high + low)).tolist():
        level += part
    odds = natural_logarithm(masses[1] + 1.0) - natural_logarithm(masses[0] + 1.0)
    weights[0] = odds - 0.5 * level
    return weights

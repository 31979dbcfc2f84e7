"""Mixing: from what shards have learned apart to one learner, in shard order and reproducibly.

**average**, of duals: a number that some shard changed becomes the sum of those of all shards,
rounded once, over the number of shards; one that nobody changed stays as it is. Duals of whole
numbers are whole numbers, so that their sums are exact. `thresher.theory.ParameterMixing` and
`MixingWithLosses` speak of this rule.

**precision**, of AROW, and **squares**, of AdaGrad, are in `rules`; no theorem is known for these
two. Scales, the largest values of features, are those of all shards. Committees are combined in
`committee_mixing`, learners with several classes in `class_mixing` and `table_mixing`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.cluster.averages import average
from thresher.cluster.class_mixing import ClassesChange, mixed_classes
from thresher.cluster.committee_mixing import CommitteesChange, mixed_committees
from thresher.cluster.rules import EVERYWHERE, by_precision, by_squares
from thresher.cluster.table_mixing import TableChange, mixed_tables
from thresher.learners.base.shared_numbers import (
    Shared,
    SharedClasses,
    SharedCommittees,
    SharedNumbers,
    SharedTable,
)
from thresher.records import record

Numbers = NDArray[np.float64]
#: So many numbers of all shards are in memory side by side, however many shards there are.
TOGETHER = 1 << 20


@record(eq=False)
class Change:
    """What a shard did to a learner: the numbers that differ, and what it counted."""

    #: By name: where a number differs in some bit, in increasing order, and what it is now.
    numbers: dict[str, tuple[NDArray[np.int64], Numbers]]
    counts: tuple[int, int, int, int]
    weighted: bool = False
    #: Whether it still waits for its class, see `SharedNumbers.most_precise`.
    waits: bool = False

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
        waits = after.most_precise is not None
        return cls(found, (rounds, negatives, positives, close), after.weighted, waits)

    @property
    def mistakes(self) -> int:
        """Rounds in which the prediction was wrong."""
        return self.counts[1] + self.counts[2]

    @property
    def n_bytes(self) -> int:
        """About what it takes to send it."""
        return sum(where.nbytes + values.nbytes for where, values in self.numbers.values())


def _mixed_numbers(before: SharedNumbers, changes: Sequence[Change]) -> SharedNumbers:
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
    step = max(1, TOGETHER // max(1, len(changes)))
    for first in range(0, len(touched), step):
        columns = touched[first : first + step]
        _mix(before, changes, columns, numbers)
    most = before.most_precise
    if most is not None and all(change.waits for change in changes):
        # Who waits for its class has heard nothing of it in any shard, and stays unsure.
        np.minimum(numbers["precision"], most, out=numbers["precision"])
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
    (weights, weight), (others, other) = table["dual"], table[before.rule]
    numbers["dual"][columns], numbers[before.rule][columns] = _RULES[before.rule](
        weight, other, [(EVERYWHERE, *own) for own in zip(weights, others, strict=True)]
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


_RULES = {"precision": by_precision, "squares": by_squares}


# ---- learners of every kind --------------------------------------------------------------------

AnyChange = Change | CommitteesChange | TableChange | ClassesChange


def change_between(before: Shared, after: Shared) -> AnyChange:
    """What a shard did to a learner, from what it shared before and shares now."""
    match before, after:
        case SharedNumbers(), SharedNumbers():
            return Change.between(before, after)
        case SharedCommittees(), SharedCommittees():
            return CommitteesChange.between(before, after)
        case SharedTable(), SharedTable():
            return TableChange.between(before, after)
        case SharedClasses(), SharedClasses():
            return ClassesChange.between(before, after, change_between)
    raise TypeError(f"{type(after).__name__} is not what {type(before).__name__} becomes.")


def mixed(before: Shared, changes: Sequence[Any]) -> Any:
    """What shards come to together, given in their order; one alone is left as it is."""
    match before:
        case SharedNumbers():
            return _mixed_numbers(before, changes)
        case SharedCommittees():
            return mixed_committees(before, changes)
        case SharedTable():
            return mixed_tables(before, changes)
    return mixed_classes(before, changes, mixed)

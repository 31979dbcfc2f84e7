r"""From the states of shards that began alike to the one that they are combined to.

Numbers that no shard changed stay as they are. Of the others, **average** is the sum of those of
all shards, rounded once, over how many there are; **precision** weighs each shard's move by its
precision, over what precisions have become and what all knew before, counted by the root of the
number of shards, less once; precisions gain what all shards have gained; **squares** weighs moves
by what each shard's squares have gained. The largest values of features (``scale``) are those of
all. One shard alone is left as it is. The states are as `thresher.verifier.state` has them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum, sqrt

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.state import State, sparse_state

Numbers = NDArray[np.float64]
#: So many numbers of all shards are side by side in memory, however many shards there are.
BLOCK = 1 << 20
#: What a feature of a new learner has, unless it is 0.
FRESH = {"precision": 1.0}
SCALE, CONSTANT, COLUMNS = "scale", "constant", "columns"


def changed(before: State, after: State) -> State:
    """The features of a state that differ in some bit from the state before, and the constant.

    Of many shards these take little room, where whole states would take as much for each.

    >>> before = {"columns": np.array([3, 5]), "weight": np.array([1.0, 2.0])}
    >>> found = changed(before, {"columns": np.array([3]), "weight": np.array([1.0])})
    >>> found["columns"].tolist(), found["weight"].tolist()
    ([5], [0.0])
    """
    columns = np.union1d(before[COLUMNS], after[COLUMNS])
    new = {name: _at(after, name, columns) for name in _by_feature(before)}
    differs = np.zeros(len(columns), bool)
    for name, values in new.items():
        differs |= _bits(values) != _bits(_at(before, name, columns))
    found = {COLUMNS: columns[differs]} | {name: new[name][differs] for name in new}
    return found | ({CONSTANT: after[CONSTANT]} if CONSTANT in after else {})


def _by_feature(state: State) -> list[str]:
    return sorted(name for name in state if name not in (COLUMNS, CONSTANT, "powers"))


def combined(before: State, after: Sequence[State], rule: str) -> State:
    """What shards are combined to, given what each `changed` of the state before.

    Arrays that belong to no feature are left out.

    >>> before = {"columns": np.array([3]), "weight": np.array([1.0])}
    >>> one = {"columns": np.array([2, 3]), "weight": np.array([4.0, 1.0])}
    >>> found = combined(before, [one, before], "average")
    >>> found["columns"].tolist(), found["weight"].tolist()
    ([2, 3], [2.0, 1.0])
    """
    names = _by_feature(before)
    columns = np.unique(np.concatenate([state[COLUMNS] for state in (before, *after)]))
    found = {name: np.empty(len(columns)) for name in names}
    step = max(1, BLOCK // len(after))
    for first in range(0, len(columns), step):
        part = columns[first : first + step]
        old = {name: _at(before, name, part) for name in names}
        new = {name: np.stack([_at(own, name, part, old[name]) for own in after]) for name in names}
        for name, values in _mixed(old, new, rule).items():
            found[name][first : first + step] = values
    state = sparse_state(found, FRESH)
    state[COLUMNS] = columns[state[COLUMNS]]
    if CONSTANT in before:
        own = [name for name in names if name != SCALE]
        old = {name: before[CONSTANT][[k]] for k, name in enumerate(own)}
        new = {name: np.stack([s[CONSTANT][[k]] for s in after]) for k, name in enumerate(own)}
        mixed = _mixed(old, new, rule)
        state[CONSTANT] = np.concatenate([mixed[name] for name in own])
    return state


def _at(
    state: State, name: str, columns: NDArray[np.int64], known: Numbers | None = None
) -> Numbers:
    """What a state has for these columns: what is known or a new learner has, if nothing else."""
    found = np.full(len(columns), FRESH.get(name, 0.0)) if known is None else known.copy()
    own = state[COLUMNS]
    if not len(columns):
        return found
    first, stop = np.searchsorted(own, columns[0]), np.searchsorted(own, columns[-1], "right")
    found[np.searchsorted(columns, own[first:stop])] = state[name][first:stop]
    return found


def _mixed(old: Mapping[str, Numbers], new: Mapping[str, Numbers], rule: str) -> dict[str, Numbers]:
    """The numbers of some columns, given a line for each shard."""
    first = next(iter(new.values()))
    if len(first) == 1:
        return {name: table[0] for name, table in new.items()}
    touched = np.zeros(first.shape[1], bool)
    for name, table in new.items():
        touched |= (_bits(table) != _bits(old[name])).any(axis=0)
    main = "weight" if "weight" in new else "dual"
    table, known = new[main], old[main]
    if rule == "average":
        found = {main: _mean(table)}
    elif rule == "precision":
        found = _by_precision(table, known, new[rule], old[rule])
    else:
        found = _by_squares(table, known, new[rule], old[rule])
    if SCALE in new:
        found[SCALE] = new[SCALE].max(axis=0)
    return {name: np.where(touched, found[name], old[name]) for name in new}


def _bits(numbers: Numbers) -> NDArray[np.int64]:
    return np.ascontiguousarray(numbers).view(np.int64)


def _mean(table: Numbers) -> Numbers:
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


def _by_precision(
    weights: Numbers, known: Numbers, precisions: Numbers, before: Numbers
) -> dict[str, Numbers]:
    moved, gained = np.zeros(len(known)), before.copy()
    for weight, precision in zip(weights, precisions, strict=True):
        moved += precision * (weight - known)
        gained += precision - before
    shared = (sqrt(len(weights)) - 1.0) * before
    return {"weight": known + moved / (gained + shared), "precision": gained}


def _by_squares(
    weights: Numbers, known: Numbers, squares: Numbers, before: Numbers
) -> dict[str, Numbers]:
    total, moved = np.zeros(len(known)), np.zeros(len(known))
    for weight, square in zip(weights, squares, strict=True):
        gain = square - before
        total += gain
        moved += gain * (weight - known)
    share = np.divide(moved, total, out=np.zeros(len(known)), where=total > 0.0)
    return {"weight": known + share, "squares": before + total}

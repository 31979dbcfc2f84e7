"""From the states of shards that began alike to the one that they are combined to.

Numbers that no shard changed stay as they are. Of the others, **average** is the sum of those of
all shards, rounded once, over how many there are; **precision** and **squares** are in `moves`. The
largest values of features (``scale``) are those of all. One shard alone is left as it is. The
states are as `thresher.verifier.state` has them. This is about learners with numbers of features
and little else; for committees and several classes see `ways`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.mixed_runs.moves import Numbers, by_precision, by_squares, mean
from thresher.verifier.state import State, sparse_state

#: So many numbers of all shards are side by side in memory, however many shards there are.
BLOCK = 1 << 20
PRECISION = "precision"
#: What a feature of a new learner has, unless it is 0.
FRESH = {PRECISION: 1.0}
#: What rows of -1 alone make sure of at most, while a class is waited for.
UNSURE = 4.0
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


def combined(
    before: State, after: Sequence[State], rule: str, *, one_of_several: bool = False
) -> State:
    """What shards are combined to, given what each `changed` of the state before.

    Arrays that belong to no feature are left out. A learner that is `one_of_several` may wait for
    its class, as AROW does: no precision is above 4 until a row of +1 has brought one there. While
    it waits in every shard, it waits.

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
    if one_of_several and rule == PRECISION and all(map(_waits, (before, *after))):
        state[PRECISION] = np.minimum(state[PRECISION], UNSURE)
        if CONSTANT in state:
            # By their names precisions come before weights.
            state[CONSTANT][:1] = np.minimum(state[CONSTANT][:1], UNSURE)
    return state


def _waits(state: State) -> bool:
    """Whether no precision is above what rows of -1 alone make of it; see `compiled.hinge_steps`.

    Of a shard it is enough to look at what it changed, if before the epoch all waited.
    """
    constant = state.get(CONSTANT, np.zeros(1))[:1]
    return bool(np.all(state[PRECISION] <= UNSURE) and np.all(constant <= UNSURE))


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
        found = {main: mean(table)}
    else:
        move = by_precision if rule == "precision" else by_squares
        found = dict(zip((main, rule), move(known, old[rule], [*table], [*new[rule]]), strict=True))
    if SCALE in new:
        found[SCALE] = new[SCALE].max(axis=0)
    return {name: np.where(touched, found[name], old[name]) for name in new}


def _bits(numbers: Numbers) -> NDArray[np.int64]:
    return np.ascontiguousarray(numbers).view(np.int64)

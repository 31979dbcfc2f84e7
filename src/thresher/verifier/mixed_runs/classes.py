"""Shards of learners with several classes, combined to one.

Classes stand in the order of appearance: those from before, then those that are new to the first
shard, then to the second. A learner for each class: where a shard has not met a class, the learner
of that class is there what the background is, and so it was before the epoch in which the class
appeared. A table of weights: a class or feature that was not met has 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.mixed_runs.moves import Numbers, mean
from thresher.verifier.mixed_runs.way import Way
from thresher.verifier.replays.one_versus_rest import BACKGROUND, inner_state
from thresher.verifier.state import State, sparse_state

CLASSES, COLUMNS = "classes", "columns"
#: Numbers of all shards that are side by side in memory.
BLOCK = 1 << 20


def class_places(before: State, after: Sequence[State]) -> tuple[list[str], list[list[int | None]]]:
    """All classes in order; for before and each shard, by which number it has each of them.

    >>> states = [{"classes": np.array(names)} for names in (["a"], ["a", "c"], ["a", "b", "c"])]
    >>> class_places(states[0], states[1:])
    (['a', 'c', 'b'], [[0, None, None], [0, 1, None], [0, 2, 1]])
    """
    known = [state[CLASSES].tolist() for state in (before, *after)]
    every = list(dict.fromkeys(name for names in known for name in names))
    found: list[list[int | None]] = []
    for names in known:
        number = {name: r for r, name in enumerate(names)}
        found.append([number.get(name) for name in every])
    return every, found


@dataclass(frozen=True)
class LearnerForEach:
    """One learner for each class, and the background, each combined in its own way."""

    way: Way

    def changed(self, before: State, after: State) -> State:
        """What the learner of each class has changed; of a new class, of the background."""
        known = len(before[CLASSES])
        found: dict[str, NDArray[Any]] = {CLASSES: after[CLASSES]}
        for whose in (BACKGROUND, *range(len(after[CLASSES]))):
            began = whose if isinstance(whose, str) or whose < known else BACKGROUND
            own = self.way.changed(inner_state(before, began), inner_state(after, whose))
            found |= {f"{whose}.{name}": own[name] for name in own}
        return found

    def combined(self, before: State, after: Sequence[State]) -> State:
        """What shards are combined to, given what each `changed`."""
        classes, places = class_places(before, after)
        found: dict[str, NDArray[Any]] = {CLASSES: np.array(classes, np.str_)}
        for number, (began, *now) in enumerate(zip(*places, strict=True)):
            found |= self._one(str(number), before, after, [began, *now])
        return found | self._one(BACKGROUND, before, after, [None] * (1 + len(after)))

    def _one(
        self, whose: str, before: State, after: Sequence[State], places: Sequence[int | None]
    ) -> dict[str, NDArray[Any]]:
        old, *new = (
            inner_state(state, BACKGROUND if place is None else place)
            for state, place in zip((before, *after), places, strict=True)
        )
        own = self.way.combined(old, new)
        return {f"{whose}.{name}": own[name] for name in own}


@dataclass(frozen=True)
class Tables:
    """A table of weights, or of what they are powers of: a line for each feature."""

    def changed(self, before: State, after: State) -> State:
        """The lines that differ in some bit from the state before, and all that is no feature.

        A line of zeros is in no state, though it may have been in the one before.
        """
        columns, n = np.union1d(before[COLUMNS], after[COLUMNS]), len(after[CLASSES])
        known = [*range(len(before[CLASSES])), *[None] * n][:n]
        new = _lines(after, columns, range(n))
        differs = (_bits(_lines(before, columns, known)) != _bits(new)).any(axis=1)
        if "touched" in after:
            differs |= ~np.isin(columns, before[COLUMNS])
        others = {name: after[name] for name in after if name != "touched"}
        return others | {COLUMNS: columns[differs], _main(after): new[differs]}

    def combined(self, before: State, after: Sequence[State]) -> State:
        """What shards are combined to, given what each `changed`: the mean of what some changed."""
        classes, (began, *places) = class_places(before, after)
        columns = np.unique(np.concatenate([state[COLUMNS] for state in (before, *after)]))
        found = np.empty((len(columns), len(classes)))
        step = max(1, BLOCK // (len(after) * max(1, len(classes))))
        for first in range(0, len(columns), step):
            part = columns[first : first + step]
            old = _lines(before, part, began)
            each = [_lines(own, part, at, old) for own, at in zip(after, places, strict=True)]
            found[first : first + step] = _averaged(old, each)
        others: dict[str, NDArray[Any]] = {CLASSES: np.array(classes, np.str_)}
        if "bias" in before:
            old, *each = (
                _widened(state["bias"][None], at)
                for state, at in zip((before, *after), (began, *places), strict=True)
            )
            others["bias"] = _averaged(old, each)[0]
        numbers: dict[str, NDArray[Any]] = {_main(before): found}
        if "touched" in before:
            numbers["touched"] = np.ones(len(columns), np.uint8)
            # The largest: no weight is then too large to be a number.
            others["subtracted"] = np.max([own["subtracted"] for own in (before, *after)], axis=0)
        state = sparse_state(numbers, None, **others)
        return state | {COLUMNS: columns[state[COLUMNS]]}


def _main(state: State) -> str:
    return "dual" if "dual" in state else "weight"


def _bits(numbers: Numbers) -> NDArray[np.int64]:
    return np.ascontiguousarray(numbers).view(np.int64)


def _widened(lines: Numbers, places: Sequence[int | None]) -> Numbers:
    """Lines with a number for each class that somebody has met; 0 where it has no place."""
    found = np.zeros((len(lines), len(places)))
    for r, place in enumerate(places):
        if place is not None:
            found[:, r] = lines[:, place]
    return found


def _lines(
    state: State,
    columns: NDArray[np.int64],
    places: Sequence[int | None],
    known: Numbers | None = None,
) -> Numbers:
    """What a state has for some columns, and where it has nothing what is known of them."""
    found = np.zeros((len(columns), len(places))) if known is None else known.copy()
    here = np.isin(state[COLUMNS], columns)
    at = np.searchsorted(columns, state[COLUMNS][here])
    found[at] = _widened(state[_main(state)][here], places)
    return found


def _averaged(old: Numbers, each: Sequence[Numbers]) -> Numbers:
    """The mean of all shards where one of them has changed a number; one alone is left as it is."""
    if len(each) == 1:
        return each[0]
    table = np.stack([own.ravel() for own in each])
    changed = (_bits(table) != _bits(old.ravel())).any(axis=0)
    return np.where(changed, mean(table), old.ravel()).reshape(old.shape)

"""Committees of shards, combined to one: features, experts, and members for narrow streams.

Members for rows of any width are combined feature by feature, by the moves of their rules, in
double precision, and rounded to single precision in the end. Of the features, one over the largest
value is the least of all. What all rows together weigh adds up, and so do their labels. `experts`
and `seats` have the rest. Losses and mistakes of experts decide nothing, and no state has them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.compiled.committee import RULES, STARTS, UNSEEN
from thresher.verifier.mixed_runs.experts import combined_experts
from thresher.verifier.mixed_runs.moves import by_counts, by_squares, by_variances, gained
from thresher.verifier.mixed_runs.seats import ColumnsMet, columns_of_all, combined_seats, staying
from thresher.verifier.replays.committee import members_of, n_lanes
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.state import State, sparse_state

MOVES = {"arow": by_variances, "adagrad": by_squares, "means": by_counts}
#: Numbers of all shards that are side by side in memory.
BLOCK = 1 << 20
BY_FEATURE = ("weight", "second", "shrink")
COLUMNS, STANDING = "columns", "standing"


@dataclass(frozen=True)
class Committees:
    """How shards of a committee with these members are combined."""

    members: Sequence[tuple[str, float, str]]

    @classmethod
    def of(cls, parameters: Parameters) -> Committees:
        """Those of a learner with these parameters."""
        return cls(members_of(parameters))

    @property
    def lanes(self) -> list[str]:
        """The rules of the members for rows of any width, which come first."""
        return [rule for rule, _, _ in self.members[: n_lanes(self.members)]]

    def changed(self, before: State, after: State) -> State:
        """The features that differ in some bit from before, and all that is no feature."""
        columns = np.union1d(before[COLUMNS], after[COLUMNS])
        old, new = (self._lines(state, columns) for state in (before, after))
        differs = np.zeros(len(columns), bool)
        for name, numbers in new.items():
            bits = f"u{numbers.itemsize}"
            apart = numbers.view(bits) != old[name].view(bits)
            differs |= apart if apart.ndim == 1 else apart.any(axis=1)
        kept = {name: numbers[differs] for name, numbers in new.items()}
        return dict(after) | {COLUMNS: columns[differs]} | kept

    def combined(self, before: State, after: Sequence[State]) -> State:
        """What shards are combined to, given what each `changed`; one alone is left as it is."""
        columns = np.unique(np.concatenate([state[COLUMNS] for state in (before, *after)]))
        found = {name: np.empty_like(one) for name, one in self._fresh(len(columns)).items()}
        step = max(1, BLOCK // (2 * len(self.lanes) * len(after) + 1))
        for first in range(0, len(columns), step):
            inside = slice(first, first + step)
            old = self._lines(before, columns[inside])
            new = [self._lines(own, columns[inside], old) for own in after]
            for name, numbers in (new[0] if len(new) == 1 else self._mixed(old, new)).items():
                found[name][inside] = numbers
        others = self._whole(after[0]) if len(after) == 1 else self._others(before, after)
        starts = {name: one[0] for name, one in self._fresh(1).items()}
        state = sparse_state(found, starts, **others)
        return state | {COLUMNS: columns[state[COLUMNS]]}

    # ---- features ---------------------------------------------------------------------------

    def _fresh(self, n: int) -> dict[str, NDArray[Any]]:
        """What so many features have of which nothing was learned."""
        starts = np.array([STARTS[RULES.index(rule)] for rule in self.lanes], np.float32)
        weight = np.zeros((n, len(starts)), np.float32)
        return {"weight": weight, "second": weight + starts, "shrink": np.full(n, UNSEEN)}

    def _lines(
        self,
        state: State,
        columns: NDArray[np.int64],
        known: Mapping[str, NDArray[Any]] | None = None,
    ) -> dict[str, NDArray[Any]]:
        """What a state has for some columns, and where it has nothing what is known of them."""
        found = {name: one.copy() for name, one in (known or self._fresh(len(columns))).items()}
        own = state[COLUMNS]
        here = np.isin(own, columns)
        places = np.searchsorted(columns, own[here])
        for name, numbers in found.items():
            numbers[places] = state[name][here]
        return found

    def _mixed(
        self, old: Mapping[str, NDArray[Any]], new: Sequence[Mapping[str, NDArray[Any]]]
    ) -> dict[str, NDArray[Any]]:
        """The numbers of some features, or of one: lines of weights and of second numbers."""
        found = {name: numbers.copy() for name, numbers in old.items()}
        for lane, rule in enumerate(self.lanes):
            (weight, *weights), (second, *seconds) = (
                [own[name][:, lane].astype(np.float64) for own in (old, *new)]
                for name in ("weight", "second")
            )
            moved = MOVES[rule](weight, second, weights, seconds)
            for name, numbers in zip(("weight", "second"), moved, strict=True):
                # A zero has no sign: what is too small for single precision was above or below it.
                found[name][:, lane] = numbers.astype(np.float32) + np.float32(0.0)
        if "shrink" in old:
            found["shrink"] = np.min([old["shrink"], *(own["shrink"] for own in new)], axis=0)
        return found

    # ---- what is no feature -----------------------------------------------------------------

    def _whole(self, state: State) -> dict[str, NDArray[Any]]:
        return {name: state[name] for name in state if name not in (COLUMNS, *BY_FEATURE)}

    def _others(self, before: State, after: Sequence[State]) -> dict[str, NDArray[Any]]:
        """All that belongs to no feature."""
        lanes = len(self.lanes)
        sums = {
            name: gained(before[name], [own[name] for own in after])
            for name in ("rounds", "labels")
        }
        standings = [self._standing(own) for own in after]
        mass = gained(self._standing(before)[:1], [own[:1] for own in standings])
        began, ended = ColumnsMet.of_each(before, after, self.members)
        columns = columns_of_all(began, ended)
        seats = self.members[lanes:]
        stay = staying(seats, min(int(own[1]) for own in standings) - lanes, columns)
        found = sums | {"bias": self._bias(before, after)}
        found |= combined_experts(before, after, lanes + stay)
        if seats or mass[0] != sums["rounds"][0]:
            standing = np.array([mass[0], lanes + stay, columns.rows])
            found |= {STANDING: standing, **columns.arrays()}
            found["seats"] = combined_seats(
                seats[:stay],
                [own.get("seats") for own in (before, *after)],
                [began, *ended],
                columns,
            )
        return found

    def _standing(self, state: State) -> NDArray[np.float64]:
        """What rows weigh, members present, and rows of which columns were looked at."""
        plain = np.array([state["rounds"][0], len(self.members), 0.0])
        return np.asarray(state.get(STANDING, plain))

    def _bias(self, before: State, after: Sequence[State]) -> NDArray[np.float32]:
        """The line of the constant feature."""
        lanes = len(self.lanes)
        old, *new = (
            {"weight": own["bias"][None, :lanes], "second": own["bias"][None, lanes:]}
            for own in (before, *after)
        )
        found = self._mixed(old, new)
        return np.concatenate([found["weight"][0], found["second"][0]])

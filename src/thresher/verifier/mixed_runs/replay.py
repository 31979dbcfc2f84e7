"""The epochs of a run, played again shard by shard.

Whoever knows which rounds were mistaken knows what every epoch began with: the mistaken rows say
so. Then all shards and epochs can be checked at once, and by induction over the epochs the whole
run is as claimed if each of them is. Otherwise, and where the learner changes in other rounds as
well, epoch follows epoch.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.algorithm import Algorithm
from thresher.verifier.mixed_runs.shard_work import (
    ShardPlayed,
    is_as_claimed,
    play,
    sum_of,
    take,
)
from thresher.verifier.mixed_runs.source import ShardSource
from thresher.verifier.mixed_runs.ways import way_of
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.state import State, state_digest

#: For each epoch, which rows of each shard are mistaken.
Listed = Sequence[Sequence[NDArray[np.int64]]]
#: What epochs begin with is held at once, by every worker, up to this size.
MOST_BYTES = 1 << 28


@dataclass(frozen=True)
class Epoch:
    """All shards after an epoch."""

    mistaken: tuple[NDArray[np.int64], ...]
    updates: tuple[NDArray[np.int64], ...]
    #: None where there are several classes.
    false_negatives: int | None
    #: What they were combined to, empty where nobody needs it any more, and its digest.
    state: State
    digest: str

    @property
    def mistakes(self) -> tuple[int, ...]:
        """Of each shard."""
        return tuple(map(len, self.mistaken))

    def without_state(self) -> Epoch:
        """The same: states of many epochs may be more than memory holds."""
        return replace(self, state={})


@dataclass(frozen=True)
class Replayed:
    """How a learner is played on the shards of a source."""

    algorithm: Algorithm
    parameters: Parameters
    source: ShardSource
    rounds: tuple[int, ...]

    def epochs(self) -> Iterator[Epoch]:
        """Epoch after epoch, without an end."""
        state = self._beginning()
        while True:
            found = self.source.each(play, (self.algorithm.name, self.parameters, state))
            state = self._combined(state, [one.change for one in found])
            yield _epoch(found, state)

    def as_claimed(self, listed: Listed) -> list[Epoch] | None:
        """All epochs, if the rounds listed are the mistaken ones; None if they are not.

        Asked of learners that change on mistakes alone, and always in the same way. None, too, if
        what the epochs begin with is too much to hold at once.
        """
        if self.algorithm.ranges_for(self.parameters) is None:
            return None
        name, parameters = self.algorithm.name, self.parameters
        way = way_of(self.algorithm, parameters)
        shards = range(len(self.rounds))
        ever = [_united([epoch[shard] for epoch in listed]) for shard in shards]
        kept: list[LabelledRows] = self.source.each(take, (), ever)
        state = self._beginning()
        starts, made, size = [], [], 0
        for epoch in listed:
            starts.append(state)
            size += sum(array.nbytes for array in state.values())
            if size > MOST_BYTES:
                return None
            played = []
            for shard in shards:
                rows = kept[shard].take(np.searchsorted(ever[shard], epoch[shard]))
                everywhere = np.ones(len(rows), bool)
                after = self.algorithm.replay(rows, parameters, everywhere, start=state)
                missed = int(np.count_nonzero(rows.label > 0))
                change = way.changed(state, after.state)
                played.append(ShardPlayed(epoch[shard], epoch[shard], missed, change))
            state = self._combined(state, [one.change for one in played])
            made.append(_epoch(played, state))
        said = [[epoch[shard] for epoch in listed] for shard in shards]
        sound = self.source.each(is_as_claimed, (name, parameters, starts), said)
        return made if all(sound) else None

    def _beginning(self) -> State:
        return self.algorithm.replay(NO_ROWS, self.parameters).state

    def _combined(self, before: State, after: list[State]) -> State:
        mixed = way_of(self.algorithm, self.parameters).combined(before, after)
        # What is worked out from the numbers of all features is worked out anew.
        return self.algorithm.replay(NO_ROWS, self.parameters, start=mixed).state


NO_ROWS = LabelledRows(
    np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.int8)
)


def _epoch(found: Sequence[ShardPlayed], state: State) -> Epoch:
    return Epoch(
        tuple(one.mistaken for one in found),
        tuple(one.updates for one in found),
        sum_of(one.false_negatives for one in found),
        state,
        state_digest(state),
    )


def _united(places: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.unique(np.concatenate(places))


def ever_changed(epochs: Sequence[Epoch]) -> list[NDArray[np.int64]]:
    """For each shard, the rows that were mistaken or changed something in some epoch."""
    shards = range(len(epochs[0].mistaken))
    return [
        _united([places[shard] for one in epochs for places in (one.mistaken, one.updates)])
        for shard in shards
    ]

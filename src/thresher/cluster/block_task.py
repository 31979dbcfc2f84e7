"""What a worker does with a block: play its shards with a copy, and send what changed the copy.

Whoever asked knows whether the copy was the learner that the block deserved: it was if no row
between the state that was sent and the block changed anything. Nothing is kept, so that a block may
be played anywhere, twice, or again after its worker was lost.
"""

from __future__ import annotations

import pickle
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.cluster.bad_lines import sound
from thresher.cluster.shard_task import Reading, Seen, played
from thresher.cluster.shards import Shard
from thresher.errors import ThresherError
from thresher.learners.base.conservative import Conservative
from thresher.learners.base.rounds import Rounds
from thresher.models.chunk_learner import ChunkLearner
from thresher.records import record
from thresher.streams.batch import Batch
from thresher.streams.chunk import Chunk

Counts = tuple[int, int, int, int]


@record(kw_only=True)
class Played(Seen):
    """What became of a shard that a copy of the learner played."""

    #: The rows that changed the copy, and their rounds, counted from the shard's first.
    changes: Batch
    rounds: NDArray[np.int64]
    #: What the shard adds: rounds, false negatives, false positives, scores settled exactly.
    counts: Counts
    seconds: float

    @property
    def mistakes(self) -> int:
        """Rounds in which the prediction was wrong."""
        return self.counts[1] + self.counts[2]

    @property
    def n_bytes_sent(self) -> int:
        """About what it takes to send the rows."""
        names = 0 if self.names is None else sum(a.nbytes for a in self.names.values())
        return self.changes.nbytes + self.rounds.nbytes + names


class _Noting(ChunkLearner):
    """Learns from chunks, and takes note of the rows that changed the learner."""

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        self.changes: list[Batch] = []
        self.rounds: list[NDArray[np.int64]] = []

    def _keep_names(self, chunk: Chunk, at: NDArray[np.int64], rounds: Rounds) -> None:
        super()._keep_names(chunk, at, rounds)
        learner = self.learner
        assert isinstance(learner, Conservative)
        changed = np.flatnonzero(learner.changed_in(rounds))
        if len(changed):
            batch = self._stream.batch(chunk, weighted=self._weighted)
            self.changes.append(batch.taken(at[changed]))
            self.rounds.append(changed + (learner.n_rounds - len(rounds)))


def play_block(
    reading: Reading, shards: tuple[Shard, ...], packed: bytes
) -> list[Played | ThresherError]:
    """Play shards one after another, with a learner that was pickled.

    What is wrong with the data is the last of the results.
    """
    learner: Conservative = pickle.loads(packed)
    found: list[Played | ThresherError] = []
    for shard in shards:
        found.append(sound(shard, _played, reading, shard, learner))
        if isinstance(found[-1], ThresherError):
            break
    return found


def _played(reading: Reading, shard: Shard, learner: Conservative) -> Played:
    clock, before = perf_counter(), learner.counts
    noted, seen = played(reading, shard, learner, _Noting)
    made = zip(learner.counts, before, strict=True)
    rounds, negatives, positives, close = (now - then for now, then in made)
    return Played(
        changes=Batch.joined(noted.changes),
        rounds=np.concatenate([np.empty(0, np.int64), *noted.rounds]) - before[0],
        counts=(rounds, negatives, positives, close),
        seconds=perf_counter() - clock,
        **seen,
    )

"""What a worker does with a block: play its shards with a copy, and send what changed the copy.

Whoever asked knows whether the copy was the learner that the block deserved: it was if no row
between the state that was sent and the block changed anything. Nothing is kept, so that a block may
be played anywhere, twice, or again after its worker was lost.
"""

from __future__ import annotations

import pickle
from contextlib import closing
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.addresses import shown
from thresher.cluster.bad_lines import BadLinesFound, BadLinesOfShard, with_true_line
from thresher.cluster.shard_task import Reading, require_whole
from thresher.cluster.shards import Shard
from thresher.errors import SourceError, ThresherError
from thresher.learners.base.conservative import Conservative
from thresher.learners.base.rounds import Rounds
from thresher.models.chunk_learner import ChunkLearner
from thresher.models.model import Model
from thresher.models.progress import Progress
from thresher.names.kept import KeptNames
from thresher.records import record
from thresher.streams.batch import Batch
from thresher.streams.chunk import Chunk
from thresher.streams.reading import Stream

Counts = tuple[int, int, int, int]


@record(kw_only=True)
class Played:
    """What became of a shard that a copy of the learner played."""

    #: The rows that changed the copy, and their rounds, counted from the shard's first.
    changes: Batch
    rounds: NDArray[np.int64]
    #: What the shard adds: rounds, false negatives, false positives, scores settled exactly.
    counts: Counts
    #: Of each piece: rows, bytes and digest as stored.
    rows: tuple[int, ...]
    n_bytes: tuple[int, ...]
    digests: tuple[str, ...]
    #: Labels in order of appearance, and what counts as -1 if only the rows could tell.
    label_names: tuple[str, ...]
    negative: str | None
    bad: BadLinesFound
    #: The names behind hashed columns, as `KeptNames.to_arrays` has them.
    names: dict[str, NDArray[Any]] | None
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

    def __init__(self, model: Model, stream: Stream, *, weighted: bool) -> None:
        learner = model.learner
        progress = Progress(learner.n_rounds, learner.mistakes, None)
        given: dict[str, Any] = {"claim": None, "weighted": weighted, "chosen": True}
        super().__init__(model, stream, progress, None, **given)
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

    What is wrong with the data is the last of the results: to try again would find the same. What
    is wrong with a disk or a network is raised, and tried again.
    """
    learner: Conservative = pickle.loads(packed)
    found: list[Played | ThresherError] = []
    for shard in shards:
        try:
            found.append(_played(reading, shard, learner))
        except SourceError:
            raise
        except ThresherError as error:
            found.append(with_true_line(error, shard))
            break
    return found


def _played(reading: Reading, shard: Shard, learner: Conservative) -> Played:
    clock, before = perf_counter(), learner.counts
    model = Model(learner=learner, recipe=reading.recipe)
    model.kept = KeptNames(model.name_table, recipe=reading.recipe)
    rows = dict.fromkeys((shown(piece.path) for piece in shard.pieces), 0)
    with reading.stream(shard, learner) as stream:
        lessons = _Noting(model, stream, weighted=not reading.ignore_importance)
        with closing(stream.chunks()) as chunks:
            for chunk in chunks:
                rows[chunk.file] += len(chunk.rows)
                for _ in lessons.learn(chunk, 0, ("-1", "+1")):
                    pass
    require_whole(shard, stream)
    scheme, bad = stream.scheme, stream.bad
    assert scheme is not None
    assert isinstance(bad, BadLinesOfShard)
    made = zip(learner.counts, before, strict=True)
    rounds, negatives, positives, close = (now - then for now, then in made)
    return Played(
        changes=Batch.joined(lessons.changes),
        rounds=np.concatenate([np.empty(0, np.int64), *lessons.rounds]) - before[0],
        counts=(rounds, negatives, positives, close),
        rows=tuple(rows.values()),
        n_bytes=tuple(source.n_bytes for source in stream.sources),
        digests=tuple(source.digest for source in stream.sources),
        label_names=tuple(stream.label_names),
        negative=scheme.negative,
        bad=bad.found_in(shard),
        names=model.kept.to_arrays() if len(model.kept) else None,
        seconds=perf_counter() - clock,
    )

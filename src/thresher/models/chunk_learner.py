"""ChunkLearner: what becomes of a chunk of rows: learned, held out, counted, its names kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StreamFaultError
from thresher.models.events import MuchMemory, PointReached, Refuted
from thresher.models.multiclass import ClassNames, RoomForClasses

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.learners.base.rounds import Rounds
    from thresher.models.holdout import Holdout
    from thresher.models.model import Model
    from thresher.models.progress import Progress
    from thresher.models.run_record import RunRecord
    from thresher.streams.batch import Batch
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream
    from thresher.theory import Concept


class ChunkLearner:
    """The learner of a model, at work on the chunks of a stream.

    Parameters
    ----------
    model
        Whose learner learns, and whose table keeps the names of rows that changed it.
    stream
        Where the chunks come from; its labels have a meaning by now.
    progress, holdout
        What counts mistakes, and what takes some of the rows away.
    claim
        What is believed of the stream, until it is refuted.
    weighted
        Whether rows count as much as they say.
    chosen
        Whether somebody chose the learner, and so the memory that it takes.
    """

    def __init__(
        self,
        model: Model,
        stream: Stream,
        progress: Progress,
        holdout: Holdout | None,
        *,
        claim: Concept | None,
        weighted: bool,
        chosen: bool,
    ) -> None:
        self.learner, self._kept = model.learner, model.kept
        self._only_on_mistakes = self.learner.changes_only_on_mistakes
        self._stream = stream
        self._progress, self._holdout = progress, holdout
        self._claim = claim
        self._weighted = weighted
        #: Who takes note of every round, for a report.
        self.record: RunRecord | None = None
        self._called = ClassNames(self.learner)
        self._room = RoomForClasses(self.learner, chosen=chosen)

    def learn(
        self, chunk: Chunk, seen: int, names: tuple[str, ...]
    ) -> Iterator[MuchMemory | PointReached | Refuted]:
        """Learn from the rows of a chunk after the first `seen`.

        `names` says what the labels -1 and +1 are called.
        """
        if seen and self._holdout is not None:
            self._holdout.pass_over(self._called(self._stream.batch(chunk))[:seen])
        if seen == len(chunk.rows):
            return
        known = max(len(self._stream.label_names), len(self.learner.classes))
        if much := self._room.check(known):
            yield much
        batch = self._called(self._stream.batch(chunk, weighted=self._weighted))
        if self.record is not None:
            self.record.keep(batch)
        if seen:
            batch = batch[seen:]
        if self._holdout is None:
            yield from self._play(chunk, batch, np.arange(seen, seen + len(batch)), names)
            return
        for part, rows in self._holdout.parts(batch, self.learner):
            self._progress.holdout_error = self._holdout.latest_error
            yield from self._play(chunk, part, rows + seen, names)

    def _play(
        self, chunk: Chunk, batch: Batch, at: NDArray[np.int64], names: tuple[str, ...]
    ) -> Iterator[PointReached | Refuted]:
        """Play rounds on a batch, the rows `at` of a chunk, and take note of them."""
        require_place_for_importance(self.learner, chunk, batch, at)
        arguments: dict[str, Any] = {} if self._claim is None else {"claim": self._claim}
        with chunk.blaming_lines(at):
            rounds = self.learner.learn(batch, **arguments)
        if rounds.refuted_at is not None:
            # A claim is refuted once; to judge it again would only search for the same round.
            self._claim = None
        if self.record is not None:
            self.record.played(self.learner, rounds, chunk, at)
        yield from self._progress.observe(rounds, batch, names)
        self._keep_names(chunk, at, rounds)

    def _keep_names(self, chunk: Chunk, at: NDArray[np.int64], rounds: Rounds) -> None:
        """Keep the names of the rows that may have changed the learner."""
        if self._kept is None or not self._kept.takes(self._stream.reader, chunk):
            return
        changed = at
        if self._only_on_mistakes:
            changed = at[rounds.mistaken]
        elif rounds.changed is not None:
            changed = at[rounds.changed]
        if len(changed):
            updated = np.zeros(len(chunk.rows), bool)
            updated[changed] = True
            self._kept.add_rows(self._stream.reader, chunk, updated)


def require_place_for_importance(
    learner: Learner, chunk: Chunk, batch: Batch, at: NDArray[np.int64]
) -> None:
    """Refuse rows `at` of a chunk that weigh more or less than others, if nothing comes of it."""
    weight = batch.importance
    if weight is None or learner.takes_importance:
        return
    row = int(np.argmax(weight != 1.0))
    what = (
        f"{chunk.place(at[row])}: this row has importance {weight[row]:g}, and "
        f"{type(learner).__name__} gives every row the same."
    )
    remedy = "Take another learner, or ignore_importance=True."
    raise StreamFaultError(what, remedy, code="fault.importance")

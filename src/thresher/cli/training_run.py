"""A run of training: passes over a stream, chunk by chunk, until it ends or somebody stops it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.cli.holdout import Holdout
from thresher.cli.interruption import Interrupted, Interruption
from thresher.errors import StreamFaultError
from thresher.streams.sources.source import STDIN, STDIN_NAME

if TYPE_CHECKING:
    from thresher.cli.progress import Progress
    from thresher.names.kept import KeptNames
    from thresher.streams.batch import Batch
    from thresher.streams.chunk import Chunk
    from thresher.streams.named_batch import NamedBatch
    from thresher.streams.reading import Stream
    from thresher.theory import Concept


#: Learners whose weights change in no round in which they were right.
MISTAKE_DRIVEN = {
    "perceptron",
    "winnow",
    "balanced_winnow",
    "normalized_winnow",
    "signed_winnow",
    "elimination",
    "conjunction",
}


def only_on_mistakes(learner: Any) -> bool:
    """Whether a learner changes on mistakes alone; one with a thick margin does not."""
    return learner.name in MISTAKE_DRIVEN and not getattr(learner, "variations", ())


def keeps_own_count(learner: Any) -> bool:
    """Whether the rounds of a learner say in which of them it changed: one for all classes."""
    return hasattr(learner, "predict_top") and "learner" not in learner.parameters


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is to do."""

    passes: int = 1
    #: Rows, counted over all passes, that an earlier run has seen.
    skip: int = 0
    #: Save at the first chunk after so many rows; None: only in the end.
    save_every: int | None = None
    ignore_importance: bool = False


@dataclass(slots=True)
class TrainingRun:
    """Learner and counters of a run."""

    learner: Any
    plan: Plan
    progress: Progress
    #: Called when the labels have a meaning, for the rows of a chunk, when the state is to be
    #: written down, and with the round in which the claim fell.
    begin: Callable[[], None]
    rows_of_chunk: Callable[[Chunk], Batch | NamedBatch]
    save: Callable[[], None]
    alarm: Callable[[int], None]
    kept: KeptNames | None = None
    holdout: Holdout | None = None
    claim: Concept | None = None
    interruption: Interruption = field(default_factory=Interruption)
    #: Rows seen in all passes, the skipped ones included; rows of each file.
    rows: int = 0
    rows_of: dict[str, int] = field(default_factory=dict)
    #: How often each file was learned from to its end.
    passes_over: dict[str, int] = field(default_factory=dict)
    #: The pass under way, from 1; error on the rows held out, pass by pass.
    number: int = 0
    holdout_errors: list[float | None] = field(default_factory=list)
    refuted_at: int | None = None
    finished: bool = False
    _saved_at: int = 0
    _format: object = None
    _only_on_mistakes: bool = False

    def play(self, stream: Stream) -> None:
        """All passes; a wish to stop ends the run between two chunks."""
        self._saved_at = self.plan.skip
        self._format = stream.scanner
        self._only_on_mistakes = only_on_mistakes(self.learner)
        with self.interruption.listening():
            try:
                for number in range(1, self.plan.passes + 1):
                    self.number = number
                    self._pass(stream)
                self.finished = True
            except Interrupted:
                self.finished = False
            finally:
                self.progress.clear()

    def _pass(self, stream: Stream) -> None:
        if self.holdout is not None:
            self.holdout.start_pass()
        file: str | None = None
        one, behind = stream.total_bytes, self.number - 1
        whole = None if one is None else one * self.plan.passes
        with closing(stream.chunks()) as chunks:
            for chunk in self._arriving(chunks):
                if not self.rows_of:
                    self.begin()
                if file not in (None, chunk.file):
                    self.passes_over[file] = self.number
                file = chunk.file
                self._take(chunk)
                self.progress.live((one or 0) * behind + chunk.position, whole)
                if self.plan.save_every and self.rows - self._saved_at >= self.plan.save_every:
                    self.save()
                    self._saved_at = self.rows
        self.progress.clear()
        for path in stream.paths:
            self.passes_over[STDIN_NAME if path == STDIN else path] = self.number
        if self.holdout is not None:
            self.holdout_errors.append(self.holdout.finish_pass(self.learner))

    def _arriving(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        while True:
            with self.interruption.while_waiting():
                chunk = next(chunks, None)
            if chunk is None:
                return
            yield chunk

    def _take(self, chunk: Chunk) -> None:
        """Learn from a chunk, or from what of it an earlier run has not seen."""
        n = len(chunk.rows)
        seen = min(n, max(0, self.plan.skip - self.rows))
        self.rows += n
        self.rows_of[chunk.file] = self.rows_of.get(chunk.file, 0) + n
        if self.holdout is not None:
            self.holdout.skip(seen)
        if seen == n:
            return
        batch: Any = self.rows_of_chunk(chunk)
        importance = None if self.plan.ignore_importance else chunk.importance
        if self.holdout is None:
            self._learn(chunk, batch[seen:] if seen else batch, np.arange(seen, n), importance)
            return
        for part, rows in self.holdout.parts(batch[seen:] if seen else batch, self.learner):
            if self.number > 1:
                # Until rows were predicted in this pass, what the last one found is the news.
                error = self.holdout.error
                self.progress.holdout_error = self.holdout_errors[-1] if error is None else error
            self._learn(chunk, part, rows + seen, importance)

    def _learn(
        self,
        chunk: Chunk,
        batch: Batch | NamedBatch,
        at: NDArray[np.int64],
        importance: NDArray[np.float64] | None,
    ) -> None:
        """Play rounds on rows `at` of a chunk, and take note of them."""
        arguments: dict[str, Any] = {} if self.claim is None else {"claim": self.claim}
        if importance is not None:
            arguments |= self._weighted(chunk, importance, at)
        with chunk.blaming_lines(at):
            rounds = self.learner.learn(batch, **arguments)
        self.progress.observe(rounds, batch, self._refuted)
        if self.kept is not None:
            self._keep_names(chunk, at, rounds)

    def _refuted(self, round_number: int) -> None:
        # A claim is refuted once; to judge it again would only search for the same round.
        self.refuted_at, self.claim = round_number, None
        self.progress.clear()
        self.alarm(round_number)

    def _keep_names(self, chunk: Chunk, at: NDArray[np.int64], rounds: Any) -> None:
        """Keep the names of the rows that may have changed the learner."""
        assert self.kept is not None
        changed = at
        if self._only_on_mistakes:
            changed = at[rounds.mistaken]
        elif keeps_own_count(self.learner):
            changed = at[rounds.changed]
        if len(changed):
            updated = np.zeros(len(chunk.rows), bool)
            updated[changed] = True
            self.kept.add_rows(self._format, chunk, updated)

    def _weighted(
        self, chunk: Chunk, importance: NDArray[np.float64], at: NDArray[np.int64]
    ) -> dict[str, Any]:
        """The weights of rows as an argument of `learn`, if the learner takes them."""
        if self.learner.takes_importance:
            return {"importance": importance[at]}
        odd = np.flatnonzero(importance[at] != 1.0)
        if not len(odd):
            return {}
        row = int(at[odd[0]])
        raise StreamFaultError(
            f"{chunk.file}:{int(chunk.line[row])}: this row has importance "
            f"{importance[row]:g}, and {type(self.learner).__name__} gives every row the same. "
            "Take another learner, or --ignore-importance."
        )

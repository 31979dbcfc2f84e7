"""A run on a cluster that learns what one machine would, to the bit, by playing blocks ahead.

Workers play blocks of shards with copies of the learner. A block counts if the blocks before it
changed nothing, for then its copy was the learner itself; so does the first block that changed
something, and whatever was played behind it is played again. What counts is applied here, in order.
"""

from __future__ import annotations

import pickle
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from numpy.typing import NDArray

from thresher import __version__
from thresher.cluster.bad_lines import account
from thresher.cluster.beginning import reading_of, refuse_what_is_for_one_machine, settled
from thresher.cluster.block_task import Played, play_block
from thresher.cluster.engine import checked_deadline
from thresher.cluster.events import EpochFinished, ShardLearned, ShardsCut
from thresher.cluster.labels import labels_of, said_of_labels
from thresher.cluster.pace import Pace
from thresher.cluster.shard_task import names_of_all
from thresher.cluster.shards import MOST_BLOCKS, USUAL_BLOCK, Shard, cut
from thresher.cluster.shards_seen import ShardsSeen
from thresher.cluster.training import DEADLINE, ClusterEvent
from thresher.errors import (
    ClusterError,
    RequestError,
    ResumeError,
    SourceError,
    StateError,
    ThresherError,
)
from thresher.learners.base.conservative import Conservative
from thresher.models.events import Finished, LabelsDecided, Saved, Stopped, Warned
from thresher.models.file import save_model
from thresher.models.history import Training
from thresher.models.opening import bad_line_policy
from thresher.models.stopping import Interrupted, Stoppable
from thresher.streams.sources.source import stored_size

if TYPE_CHECKING:
    from thresher.cluster.engine import Engine
    from thresher.learners.base.learner import Learner
    from thresher.models.history import Source
    from thresher.models.model import Model
    from thresher.models.training_request import TrainingRequest

#: On the way a run is saved after so many seconds.
SAVE_AFTER = 60.0


class Plans(Protocol):
    """Decides how far ahead workers play: see `Pace`."""

    def plan(self, workers: int, left: int) -> list[int]:
        """How many shards each task of the next wave has."""

    def note(self, shards: int, changed: int, seconds: float, waited: float) -> None:
        """Take note of a wave."""


class Labels(NamedTuple):
    """What a shard saw of labels."""

    label_names: tuple[str, ...]
    negative: str | None


class ExactTraining(Stoppable):
    """One run: whoever iterates over it makes it happen, and hears of it event by event.

    Parameters
    ----------
    request
        What is asked for.
    engine
        Who runs the tasks.
    n_shards
        How many shards, of which blocks are made; None: one for 16 MiB, and 8,192 at most. The
        history of the model names them, and nothing else depends on it.
    deadline
        How many seconds a pass may take.
    pace
        Who decides how far ahead workers play.
    """

    def __init__(
        self,
        request: TrainingRequest,
        engine: Engine,
        *,
        n_shards: int | None = None,
        deadline: float = DEADLINE,
        pace: Plans | None = None,
    ) -> None:
        refuse_what_is_for_one_machine(request)
        self._workers, self._pace = engine, pace or Pace()
        self._deadline = checked_deadline(deadline)
        self.request, self._model, scheme, noticed = settled(request, engine, require_conservative)
        self._reading = reading_of(self.request, self._model.recipe, scheme)
        total = sum(stored_size(path) or 0 for path in self.request.data.paths)
        parts = self._parts(n_shards, total)
        self.shards = cut(self.request.data.paths, self._model.recipe, parts)
        self._seen = ShardsSeen(self.shards)
        self._before, self._command = self._model.history, self.request.command
        self._labels: list[Labels] = []
        #: The names behind hashed columns of shards, or of rows, that no table has yet.
        self._names: list[dict[str, NDArray[Any]]] = []
        last = self._before[-1] if self._before else None
        if self.request.resume is not None and last is not None and not last.finished:
            self._take_up(last, str(self.request.resume))
        #: Of each pass of this run, the mistakes of each shard.
        self.mistakes: list[list[int]] = []
        #: How often workers were sent a state and waited for; tasks, and how many of them were
        #: played in vain; rows that changed the learner.
        self.syncs = self.blocks = self.in_vain = self.changes = 0
        #: Bytes that went to workers and came back in this pass.
        self._bytes = [0, 0]
        self.bad = bad_line_policy(self.request.data)
        for remark in noticed:
            self.bad.remark(remark)
        self.finished = False
        self._saved_at = monotonic()
        self._running = self._events()

    def _parts(self, n_shards: int | None, total: int) -> int:
        """How many parts files of so many bytes are cut into."""
        usual = min(MOST_BLOCKS, max(1, -(-total // USUAL_BLOCK)))
        return usual if n_shards is None else n_shards

    @property
    def learner(self) -> Conservative:
        """The learner as it is behind the shards that count."""
        learner = self._model.learner
        assert isinstance(learner, Conservative)
        return learner

    @property
    def learned(self) -> bool:
        """Whether there is something to show for it."""
        return bool(self._seen.passes or self._seen.done)

    @property
    def model(self) -> Model:
        """The model as it is behind the shards that count."""
        now = Training(
            command=self._command,
            version=__version__,
            sources=self._sources(),
            finished=self.finished,
            **({} if self.finished else self._interrupted()),
        )
        labels, kept = labels_of(self._reading.labels, self._labels), self._model.kept
        if kept is not None and self._names:
            # All at once: to go through the table for every shard would take longer than to learn.
            kept = names_of_all(kept, self._names, self._reading.recipe)
            self._model, self._names = replace(self._model, kept=kept), []
        return replace(self._model, labels=labels, history=(*self._before, now))

    def _sources(self) -> tuple[Source, ...]:
        return self._seen.sources

    def _interrupted(self) -> dict[str, Any]:
        """What whoever goes on must know beside the model: fields of `Training`."""
        scheme = self._reading.labels
        if not scheme.rest:
            return {}
        seen = dict.fromkeys(name for one in self._labels for name in one.label_names)
        others = [name for name in seen if name != scheme.positive]
        # Two others are as good as many: then what counts as -1 has no name.
        return {"labels_seen": (*(name for name in seen if name == scheme.positive), *others[:2])}

    def __iter__(self) -> Iterator[ClusterEvent]:
        return self._running

    def _events(self) -> Iterator[ClusterEvent]:
        yield ShardsCut(
            self.request.data.shown_paths,
            str(self._reading.recipe.format),
            len(self.shards),
            sum(shard.n_bytes for shard in self.shards),
            self._seen.passes,
        )
        yield LabelsDecided(False, None)
        try:
            yield from self._passes()
            self.finished = True
        except Interrupted:
            if self.learned:
                yield from self._save()
            yield Stopped(self.learner.n_rounds, self.learned)
            return
        yield from self._save()
        for remark in self.bad.remarks():
            yield Warned(remark)
        yield from said_of_labels(self.request, self._reading.labels, self._labels)
        yield Finished(self.learner.n_rounds)

    def _passes(self) -> Iterator[ClusterEvent]:
        while self._seen.passes < self.request.passes:
            yield from self._pass()

    def _save(self) -> Iterator[ClusterEvent]:
        path = self.request.save_to
        if path is not None:
            save_model(self.model, path, journal=self.request.journal is not False)
            self._saved_at = monotonic()
            yield Saved(path, self.learner.n_rounds)

    # ---- a pass ----------------------------------------------------------------------------

    def _pass(self) -> Iterator[ClusterEvent]:
        clock, until = perf_counter(), monotonic() + self._deadline
        number, rounds = self._seen.passes + 1, self.learner.n_rounds
        self.mistakes.append([])
        self._bytes = [0, 0]
        while self._seen.passes < number:
            if self._stopping:
                raise Interrupted
            yield from self._wave(number, until)
            if self._seen.passes < number and monotonic() - self._saved_at > SAVE_AFTER:
                yield from self._save()
        if not self.learner.n_rounds:
            raise SourceError(self.request.data.named, "there is not a single row to learn from")
        rows, wrong = self.learner.n_rounds - rounds, tuple(self.mistakes[-1])
        out, back = self._bytes
        yield EpochFinished(number, rows, wrong, out, back, perf_counter() - clock)
        if number < self.request.passes:
            yield from self._save()

    def _wave(self, number: int, until: float) -> Iterator[ClusterEvent]:
        """Let workers play ahead until something changes, or all of it counts."""
        clock, at = monotonic(), self._seen.done
        blocks, sizes = [], self._pace.plan(self._workers.width, len(self.shards) - at)
        for size in sizes:
            blocks.append(self.shards[at : at + size])
            at += size
        packed = pickle.dumps(self.learner.without_journal(), protocol=5)
        tasks = [
            self._workers.submit(_named(number, block), play_block, self._reading, block, packed)
            for block in blocks
        ]
        self.syncs, self._bytes[0] = self.syncs + 1, self._bytes[0] + len(packed) * len(tasks)
        changes, reading, shards = self.changes, self._reading, 0
        seconds: list[float] = []
        with closing(self._in_order(tasks, until)) as results:
            for played in results:
                yield from self._count(played, number)
                shards += len(played)
                seconds.append(sum(one.seconds for one in played if isinstance(one, Played)))
                # What was played behind it began with another learner, or took labels otherwise.
                if self.changes > changes or self._reading is not reading:
                    break
        self.blocks, self.in_vain = (
            self.blocks + len(seconds),
            self.in_vain + len(tasks) - len(seconds),
        )
        waited = monotonic() - clock - max(seconds)
        self._pace.note(shards, self.changes - changes, sum(seconds), waited)

    def _in_order(self, tasks: Sequence[Any], until: float) -> Generator[Any, None, None]:
        """What became of each task, in the order of the data."""
        early: dict[int, Any] = {}
        results = self._workers.gather(tasks, max(0.0, until - monotonic()))
        try:
            for place in range(len(tasks)):
                while place not in early:
                    self.waiting = True
                    try:
                        done, result = next(results)
                    finally:
                        self.waiting = False
                    early[done] = result
                yield early.pop(place)
        finally:
            # An engine that is told so takes back what is not done.
            close = getattr(results, "close", None)
            if close is not None:
                close()

    def _count(self, block: list[Played | ThresherError], number: int) -> Iterator[ClusterEvent]:
        """Let a block count: its copy was the learner, or it is now."""
        for played in block:
            place = self._seen.done
            shard = self.shards[place]
            if isinstance(played, ThresherError):
                told = vars(played) | {"fields": played.fields | {"shard": shard.number}}
                raise type(played)._bare(played.args, told)
            self._seen.take(played)
            self._apply(played, shard)
            self._note_labels(played)
            if number == 1:
                account(self.bad, [played.bad])
            if played.names is not None:
                self._names.append(played.names)
            self.changes += len(played.rounds)
            self._bytes[1] += played.n_bytes_sent
            self.mistakes[-1].append(played.mistakes)
            rows = played.counts[0]
            yield ShardLearned(number, place, rows, played.mistakes, place + 1, len(self.shards))

    def _apply(self, played: Played, shard: Shard) -> None:
        """Do here what a shard did to its copy."""
        learner = self.learner
        before = learner.counts
        rounds, *wrong = (a + b for a, b in zip(before, played.counts, strict=True))
        try:
            learner.learn_changes(
                played.changes, played.rounds + before[0], (rounds, wrong[0], wrong[1], wrong[2])
            )
        except StateError as error:
            raise ClusterError(
                f"{shard}: a worker and this machine compute different numbers: {error}",
                "Processors or C libraries may differ: let all of them be of one kind.",
                code="cluster.other_numbers",
            ) from error

    def _note_labels(self, played: Played) -> None:
        seen = Labels(played.label_names, played.negative)
        if seen not in self._labels:
            self._labels.append(seen)
        scheme = self._reading.labels
        if not scheme.rest and scheme.negative is None and played.negative is not None:
            self._reading = replace(self._reading, labels=replace(scheme, negative=seen.negative))

    # ---- going on --------------------------------------------------------------------------

    def _take_up(self, last: Training, path: str) -> None:
        """Go on where a run was interrupted."""
        self._seen.take_up(() if last.shards is not None else last.sources, path)
        self._before, self._command = self._before[:-1], last.command
        if last.labels_seen is not None:
            self._labels = [Labels(last.labels_seen, None)]
        if self._seen.passes + (self._seen.done > 0) > self.request.passes:
            raise ResumeError(
                f"{path} has learned for {self._seen.passes} passes, and {self.request.passes} "
                "are asked for."
            )


def _named(number: int, block: Sequence[Shard]) -> str:
    first, last = str(block[0]), str(block[-1])
    return f"pass {number}, {first if first == last else f'{first} to {last}'}"


def require_conservative(learner: Learner) -> None:
    """Refuse a learner that may change in any round: nobody could play ahead of it."""
    names = learner.name_table
    if learner.conservative and names is not None and names.hashed and not names.growing:
        return
    why = "it may change in any round"
    if learner.conservative:
        why = "its columns are given out in the order of the stream"
    raise RequestError(
        f"{learner.plain_name} cannot be played ahead on a cluster: {why}.",
        "Perceptron, p-norm Perceptron, Winnow and its balanced, normalised and signed forms, "
        "elimination and conjunction can, without average and literals.",
        code="request.not_conservative",
        learner=learner.plain_name,
    )

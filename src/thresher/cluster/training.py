"""A run of training on a cluster: epochs in which shards learn apart and are then combined."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any

from thresher import __version__
from thresher.addresses import absolute
from thresher.cluster.bad_lines import account
from thresher.cluster.beginning import reading_of, refuse_what_is_for_one_machine, settled
from thresher.cluster.engine import checked_deadline, unpacked_for
from thresher.cluster.events import EpochFinished, RoundFinished, ShardLearned, ShardsCut
from thresher.cluster.hindsight import Measured, allowed, question_for
from thresher.cluster.labels import labels_of, said_of_labels
from thresher.cluster.mixing import mixed
from thresher.cluster.shard_task import Learned, learn_shard, names_of_all
from thresher.cluster.shards import Shard, cut
from thresher.errors import (
    ClusterError,
    RequestError,
    ResumeError,
    SourceError,
    ThresherError,
)
from thresher.models.events import (
    Finished,
    LabelNeverSeen,
    LabelsDecided,
    Saved,
    Stopped,
    Warned,
)
from thresher.models.file import save_model
from thresher.models.history import Shards, Source, Training
from thresher.models.opening import bad_line_policy
from thresher.models.stopping import Interrupted, Stoppable

if TYPE_CHECKING:
    from thresher.cluster.engine import Engine
    from thresher.learners.base.learner import Learner
    from thresher.models.model import Model
    from thresher.models.training_request import TrainingRequest
    from thresher.theory.mixing import MixingWithLosses

#: How long an epoch may take, in seconds, unless it is said.
DEADLINE = 3600.0
ClusterEvent = (
    ShardsCut
    | LabelsDecided
    | ShardLearned
    | RoundFinished
    | EpochFinished
    | Saved
    | LabelNeverSeen
    | Warned
    | Finished
    | Stopped
)


class ClusterTraining(Stoppable):
    """One run: whoever iterates over it makes it happen, and hears of it event by event.

    Parameters
    ----------
    request
        What is asked for; its passes are the epochs. After each the model is saved, if that is
        asked for, so that a later run can go on from there.
    engine
        Who runs the tasks.
    n_shards
        How many shards; None: as the size of the files says. The model depends on it.
    deadline
        How many seconds an epoch may take.
    """

    def __init__(
        self,
        request: TrainingRequest,
        engine: Engine,
        *,
        n_shards: int | None = None,
        deadline: float = DEADLINE,
    ) -> None:
        self._workers, self._deadline = engine, checked_deadline(deadline)
        self.request, self._model, scheme, noticed = settled(
            _checked(request), engine, lambda learner: learner.shared_numbers(), several=True
        )
        #: Why this learner, where nobody chose one.
        self._why = None
        if request.resume is None:
            self._why = self.request.arrangement.why(self.learner)
        self._reading = reading_of(self.request, self._model.recipe, scheme)
        self.shards = cut(self.request.data.paths, self._model.recipe, n_shards)
        self._before = self._model.history
        #: Of each epoch, the mistakes of each shard; of the last one, what the shards found.
        self.mistakes: list[tuple[int, ...]] = []
        self._last: list[Learned] = []
        self._sources: tuple[Source, ...] = ()
        self._command = self.request.command
        if self.request.resume is not None:
            self._take_up(str(self.request.resume))
        #: How many mistakes all shards in all epochs may make, by the theorem for mixing; known
        #: after the last of several epochs, for the learners of which it speaks.
        self.theorem: MixingWithLosses | None = None
        self.bad = bad_line_policy(self.request.data)
        for remark in noticed:
            self.bad.remark(remark)
        self.finished = False
        self._running = self._events()

    @property
    def learner(self) -> Learner:
        """The learner after the last epoch that all shards have finished."""
        return self._model.learner

    @property
    def _fresh(self) -> bool:
        """Whether the learner knew nothing before: then a theorem may speak of its mistakes."""
        seen = sum(source.rows for source in self._sources)
        return not self._before and self.learner.n_rounds == seen

    @property
    def learned(self) -> bool:
        """Whether there is something to show for it."""
        return bool(self.mistakes)

    @property
    def model(self) -> Model:
        """The model after the last epoch that all shards have finished."""
        pieces = tuple(len(shard.pieces) for shard in self.shards)
        rounds = tuple(sum(one.rows) for one in self._last) or (0,) * len(pieces)
        now = Training(
            command=self._command,
            version=__version__,
            sources=self._sources,
            finished=self.finished,
            shards=Shards(sources=pieces, rounds=rounds, mistakes=tuple(self.mistakes)),
        )
        return replace(self._model, labels=self._reading.labels, history=(*self._before, now))

    def __iter__(self) -> Iterator[ClusterEvent]:
        return self._running

    def _events(self) -> Iterator[ClusterEvent]:
        request = self.request
        n_bytes = sum(shard.n_bytes for shard in self.shards)
        yield ShardsCut(
            self.request.data.shown_paths,
            str(self._reading.recipe.format),
            len(self.shards),
            n_bytes,
            len(self.mistakes),
        )
        yield LabelsDecided(self.learner.several, self._why)
        try:
            for epoch in range(len(self.mistakes) + 1, request.passes + 1):
                if self._stopping:
                    raise Interrupted
                yield from self._epoch(epoch)
                self.finished = epoch == request.passes
                if request.save_to is not None:
                    save_model(self.model, request.save_to)
                    yield Saved(request.save_to, self.learner.n_rounds)
            self.finished = True
        except Interrupted:
            yield Stopped(self.learner.n_rounds, self.learned)
            return
        for remark in self.bad.remarks():
            yield Warned(remark)
        yield from said_of_labels(self.request, self._reading.labels, self._last)
        yield Finished(self.learner.n_rounds)

    # ---- an epoch --------------------------------------------------------------------------

    def _epoch(self, epoch: int) -> Iterator[ClusterEvent]:
        clock = perf_counter()
        packed = pickle.dumps(self.learner, protocol=5)
        engine, n = self._workers, len(self.shards)
        states = unpacked_for(engine, f"the state of epoch {epoch}", packed, n)
        began, question = self.learner, None
        if epoch > 1 and epoch == self.request.passes and self._fresh:
            question = question_for(began)
        work = learn_shard, self._reading
        tasks = [
            engine.submit(f"epoch {epoch}, {shard}", *work, shard, state, question)
            for shard, state in zip(self.shards, states, strict=True)
        ]
        found: list[Any] = [None] * n
        self.waiting = True
        try:
            # Perhaps while workers were started.
            if self._stopping:
                raise Interrupted
            for done, (place, result) in enumerate(engine.gather(tasks, self._deadline), 1):
                found[place] = result
                if isinstance(result, Learned):
                    rows, mistakes = sum(result.rows), result.change.mistakes
                    yield ShardLearned(epoch, place, rows, mistakes, done, n)
        finally:
            self.waiting = False
        results = self._sound(found)
        self._take(results, epoch)
        if question is not None:
            measured = Measured.of_all(one.measured for one in results if one.measured is not None)
            self.theorem = allowed(began, question, measured, n, epoch)
        back = sum(result.change.n_bytes for result in results)
        rows = sum(sum(result.rows) for result in results)
        seconds = perf_counter() - clock
        yield EpochFinished(epoch, rows, self.mistakes[-1], len(packed), back, seconds)

    def _sound(self, found: list[Any]) -> list[Learned]:
        """The results; the error of the first shard that has one, whichever came first."""
        for shard, result in zip(self.shards, found, strict=True):
            if isinstance(result, ThresherError):
                told = vars(result) | {"fields": result.fields | {"shard": shard.number}}
                raise type(result)._bare(result.args, told)
        results: list[Learned] = found
        if not any(sum(result.rows) for result in results):
            where = self.request.data.named
            raise SourceError(where, "there is not a single row to learn from")
        return results

    def _take(self, results: list[Learned], epoch: int) -> None:
        """Combine what the shards have learned."""
        if epoch == 1:
            account(self.bad, (result.bad for result in results))
        sources = _sources(self.shards, results, epoch)
        for old, new in zip(self._sources, sources, strict=bool(self._sources)):
            if old.digest != new.digest:
                raise ClusterError(
                    f"{new.name}: its bytes are not those of the epoch before.",
                    "A file must not change while it is learned from: train again.",
                    code="cluster.changed",
                )
        shared = mixed(self.learner.shared_numbers(), [result.change for result in results])
        reading = self._reading
        self._reading = replace(reading, labels=labels_of(reading.labels, results))
        kept = self._model.kept
        if kept is not None:
            kept = names_of_all(kept, [result.names for result in results], reading.recipe)
        learner = self.learner.with_shared(shared)
        self._model = replace(self._model, learner=learner, kept=kept)
        self._sources, self._last = sources, results
        self.mistakes.append(tuple(result.change.mistakes for result in results))

    # ---- going on --------------------------------------------------------------------------

    def _take_up(self, path: str) -> None:
        """Go on where a run was interrupted, if the model comes from one."""
        last = self._before[-1] if self._before else None
        if last is None or last.finished:
            return
        if last.search is not None:
            raise ResumeError(
                f"{path} was interrupted while it searched for counter-examples.",
                "Go on in that mode, with the same data and as many shards.",
                code="resume.other_mode",
            )
        if last.shards is None:
            return
        # Other workers may need absolute names.
        names = [absolute(str(p)) for shard in self.shards for p in shard.pieces]
        pieces = tuple(len(shard.pieces) for shard in self.shards)
        before = [absolute(source.name) for source in last.sources]
        if before != names or last.shards.sources != pieces:
            raise ResumeError(
                f"{path} was interrupted while it learned from {len(last.shards.sources)} shards "
                f"of {', '.join(dict.fromkeys(s.name.partition('[')[0] for s in last.sources))}.",
                "Give the same data and as many shards.",
                code="resume.other_shards",
                shards=len(last.shards.sources),
            )
        self._before, self._command = self._before[:-1], last.command
        self._sources, self.mistakes = last.sources, list(last.shards.mistakes)
        if len(self.mistakes) > self.request.passes:
            raise ResumeError(
                f"{path} has learned for {len(self.mistakes)} epochs, and {self.request.passes} "
                "are asked for."
            )


def _checked(request: TrainingRequest) -> TrainingRequest:
    """The request without a journal, if nothing is asked for that only one machine can do."""
    refuse_what_is_for_one_machine(request)
    if request.journal:
        raise RequestError(
            "journal=True is for training on one machine: no journal rebuilds a learner that was "
            "combined.",
            code="request.not_on_a_cluster",
            name="journal",
        )
    return replace(request, journal=False)


def _sources(shards: tuple[Shard, ...], results: list[Learned], epochs: int) -> tuple[Source, ...]:
    """What was read, piece by piece."""
    found = []
    for shard, result in zip(shards, results, strict=True):
        seen = zip(shard.pieces, result.rows, result.n_bytes, result.digests, strict=True)
        for piece, rows, n_bytes, digest in seen:
            algorithm, _, value = digest.partition(":")
            known: dict[str, Any] = {algorithm: value}
            source = Source(
                name=str(piece), rows=rows * epochs, n_bytes=n_bytes, passes=epochs, **known
            )
            found.append(source)
    return tuple(found)

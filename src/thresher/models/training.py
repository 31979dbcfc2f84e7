"""A run of training: passes over a stream, chunk by chunk, until it ends or somebody stops it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING

from thresher import __version__
from thresher.addresses import shown
from thresher.errors import BadLineError, SourceError
from thresher.models.chunk_learner import ChunkLearner
from thresher.models.events import (
    Finished,
    InputOpened,
    LabelsDecided,
    PassFinished,
    Progressed,
    Refuted,
    Saved,
    Stopped,
    TrainingEvent,
    Warned,
)
from thresher.models.evidence import RunEvidence
from thresher.models.file import save_model
from thresher.models.history import Source, SourcesSeen, Training
from thresher.models.holdout import Holdout
from thresher.models.label_order import LabelOrder
from thresher.models.label_remarks import label_remarks
from thresher.models.opening import with_format
from thresher.models.progress import Progress
from thresher.models.resuming import interrupted_run, rows_to_skip
from thresher.models.stopping import Interrupted, Stoppable
from thresher.models.weight_remarks import weight_remarks
from thresher.names.kept import KeptNames
from thresher.streams.crew import default_threads
from thresher.streams.remark import UNENDED
from thresher.streams.sources.source import STDIN, STDIN_NAME

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.models.model import Model
    from thresher.models.training_request import TrainingRequest
    from thresher.streams.chunk import Chunk
    from thresher.streams.label_scheme import LabelScheme


class TrainingRun(Stoppable):
    """One run: whoever iterates over it makes it happen, and hears of it event by event.

    What is found in its attributes holds at any moment, in the middle of the run as at its end.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from thresher.models.input_data import InputData
    >>> from thresher.models.training_request import TrainingRequest
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "tiny.svm"
    >>> _ = file.write_text("1 0:1\\n0 1:1\\n0 1:1 2:1\\n")
    >>> run = TrainingRun(TrainingRequest(data=InputData(paths=(str(file),)), passes=2))
    >>> [type(event).__name__ for event in run][-4:]
    ['PointReached', 'Progressed', 'PassFinished', 'Finished']
    >>> run.model.learner
    Committee(n_features=262144): 6 rounds, 1 mistakes
    """

    def __init__(self, request: TrainingRequest) -> None:
        if request.resume is None:
            request = replace(request, data=request.data.looked_at())
        self.request = request
        self._model = request.model()
        self.stream = request.opened(self._model)
        self.inputs = tuple(
            STDIN_NAME if path == STDIN else shown(path) for path in self.stream.paths
        )
        skip = request.skip_rows
        if skip is None:
            skip = rows_to_skip(self._model, self.inputs, str(request.resume))
        #: Rows, counted over all passes, that an earlier run has seen.
        self.skip = skip
        #: What is claimed and was not refuted; how many mistakes a claim allows; where it fell.
        self.claim, self.allowed = request.claimed(self.learner)
        self.refuted_at: int | None = None
        self.rounds_before = self.learner.n_rounds
        self.progress = Progress(self.rounds_before, self.learner.mistakes, request.window)
        self.holdout = self._held_out()
        #: Rounds and mistakes of the first pass, in which every row was new; None in a later run.
        self.first_pass: tuple[int, int] | None = None
        #: The pass under way, from 1, and the rows seen in all passes, the skipped ones included.
        self.pass_number = self.rows = 0
        self.finished = False
        #: When the first rows were there to be learned.
        self._began: float | None = None
        self._lessons: ChunkLearner | None = None
        self._seen, self._order = SourcesSeen(self.inputs), LabelOrder()
        self._some_values = False
        self._saved_at = self.skip
        self._running = self._events()

    @property
    def learner(self) -> Learner:
        """Who learns; with several classes that is decided when the first rows were seen."""
        return self._model.learner

    @property
    def rounds_per_second(self) -> float | None:
        """Rounds of this run in a second, from the first row that was there; None before it."""
        if self._began is None:
            return None
        seconds = max(perf_counter() - self._began, 1e-9)
        # A chunk is learned whole, and its points are told one after another.
        done = max(self.learner.n_rounds, self.progress.rounds)
        return (done - self.rounds_before) / seconds

    @property
    def learned(self) -> bool:
        """Whether the run came to an end, or at least further than an earlier one."""
        return self.finished or self.rows > self.skip

    @property
    def unended(self) -> list[str]:
        """Inputs whose last line has no line end; it was learned like the others."""
        return [source.name for source in self.stream.sources if source.unended]

    @property
    def bad_lines(self) -> int:
        """How many lines could not be read."""
        return self.stream.bad.count

    @property
    def label_names(self) -> tuple[str, ...]:
        """What the labels are called: -1 and +1, or all classes so far."""
        if self.learner.several:
            return tuple(self.stream.label_names)
        return self._labels().sign_names

    # ---- the run -------------------------------------------------------------------------

    def __iter__(self) -> Iterator[TrainingEvent]:
        return self._running

    def _events(self) -> Iterator[TrainingEvent]:
        yield InputOpened(self.inputs, self.stream.format, self.skip)
        try:
            for number in range(1, self.request.passes + 1):
                self.pass_number = number
                yield from self._pass()
            self.finished = True
            self._take_the_best_pass()
        except Interrupted:
            self.finished = False
            if self.pass_number == 1:
                self._note_first_pass()
        except BadLineError as error:
            raise self._with_remedy(error) from error
        yield from self._end()

    def _pass(self) -> Iterator[TrainingEvent]:
        request, one = self.request, self.stream.total_bytes
        path, whole = request.save_to, None if one is None else one * request.passes
        behind = (one or 0) * (self.pass_number - 1)
        if self.holdout is not None:
            self.holdout.start_pass()
        with closing(self.stream.chunks()) as chunks:
            while (chunk := self._next(chunks)) is not None:
                if self._lessons is None and len(chunk.rows):
                    self._lessons = self._begin()
                    why = None if request.resume else request.arrangement.why(self.learner)
                    yield LabelsDecided(self.learner.several, why)
                yield from self._take(chunk)
                yield Progressed(self.rows, behind + chunk.position, whole)
                if path is not None and self._save_is_due:
                    yield self._save(path)
        self._seen.finish_pass(self.pass_number)
        if self.pass_number == 1:
            self._note_first_pass()
            if request.record is not None:
                request.record.fresh = False
        error = None
        if self.holdout is not None:
            more = self.pass_number < self.request.passes
            error = self.holdout.finish_pass(self.learner, more=more)
        yield PassFinished(self.pass_number, error)

    def _held_out(self) -> Holdout | None:
        """What takes rows away, in the state in which an interrupted run left it."""
        every, before = self.request.holdout, interrupted_run(self._model)
        if every is None:
            return None
        alike = before is not None and before.holdout == every
        goes_on = alike and self.request.skip_rows is None
        return Holdout(every, self._model.holdout if goes_on else None)

    def _take_the_best_pass(self) -> None:
        """Go back to the learner after the pass that did best on the rows held out."""
        if self.holdout is None or (best := self.holdout.chosen(self.learner)) is self.learner:
            return
        model, kept = self._model, self._model.kept
        assert kept is not None
        assert best.name_table is not None
        named = KeptNames.from_arrays(best.name_table, kept.to_arrays(), self.stream.recipe)
        self._model = replace(model, learner=best, kept=named)

    def _note_first_pass(self) -> None:
        """Keep the counts of rows that nobody had seen before."""
        if not self.rounds_before:
            self.first_pass = self.progress.rounds, self.progress.mistakes

    @property
    def evidence(self) -> RunEvidence | None:
        """What the mistakes of the first pass say about rows to come."""
        if self.first_pass is None:
            return None
        rounds, mistakes = self.first_pass
        return RunEvidence.of(mistakes, rounds)

    def _next(self, chunks: Iterator[Chunk]) -> Chunk | None:
        """The next chunk, unless somebody wants to stop."""
        if self._stopping:
            raise Interrupted
        self.waiting = True
        try:
            return next(chunks, None)
        finally:
            self.waiting = False

    def _begin(self) -> ChunkLearner:
        """Take the learner that suits the labels: they have a meaning by now."""
        request, arrangement = self.request, self.request.arrangement
        several = self._scheme.several
        request.require_two_classes_for_a_claim(several)
        self._began = perf_counter()
        if request.resume is None:
            learner = arrangement.settled(self.learner, self._scheme)
            self._model = replace(self._model, learner=learner)
        self.learner.threads = request.data.threads or default_threads()
        lessons = ChunkLearner(
            self._model,
            self.stream,
            self.progress,
            self.holdout,
            claim=self.claim,
            weighted=not request.ignore_importance,
            chosen=arrangement.by_somebody,
        )
        lessons.record = request.record
        return lessons

    def _take(self, chunk: Chunk) -> Iterator[TrainingEvent]:
        """Learn from a chunk, or from what of it an earlier run has not seen."""
        n = len(chunk.rows)
        seen = min(n, max(0, self.skip - self.rows))
        self.rows += n
        self._some_values = self._some_values or len(chunk.rows.column) > 0
        self._seen.take(chunk.file, n, self.pass_number)
        if self.pass_number == 1:
            self._order.take(chunk.label)
        if self._lessons is None:
            return
        names = () if self.learner.several else self.label_names
        for event in self._lessons.learn(chunk, seen, names):
            if isinstance(event, Refuted):
                self.refuted_at = event.round_number
            yield event

    # ---- its end ---------------------------------------------------------------------------

    def _end(self) -> Iterator[TrainingEvent]:
        """Say what the run came to, and write the model."""
        if self.finished:
            self._require_rows()
        for remark in self.stream.bad.remarks():
            yield Warned(remark)
        for name in self.unended:
            yield Warned(f"{name}: {UNENDED}")
        scheme, found = self._scheme, self.stream.label_names
        if self.finished and self.request.resume is None:
            yield from label_remarks(scheme, found)
        if self.finished and not self._some_values:
            yield Warned("no row has a feature: nothing is known of it but its label.")
        if self.finished:
            yield from map(Warned, weight_remarks(self.request.arrangement, scheme, found))
            yield from self._order.events()
        if self.learned and self.request.save_to is not None:
            yield self._save(self.request.save_to)
        yield Finished(self.rows) if self.finished else Stopped(self.rows, self.learned)

    def _require_rows(self) -> None:
        where = ", ".join(self.inputs)
        if not self.rows:
            raise SourceError(where, "there is not a single row to learn from")
        if self.rows < self.skip:
            are = "is 1 row" if self.rows == 1 else f"are {self.rows:,} rows"
            what = f"there {are}, and {self.skip:,} are to be skipped"
            raise SourceError(where, what)

    def _with_remedy(self, error: BadLineError) -> BadLineError:
        """The error, with what to do if a line is bad because of what was thought of them all.

        That is the format of a model's earlier training, or that there are two classes.
        """
        if self.request.resume is not None:
            return with_format(error, self.request.data, self.stream, resumed=True)
        third = len(self.stream.label_names) > 2 and not self._scheme.rest
        if not third or " found the label " not in str(error):
            return error
        hint = "If there are more than two classes, which came late, say multiclass=True."
        return BadLineError(error.what, hint, code="line.third_class")

    # ---- the model -------------------------------------------------------------------------

    @property
    def model(self) -> Model:
        """The model as it is now."""
        return replace(
            self._model,
            labels=self._labels(),
            recipe=self.stream.recipe,
            history=self._history(),
            holdout=None if self.finished or self.holdout is None else self.holdout.state,
        )

    def _save(self, path: str) -> Saved:
        save_model(self.model, path, journal=self.request.journal is not False)
        self._saved_at = self.rows
        return Saved(path, self.rows)

    @property
    def _save_is_due(self) -> bool:
        every = self.request.save_every
        return every is not None and self.rows - self._saved_at >= every

    @property
    def _scheme(self) -> LabelScheme:
        scheme = self.stream.scheme
        assert scheme is not None
        return scheme

    def _labels(self) -> LabelScheme:
        """What labels mean; where one label stands against the rest, the rest may have a name."""
        scheme, seen = self._scheme, self.stream.label_names
        if scheme.rest and len(seen) == 2 and scheme.positive in seen:
            return replace(scheme, negative=seen[1 - seen.index(scheme.positive)])
        return scheme

    def _history(self) -> tuple[Training, ...]:
        before, command = self._model.history, self.request.command
        interrupted = interrupted_run(self._model)
        if interrupted is not None and self.request.skip_rows is None:
            # A run that was interrupted and resumed is one run, under the command that began it.
            before, command = before[:-1], interrupted.command
        now = Training(
            command=command,
            version=__version__,
            sources=self._sources(),
            finished=self.finished,
            holdout=self.request.holdout,
            holdout_errors=self._errors_of_passes(),
        )
        return (*before, now)

    def _sources(self) -> tuple[Source, ...]:
        """What the learner has seen; it is the one after the best pass, if rows were held out."""
        sources = self._seen.sources(self.stream.sources)
        best, passes = None if self.holdout is None else self.holdout.best_pass, self.request.passes
        if not self.finished or best is None:
            return sources
        return tuple(
            replace(source, rows=source.rows * best // passes, passes=best) for source in sources
        )

    def _errors_of_passes(self) -> tuple[float | None, ...] | None:
        if self.holdout is None or self.request.passes == 1:
            return None
        return tuple(self.holdout.errors)

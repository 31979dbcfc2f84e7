"""What `thresher train` does: make or load a learner, run it over the stream, write the model."""

from __future__ import annotations

import shlex
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from thresher import __version__
from thresher.cli.claims import parse_claim
from thresher.cli.holdout import Holdout
from thresher.cli.learner_choice import LearnerChoice
from thresher.cli.opening import open_stream, scheme_of
from thresher.cli.options import DataOptions
from thresher.cli.progress import Progress
from thresher.cli.resuming import (
    check_learner,
    check_output,
    check_reading,
    interrupted_run,
    resume_command,
    rows_to_skip,
)
from thresher.cli.terminal import painted, say, warn
from thresher.cli.training_run import Plan, TrainingRun
from thresher.cli.two_class import load_two_class
from thresher.errors import SourceError
from thresher.hashing.kept_names import KeptNames
from thresher.storage import Model, Source, Training, save_model
from thresher.streams.sources import STDIN, STDIN_NAME

if TYPE_CHECKING:
    from thresher.streams.reading import Stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Everything that was asked of `train`."""

    data: DataOptions
    choice: LearnerChoice | None
    #: The words of the command, as typed.
    words: list[str]
    output: str
    passes: int
    holdout: int | None
    claim: str | None
    save_every: int | None
    resume: str | None
    skip_rows: int | None
    journal: bool
    ignore_importance: bool
    as_json: bool
    quiet: bool


class TrainingJob:
    """One run of `thresher train`."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.began = time.perf_counter()
        self.saved = False
        self.model = self._new_model() if request.resume is None else self._old_model()
        self.stream = self._opened()
        self.inputs = [STDIN_NAME if path == STDIN else path for path in self.stream.paths]
        check_output(request.output, self.stream.paths)
        self.allowed: int | None = None
        self.run = self._prepared()
        self._say_what_was_found()

    # ---- before the run ----------------------------------------------------------------

    def _new_model(self) -> Model:
        data = self.request.data
        choice = self.request.choice or LearnerChoice.default()
        learner = choice.create(
            n_features=data.n_features,
            seed=data.seed,
            vocabulary=data.vocabulary,
            journal=self.request.journal,
        )
        return _keeping_names(Model(learner=learner, recipe=data.recipe()))

    def _old_model(self) -> Model:
        model = load_two_class(str(self.request.resume))
        check_learner(model, self.request.choice, self.request.data)
        check_reading(model, self.request.data)
        return _keeping_names(model)

    def _opened(self) -> Stream:
        request, model = self.request, self.model
        if request.passes > 1 and STDIN in request.data.paths:
            raise SourceError(
                STDIN_NAME,
                f"standard input cannot be read {request.passes} times",
                "Write it to a file first, or leave --passes out.",
            )
        return open_stream(
            request.data,
            model.name_table,
            recipe=model.recipe,
            scheme=scheme_of(request.data, model.labels),
        )

    def _prepared(self) -> TrainingRun:
        request, learner = self.request, self.model.learner
        skip = request.skip_rows
        if skip is None:
            skip = rows_to_skip(self.model, self.inputs, str(request.resume))
        claim = None
        if request.claim is not None:
            # Imported here: theorems are for those who claim something.
            from thresher.learners.evidence import limits_for

            claim = parse_claim(request.claim, learner.n_features or None)
            self.allowed = limits_for(learner, claim).mistakes
        progress = Progress(
            lambda: self._with_labels().label_names,
            before=(learner.n_rounds, learner.mistakes),
            allowed=self.allowed,
            holdout=request.holdout is not None and request.passes > 1,
            quiet=request.quiet,
        )
        return TrainingRun(
            learner=learner,
            plan=Plan(request.passes, skip, request.save_every, request.ignore_importance),
            progress=progress,
            begin=self._say_what_labels_mean,
            save=self.save,
            alarm=self._refuted,
            kept=self.model.kept,
            holdout=None if request.holdout is None else Holdout(request.holdout),
            claim=claim,
        )

    def _say(self, text: str) -> None:
        if not self.request.quiet:
            say(text)

    def _say_what_was_found(self) -> None:
        learner, names = self.model.learner, self.model.name_table
        how = f"names hashed with seed {names.seed}" if names.hashed else "names kept exactly"
        n = names.n_features
        size = "as many features as come" if names.growing else f"{n:,} features{_power(n)}"
        self._say(f"learner  {learner.name}; {size}, {how}")
        self._say(f"data     {', '.join(self.inputs)}; {self.stream.format}")
        if skip := self.run.plan.skip:
            self._say(f"passing over the first {skip:,} rows")

    def _say_what_labels_mean(self) -> None:
        self._say(str(self.stream.scheme))

    # ---- the run -----------------------------------------------------------------------

    def play(self) -> None:
        """Run, and write the model."""
        run, skip = self.run, self.run.plan.skip
        run.play(self.stream)
        where = ", ".join(self.inputs)
        if run.finished and not run.rows:
            raise SourceError(where, "there is not a single row to learn from")
        if run.finished and run.rows < skip:
            raise SourceError(where, f"there are {run.rows:,} rows, and {skip:,} are to be skipped")
        if self.stream.bad.count:
            warn(self.stream.bad.report())
        if not run.finished and run.rows <= skip:
            say("interrupted before anything new was learned; nothing was written")
            return
        self.save()
        self.saved = True
        if not run.finished:
            self._say_how_to_resume()

    def _refuted(self, round_number: int) -> None:
        warn(
            painted(f"the claim {self.request.claim} is refuted", "red", bold=True)
            + f" in round {round_number + 1:,}: the mistakes are more than it allows."
        )

    def _say_how_to_resume(self) -> None:
        output = self.request.output
        say(f"interrupted after {self.run.rows:,} rows; saved to {output}. To go on from there:")
        say(f"  {resume_command(self.request.words, output)}")
        if STDIN in self.stream.paths:
            say("with the same input from its beginning, or, with only the rest, and --skip-rows 0")

    # ---- the model ---------------------------------------------------------------------

    def _with_labels(self) -> Model:
        """The model with what is known of labels by now."""
        scheme, seen = self.stream.scheme, self.stream.label_names
        assert scheme is not None
        others = [name for name in seen if name != scheme.positive]
        if scheme.rest and len(others) == 1 and len(seen) == 2:
            scheme = replace(scheme, negative=others[0])
        return replace(self.model, labels=scheme)

    def save(self) -> None:
        """Write the model as it is now."""
        now = replace(self._with_labels(), recipe=self.stream.recipe, history=self._history())
        save_model(now, self.request.output, journal=self.request.journal)

    def _history(self) -> tuple[Training, ...]:
        before, run = self.model.history, self.run
        command: str | None = shlex.join(["thresher", "train", *self.request.words])
        going_on = interrupted_run(self.model)
        if going_on is not None and self.request.skip_rows is None:
            # A run that was interrupted and goes on is one run, under the command that began it.
            before, command = before[:-1], going_on.command
        read = {source.name: source for source in self.stream.sources}
        sources = []
        for name in dict.fromkeys(self.inputs):
            passes = run.passes_over.get(name, 0)
            # The reader may be at the end of a file before the learner is.
            record = read.get(name) if passes else None
            sources.append(
                Source(
                    name=name,
                    rows=run.rows_of.get(name, 0),
                    n_bytes=None if record is None else record.n_bytes,
                    sha256=None if record is None else record.sha256,
                    passes=passes,
                )
            )
        now = Training(
            command=command, version=__version__, sources=tuple(sources), finished=run.finished
        )
        return (*before, now)

    @property
    def exit_status(self) -> int:
        """0; 1 if the claim was refuted; the signal's own if the run was interrupted."""
        if not self.run.finished:
            return self.run.interruption.exit_status
        return 1 if self.run.refuted_at is not None else 0


def _keeping_names(model: Model) -> Model:
    """The model with a table of names, if it has none yet."""
    return model if model.kept is not None else replace(model, kept=KeptNames(model.name_table))


def _power(n: int) -> str:
    """The power of two that a number is, for those who think in bits."""
    return f" (--bits {n.bit_length() - 1})" if n & (n - 1) == 0 else ""

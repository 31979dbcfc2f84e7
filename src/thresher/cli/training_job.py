"""What `thresher train` does: make or load a learner, run it over the stream, write the model."""

from __future__ import annotations

import shlex
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from thresher import __version__
from thresher.cli.arrangement import Arrangement
from thresher.cli.claims import parse_claim
from thresher.cli.class_rows import SHOWN, ClassRows
from thresher.cli.holdout import Holdout
from thresher.cli.learner_choice import LearnerChoice
from thresher.cli.opening import open_stream, scheme_of
from thresher.cli.options import DataOptions
from thresher.cli.prediction import with_format
from thresher.cli.progress import Progress
from thresher.cli.resuming import (
    check_arrangement,
    check_learner,
    check_reading,
    interrupted_run,
    resume_command,
    rows_to_skip,
)
from thresher.cli.several_classes import is_several, plain_name
from thresher.cli.terminal.speech import painted, printable, say, warn
from thresher.cli.training_run import Plan, TrainingRun
from thresher.errors import BadLineError, SourceError
from thresher.models import Model, Source, Training, load_model, save_model
from thresher.names.kept import KeptNames
from thresher.streams.sources.source import STDIN, STDIN_NAME

#: After so many rounds, a share of mistakes that a default learner need not be the last word on.
ENOUGH_ROUNDS, NOTABLE_ERROR = 1000, 0.01

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thresher.streams.batch import Batch
    from thresher.streams.chunk import Chunk
    from thresher.streams.label_scheme import LabelScheme
    from thresher.streams.named_batch import NamedBatch
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
    #: Whether there are several classes, whatever the first rows show.
    multiclass: bool
    #: How probabilities are learned along, or None.
    calibrate: str | None
    save_every: int | None
    resume: str | None
    skip_rows: int | None
    #: None: as suits the learner.
    journal: bool | None
    ignore_importance: bool
    as_json: bool
    quiet: bool


class TrainingJob:
    """One run of `thresher train`."""

    def __init__(self, request: Request) -> None:
        self.request = request
        self.began = time.perf_counter()
        self.saved = False
        new = request.resume is None
        self.learners = Arrangement(
            request.data,
            request.choice,
            multiclass=request.multiclass,
            calibrate=request.calibrate,
            journal=request.journal,
        )
        self.model = self._new_model() if new else self._old_model()
        self.classes: ClassRows | None = None
        self.stream = self._opened()
        self.inputs = [STDIN_NAME if path == STDIN else path for path in self.stream.paths]
        self.allowed: int | None = None
        self.run = self._prepared()
        self._say_what_was_found()

    # ---- before the run ----------------------------------------------------------------

    def _new_model(self) -> Model:
        model = Model(learner=self.learners.first(), recipe=self.request.data.recipe())
        return _keeping_names(model)

    def _old_model(self) -> Model:
        request = self.request
        model = load_model(str(request.resume))
        check_learner(model, request.choice, request.data)
        check_arrangement(model, multiclass=request.multiclass, calibrate=request.calibrate)
        check_reading(model, request.data)
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
            scheme=self._scheme(),
            learner=model.learner,
        )

    def _scheme(self) -> LabelScheme:
        scheme = scheme_of(self.request.data, self.model.labels)
        if is_several(self.model.learner):
            if self.request.data.positive is not None:
                raise click.UsageError(
                    f"--positive makes two classes, and {plain_name(self.model.learner)} takes "
                    "them by name. Leave one of the two out."
                )
            return scheme.allow_several(certain=True)
        return scheme if self.request.resume is not None else scheme.allow_several()

    def _prepared(self) -> TrainingRun:
        request, learner = self.request, self.model.learner
        skip = request.skip_rows
        if skip is None:
            skip = rows_to_skip(self.model, self.inputs, str(request.resume))
        claim = None
        if request.claim is not None:
            # Imported here: theorems are for those who claim something.
            from thresher.learners.base.evidence import limits_for

            self._require_two_classes_for_a_claim(is_several(learner))
            claim = parse_claim(request.claim, learner.n_features or None)
            self.allowed = limits_for(learner, claim).mistakes
        progress = Progress(
            self._names_of_labels,
            before=(learner.n_rounds, learner.mistakes),
            allowed=self.allowed,
            holdout=request.holdout is not None and request.passes > 1,
            quiet=request.quiet,
        )
        return TrainingRun(
            learner=learner,
            plan=Plan(request.passes, skip, request.save_every, request.ignore_importance),
            progress=progress,
            begin=self._begin,
            rows_of_chunk=self._rows_of,
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
        self._say(f"data     {', '.join(self.inputs)}; {self.stream.format}")
        if skip := self.run.plan.skip:
            self._say(f"passing over the first {skip:,} rows")

    def _say_who_learns(self) -> None:
        names = self.model.name_table
        how = f"names hashed with seed {names.seed}" if names.hashed else "names kept exactly"
        n = names.n_features
        size = "as many features as come" if names.growing else f"{n:,} features{_power(n)}"
        self._say(f"learner  {plain_name(self.model.learner)}; {size}, {how}")

    # ---- when the labels have a meaning ------------------------------------------------

    def _begin(self) -> None:
        """Take the learner that suits the labels, and say what they mean."""
        scheme = self.stream.scheme
        assert scheme is not None
        if scheme.several:
            self._require_two_classes_for_a_claim(several=True)
            if not is_several(self.model.learner):
                learner = self.learners.for_several(self.model.name_table)
                self.model.learner = self.run.learner = learner
            chosen = self.request.choice is not None and self.request.choice.named
            self.classes = ClassRows(self.stream, self.model.learner, chosen=chosen)
        self._say_who_learns()
        self._say(str(scheme) if self.classes is None else self.classes.in_words())

    def _require_two_classes_for_a_claim(self, several: bool) -> None:
        if several and self.request.claim is not None:
            raise click.UsageError(
                f"--claim {self.request.claim} speaks of two classes, and there are more. "
                "--positive LABEL makes two of them."
            )

    def _rows_of(self, chunk: Chunk) -> Batch | NamedBatch:
        return self.stream.batch(chunk) if self.classes is None else self.classes.batch(chunk)

    def _names_of_labels(self) -> Sequence[str]:
        if self.classes is not None:
            return self.stream.label_names
        return self._with_labels().label_names

    # ---- the run -----------------------------------------------------------------------

    def play(self) -> None:
        """Run, and write the model."""
        run, skip = self.run, self.run.plan.skip
        try:
            run.play(self.stream)
        except BadLineError as error:
            if self.request.resume is not None:
                remedy = "a model goes on with the format it began with: thresher convert"
                raise with_format(error, self.request.data, self.stream, remedy) from error
            raise self._of_a_third_class(error) from error
        where = ", ".join(self.inputs)
        if run.finished and not run.rows:
            raise SourceError(where, "there is not a single row to learn from")
        if run.finished and run.rows < skip:
            raise SourceError(where, f"there are {run.rows:,} rows, and {skip:,} are to be skipped")
        if self.stream.bad.count:
            warn(self.stream.bad.report())
        if run.finished and self.request.resume is None:
            self._warn_if_never_seen()
        if not run.finished and run.rows <= skip:
            say("interrupted before anything new was learned; nothing was written")
            return
        self.save()
        self.saved = True
        if not run.finished:
            self._say_how_to_resume()
        elif self._erred_by_default():
            self._say(
                "the perceptron was taken because no learner was named; noisy data is often "
                "better off with --learner committee (thresher advise compares)"
            )

    def _warn_if_never_seen(self) -> None:
        scheme, seen = self.stream.scheme, self.stream.label_names
        if scheme is not None and scheme.rest and scheme.positive not in seen:
            shown = ", ".join(map(printable, seen[:SHOWN])) + (", ..." if len(seen) > SHOWN else "")
            warn(f"no row has the label {scheme.positive}, which counts as +1; found {shown}")

    def _erred_by_default(self) -> bool:
        """Whether a learner that nobody chose was wrong so often that there may be better ones."""
        chosen = self.request.choice is not None or self.request.resume is not None
        error, rounds = self.run.progress.error, self.model.learner.n_rounds
        often = rounds >= ENOUGH_ROUNDS and (error or 0.0) > NOTABLE_ERROR
        return often and not chosen and self.classes is None

    def _of_a_third_class(self, error: BadLineError) -> BadLineError:
        """The error, with what to do if labels were taken for two classes and are of more."""
        if " found the label " not in str(error) or ", expected the label " not in str(error):
            return error
        return BadLineError(
            error.what, "If there are more than two classes, which came late, say --multiclass."
        )

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
        if scheme.several:
            return replace(self.model, labels=scheme)
        others = [name for name in seen if name != scheme.positive]
        if scheme.rest and len(others) == 1 and len(seen) == 2:
            scheme = replace(scheme, negative=others[0])
        return replace(self.model, labels=scheme)

    def save(self) -> None:
        """Write the model as it is now."""
        now = replace(self._with_labels(), recipe=self.stream.recipe, history=self._history())
        save_model(now, self.request.output, journal=self.request.journal is not False)

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

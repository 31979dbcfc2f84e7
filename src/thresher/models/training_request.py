"""What is asked of a run of training, and what follows from it before the first row is read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from thresher.addresses import is_remote, shown
from thresher.errors import ModelFileError, ParameterError, RequestError, SourceError
from thresher.learners.base.learner import Learner
from thresher.models.arrangement import Arrangement
from thresher.models.choice import LearnerChoice
from thresher.models.claims import parse_claim
from thresher.models.class_weights import checked_weights
from thresher.models.file import load_model
from thresher.models.model import Model
from thresher.models.opening import check_reading, open_stream, scheme_of
from thresher.models.resuming import check_arrangement, check_learner
from thresher.names.kept import KeptNames
from thresher.parameters import checked_count
from thresher.records import record
from thresher.streams.sources.source import STDIN, STDIN_NAME, is_one_of
from thresher.streams.sources.whole_file import HERE_ALONE, descriptor_number

if TYPE_CHECKING:
    from thresher.models.input_data import InputData
    from thresher.models.run_record import RunRecord
    from thresher.streams.label_scheme import LabelScheme
    from thresher.streams.reading import Stream
    from thresher.theory import Concept


@record(kw_only=True)
class TrainingRequest:
    """Everything that is asked of a run of training; see :func:`thresher.train`."""

    data: InputData
    #: By name, made in a program, or None: the default, or that of the model.
    learner: LearnerChoice | Learner | None = None
    passes: int = 1
    #: Never learn from one row in so many.
    holdout: int | None = None
    #: Tell the error of so many last rounds, too.
    window: int | None = None
    #: What is believed of the stream, as a concept or as it is written: "disjunction:k=4".
    claim: Concept | str | None = None
    #: Whether there are several classes, whatever the first rows show.
    multiclass: bool = False
    #: How probabilities are learned along, or None.
    calibrate: str | None = None
    #: The model file to write in the end, and every so many rows.
    save_to: str | None = None
    save_every: int | None = None
    #: A model file to continue with.
    resume: str | None = None
    #: Rows to pass over; None: those that an interrupted model has seen.
    skip_rows: int | None = None
    #: Whether to keep journals; None: as suits the learner.
    journal: bool | None = None
    ignore_importance: bool = False
    #: How much the rows of a class count, by its label; 1 unless given.
    class_weight: Mapping[str, float] | None = None
    #: For the history of the model; None: the training was asked for by a program.
    command: str | None = None
    #: Who takes note of every round, for a report; None: nobody.
    record: RunRecord | None = None

    def __post_init__(self) -> None:
        if self.learner is not None and not isinstance(self.learner, LearnerChoice | Learner):
            raise ParameterError("train", "learner", "a learner, or the name of one", self.learner)
        for name, least in (
            ("passes", 1),
            ("holdout", 2),
            ("window", 1),
            ("save_every", 1),
            ("skip_rows", 0),
        ):
            if name == "passes" or getattr(self, name) is not None:
                checked_count("train", name, getattr(self, name), least)
        if self.save_every is not None and self.save_to is None:
            raise RequestError("save_every= needs the file to save to: save_to=.")
        if self.save_to is not None:
            _check_target(self.save_to, self.data.paths)
        if self.passes > 1 and STDIN in self.data.paths:
            raise SourceError(
                STDIN_NAME,
                f"standard input cannot be read {self.passes} times",
                "Write it to a file first, or read it once.",
                code="source.once",
            )

    @property
    def arrangement(self) -> Arrangement:
        """Which learner is asked for; a claim is held against the bound of a classical one."""
        unchosen = LearnerChoice.default if self.claim is None else LearnerChoice.classical
        return Arrangement(
            self.data,
            self.learner if isinstance(self.learner, Learner) else unchosen(self.learner),
            multiclass=self.multiclass,
            calibrate=self.calibrate,
            journal=self.journal,
            class_weight=checked_weights(self.class_weight),
        )

    def model(self) -> Model:
        """The model to begin with: a new one, or the one that is trained further."""
        if self.resume is None:
            model = Model(learner=self.arrangement.before_labels(), recipe=self.data.recipe())
            self._require_a_journal(model.learner.innermost)
        else:
            model = load_model(self.resume)
            if isinstance(self.learner, Learner):
                raise RequestError(f"{self.resume} has its learner: leave learner= out.")
            check_learner(model, self.learner, self.data)
            if self.class_weight:
                raise RequestError(
                    f"{self.resume} has its learner, and what classes count: leave class_weight= "
                    "out.",
                    code="request.weights_of_a_model",
                    path=self.resume,
                )
            check_arrangement(model, multiclass=self.multiclass, calibrate=self.calibrate)
            check_reading(model, self.data)
        if model.kept is not None:
            return model
        return replace(model, kept=KeptNames(model.name_table, recipe=model.recipe))

    def _require_a_journal(self, learner: Learner) -> None:
        """Refuse to keep the journal of a learner that has none."""
        if self.journal and "journal_bytes" not in learner.parameters:
            raise RequestError(
                f"{learner.name} keeps no journal: it changes in every round.",
                "Take another learner, such as perceptron, or leave journal=True out.",
                code="request.keeps_no_journal",
                learner=learner.name,
            )

    def opened(self, model: Model) -> Stream:
        """The data as the model reads it."""
        scheme = self._scheme(model)
        stream = open_stream(
            self.data, model.name_table, recipe=model.recipe, scheme=scheme, learner=model.learner
        )
        if self.passes > 1:
            stream.keep_rows(lines=self.record is not None)
        return stream

    def _scheme(self, model: Model) -> LabelScheme:
        scheme = scheme_of(self.data, model.labels)
        if model.learner.several:
            if self.data.positive is not None:
                name = model.learner.plain_name
                raise RequestError(
                    f"positive= makes two classes, and {name} takes them by name. "
                    "Leave one of the two out.",
                    code="request.classes_by_name",
                    learner=name,
                )
            counted = self.resume is None and not self.arrangement.by_somebody
            return scheme.allow_several(certain=True, counted=counted)
        return scheme if self.resume is not None else scheme.allow_several()

    def claimed(self, learner: Learner) -> tuple[Concept | None, int | None]:
        """The claim, and how many mistakes it allows the learner."""
        if self.claim is None:
            return None, None
        # Imported here: theorems are for those who claim something.
        from thresher.learners.base.evidence import limits_for  # noqa: PLC0415

        self.require_two_classes_for_a_claim(learner.several)
        claim = self.claim
        if isinstance(claim, str):
            claim = parse_claim(claim, learner.n_features or None)
        return claim, limits_for(learner, claim).mistakes

    def require_two_classes_for_a_claim(self, several: bool) -> None:
        """Refuse a claim about a stream of several classes."""
        if several and self.claim is not None:
            raise RequestError(
                f"the claim {self.claim} speaks of two classes, and there are more. positive= "
                "makes two of them.",
                code="request.claim_of_two_classes",
                claim=self.claim,
            )


def _check_target(path: str, inputs: tuple[str, ...]) -> None:
    """Refuse a file that could not be written, now rather than in an hour."""
    folder = os.path.dirname(path) or "."
    if is_remote(path):
        raise ModelFileError(shown(path), HERE_ALONE, "Write it here, then copy it there.")
    if os.path.isdir(path) or not os.path.isdir(folder):
        raise ModelFileError(path, "a model is written to a file in a folder that exists")
    plain = os.path.isfile(path) or not os.path.exists(path) or path == os.devnull
    if not plain or descriptor_number(path) is not None:
        what = "this is not a regular file, and a model is written to one, whole or not at all"
        raise ModelFileError(path, what, "Name a file.")
    if is_one_of(path, inputs):
        raise ModelFileError(path, "this is one of the inputs", "Choose another name.")

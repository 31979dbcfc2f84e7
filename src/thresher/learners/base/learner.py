"""Learner: what everybody outside this folder may know about a learner, and ask of it."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError, NotCertifiableError, RequestError
from thresher.learners.base.probabilities import Probabilities
from thresher.learners.base.shared_numbers import Shared, cannot_mix
from thresher.learners.base.shown import Shown
from thresher.streams.frames import Tables
from thresher.streams.labels import SIGNS, Label
from thresher.streams.value_limits import ValueLimits

if TYPE_CHECKING:
    from thresher.kernels.rows.named_rows import NameTable
    from thresher.learners.base.explanation import Explanation
    from thresher.learners.base.journal import Journal
    from thresher.learners.base.linear_form import LinearForm
    from thresher.learners.base.literals import Formula
    from thresher.learners.base.rounds import Rounds
    from thresher.learners.base.score_parts import LoneEffects, ScoreParts
    from thresher.learners.base.standing import Standing
    from thresher.learners.two_class.committee_form import CommitteeForm
    from thresher.streams.rows import Rows
    from thresher.theory import Concept
    from thresher.theory.theorem import MistakeBound, Theorem

#: A row as a mapping from names or column numbers to values.
Features = Mapping[str, float] | Mapping[int, float] | Mapping[str | int, float]


class Learner(Shown, Probabilities):
    """Predicts a row, receives its label, and updates itself.

    With two classes, -1 and +1, `scores` gives one number per row, which is compared with
    `threshold`. With several, there is a column of scores per class, and the largest wins. To
    treat both cases alike, call `predicted_numbers` and `probabilities_of` on the result of
    `scores`.
    """

    #: What it is called at the command line and in model files; the registry has the same.
    name: ClassVar[str]
    #: Whether it changes in most rounds, right or wrong: its journal would hold most of the stream.
    changes_in_most_rounds: ClassVar[bool] = False
    #: What the tables were like that it has learned from; no part of its state.
    _tables: Tables = Tables()
    #: Whether a single wrong label spoils it for good, whatever its parameters.
    brittle: ClassVar[bool] = False
    #: Whether it has a constant feature whatever its parameters.
    always_biased: ClassVar[bool] = False
    numbers_of_a_feature: ClassVar[int] = 1  #: that its longest array has for each
    #: Whether the dual vector was given instead of learned; claims then say nothing.
    warm_start: bool = False
    #: The claim that was held against all rounds so far, and how many these were.
    checked_claim: tuple[Concept, int] | None = None
    #: How many threads may share the work of a batch, where there is something to share: the
    #: learners of several classes. What is learned does not depend on it; no part of the state.
    threads: int = 1
    #: Whether features that it never learned from change its scores, by the length of rows. It
    #: learns from every row then that weighs something.
    minds_new_features: bool = False

    # ---- what it does -------------------------------------------------------------------

    @abstractmethod
    def learn(self, X: Any, y: Any = None, *, importance: Any = None) -> Rounds:
        """Predict, compare and update, one row after another, in order."""

    @abstractmethod
    def learn_one(self, features: Any, label: Any) -> Any:
        """Play one round on a dict; return the prediction made before the label was used."""

    @abstractmethod
    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row; nothing changes."""

    @abstractmethod
    def predict_one(self, features: Any) -> Any:
        """The label of a dict of features; nothing changes."""

    def scores_one(self, features: Features) -> dict[Label, float]:
        """By how much a dict of features exceeds the threshold of each class; of +1, for two."""
        return {1: float(self.scores([features])[0]) - self.threshold}

    def predicted_numbers(self, scores: NDArray[np.float64]) -> NDArray[np.int32]:
        """The number of the class that scores, as `scores` gives them, predict for each row."""
        return (scores >= self.threshold).astype(np.int32)

    # ---- what it is ---------------------------------------------------------------------

    @property
    @abstractmethod
    def parameters(self) -> dict[str, Any]:
        """The parameters the learner was created with, by name."""

    @property
    def settled_parameters(self) -> dict[str, Any]:
        """The parameters as certificates state them, with defaults filled in."""
        return self.parameters

    @property
    def classes(self) -> tuple[Label, ...]:
        """The labels it distinguishes, by number; -1 and +1 unless they have names."""
        return SIGNS

    @property
    def changes_only_on_mistakes(self) -> bool:
        """Whether a round in which it was right leaves it unchanged."""
        return False

    @property
    def conservative(self) -> bool:
        """Whether scores and labels show which rounds changed it; the others change nothing."""
        return False

    @property
    def takes_importance(self) -> bool:
        """Whether rows may count more or less than others."""
        return False

    @property
    @abstractmethod
    def domain(self) -> ValueLimits:
        """The values that features may have."""

    @property
    @abstractmethod
    def n_features(self) -> int:
        """Number of features that can have a weight (so far, for a learner that grows)."""

    @property
    def name_table(self) -> NameTable | None:
        """How feature names are mapped to columns; None for a learner without names."""
        return None

    @property
    def variations(self) -> tuple[str, ...]:
        """Parameters that make this a different algorithm from the one its theorems are about."""
        return ()

    @property
    def each_class(self) -> Learner | None:
        """The learner of which every class has a copy; None if all classes share one learner."""
        return None

    @property
    def calibration(self) -> str | None:
        """How its scores, or those of each class, become probabilities; None: they do not."""
        return None if self.each_class is None else self.each_class.calibration

    @property
    def uncalibrated(self) -> Learner:
        """The learner whose scores these are, without what turns them into probabilities."""
        return self

    @property
    def innermost(self) -> Learner:
        """The learner under those that are made of others."""
        return self if self.each_class is None else self.each_class.innermost

    @property
    def theorems(self) -> tuple[type[Theorem], ...]:
        """The theorems about this learner, with or without conditions."""
        # Imported when asked for: all theorems come along.
        known: tuple[type[Theorem], ...] = import_module("thresher.theory").catalogue()
        return tuple(one for one in known if type(self).__name__ in one.learners)

    # ---- what it has learned ------------------------------------------------------------

    @property
    @abstractmethod
    def n_rounds(self) -> int:
        """Rounds played."""

    @property
    @abstractmethod
    def mistakes(self) -> int:
        """Rounds in which the prediction was wrong."""

    @property
    def false_negatives(self) -> int | None:
        """Mistakes on positive rows; None where there are several classes."""
        return None

    @property
    def false_positives(self) -> int | None:
        """Mistakes on negative rows; None where there are several classes."""
        return None

    @property
    def journal(self) -> Journal | None:
        """The rows that changed the learner, in order; None for a learner that keeps none."""
        return None

    @property
    def journal_as_given(self) -> Journal | None:
        """The journal with rows as they were given to `learn`, so that they can be replayed."""
        return self.journal

    @property
    def members(self) -> tuple[Standing, ...]:
        """How the members of a committee have done; empty for other learners."""
        return ()

    @property
    def formula(self) -> Formula | None:
        """The "or" or "and" of features by which it predicts; None where weights are added up."""
        return None

    @abstractmethod
    def score_parts(self, rows: Rows, label: Label | None = None) -> ScoreParts:
        """What the scores of rows are made of, feature by feature; nothing changes.

        Parameters
        ----------
        rows
            By columns; what has no weight here is left out.
        label
            With several classes, the one whose scores these are.
        """

    def lone_effects(self, label: Label | None = None) -> LoneEffects:
        """What each feature that it has learned about adds to a row that has nothing else."""
        raise ExportError(
            f"{type(self).__name__} does not score rows feature by feature, so that no feature "
            "has a weight."
        )

    def explain(self, features: Features, label: Label | None = None) -> Explanation:
        """Why a dict of features has its score; see :func:`thresher.models.explanation.explain`.

        >>> import thresher as th
        >>> learner = th.Perceptron(3).with_dual([0.5, -2.0, 0.0])
        >>> [(part.names, part.adds) for part in learner.explain({0: 1.0, 1: 3.0}).contributions]
        [(('1',), -6.0), (('0',), 0.5)]
        """
        # By name: explanations are a stage above the learners, which know nothing of them.
        models = import_module("thresher.models.explanation")
        why: Explanation = models.explain(models.Model(learner=self), features, label)
        return why

    def linear_form(self, label: Label | None = None) -> LinearForm:
        """The numbers behind the scores, for computing them elsewhere.

        Parameters
        ----------
        label
            With several classes, the one whose scores these are.
        """
        raise ExportError(
            f"{type(self).__name__} does not score rows by weights alone, so there is no export "
            "of its weights."
        )

    def mixture_form(self, label: Label | None = None) -> CommitteeForm | None:
        """The same for a committee, for one class if there are several; None for other learners."""
        return None

    def coefficients(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The weights behind the scores, and what is added: a line per class, one for two.

        A row exceeds the threshold by its product with the weights of the class, plus what is
        added. With `scaling`, the row is the scaled one.
        """
        raise ExportError(
            f"{type(self).__name__} does not score rows by weights alone: there are none to give."
        )

    def learner_of(self, label: Label) -> Learner:
        """A copy of the learner that a class has for itself, in its present state."""
        raise ExportError(
            f"{type(self).__name__} has one table of weights for all classes, so that no class "
            "is a learner of its own.",
            "OneVersusRest has a learner for each.",
            code="export.one_table",
        )

    def learned_state(self) -> dict[str, NDArray[Any]]:
        """The numbers that decide all future predictions and updates, as arrays by name.

        Features that still have their initial values are left out, so two learners agree in every
        bit exactly when the same rows would have the same effect on both. A replay of the run by
        other code, such as `thresher.verifier`, ends with the same arrays.
        """
        raise NotCertifiableError(
            f"{type(self).__name__} has no state that others could compare with theirs."
        )

    def certified_as(self) -> tuple[str, dict[str, Any]]:
        """Its name, and the parameters with which certificates state it, in JSON's terms."""
        algorithm, parameters = import_module("thresher.certifier").identity(self)
        return algorithm.name, algorithm.plain(parameters, 2)

    @property
    def bytes_of_a_class(self) -> int:
        """The memory of a class that has its own learner; 0 where classes share one."""
        return 0

    def bound(self) -> MistakeBound | None:
        """The theorem that bounds the mistakes of any run, with this run's figures.

        None for a learner whose theorems need to know something about the stream.
        """
        return None

    # ---- its life -----------------------------------------------------------------------

    def shared_numbers(self) -> Shared:
        """What shards that learned apart would combine, and how; refused where nobody knows."""
        raise cannot_mix(self, "there is no rule for it")

    def with_shared(self, shared: Any) -> Self:
        """A learner with these parameters and names that stands for shards that were combined."""
        raise cannot_mix(self, "there is no rule for it")

    def weigh_classes(self, weights: Mapping[int, float]) -> None:
        """Set how much the rows of -1 and +1 count; call this before the first round."""
        raise RequestError(
            f"{self.plain_name} gives every class the same weight.",
            "Take another learner, or leave class_weight= out.",
            code="request.no_class_weights",
            learner=self.plain_name,
        )

    @abstractmethod
    def copy(self) -> Self:
        """An independent learner in the same state."""

    @abstractmethod
    def started_anew(self) -> Self:
        """A learner with these parameters and names that has seen nothing."""

    @abstractmethod
    def __getstate__(self) -> dict[str, Any]:
        """Parameters and state, from which a model file or a pickle brings the learner back."""

    @contextmanager
    def lent_state(self) -> Iterator[dict[str, Any]]:
        """What `__getstate__` gives, for whoever writes it down before the block ends.

        Learners with large tables lend these instead of copies, and nobody learns meanwhile.
        """
        yield self.__getstate__()

    def save(self, path: str | os.PathLike[str], *, journal: bool = True) -> None:
        """Write the learner to a model file, durably and atomically.

        Parameters
        ----------
        path
            The file to write; an existing file is replaced.
        journal
            Whether to keep the journal of updates; without it the file is smaller.
        """
        # By name: files are a stage above the learners, which know nothing else of them.
        files = import_module("thresher.models.file")
        files.save_model(files.Model(learner=self), path, journal=journal)

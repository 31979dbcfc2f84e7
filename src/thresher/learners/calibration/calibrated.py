"""Probabilities for any two-class learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.rows.named_rows import pack
from thresher.learners.base.composite import Composite
from thresher.learners.base.journal import Journal
from thresher.learners.base.learner import Features, Learner
from thresher.learners.base.linear_form import LinearForm
from thresher.learners.base.linear_learner import LinearLearner, as_dict
from thresher.learners.base.probability_map import ProbabilityMap
from thresher.learners.base.reserve import Reserve
from thresher.learners.base.rounds import Rounds
from thresher.learners.base.score_parts import LoneEffects, ScoreParts
from thresher.learners.base.uninterrupted import Uninterrupted
from thresher.learners.calibration.calibrator import Calibrator
from thresher.learners.calibration.isotonic import IsotonicCalibrator
from thresher.learners.calibration.platt import PlattCalibrator
from thresher.learners.two_class.committee_form import CommitteeForm
from thresher.parameters import checked_choice, checked_count
from thresher.records import record
from thresher.streams.batch import Batch
from thresher.streams.labels import Label
from thresher.streams.value_limits import ValueLimits

if TYPE_CHECKING:
    from thresher.kernels.rows.named_rows import NameTable
    from thresher.streams.rows import Rows

METHODS: dict[str, type[Calibrator]] = {"isotonic": IsotonicCalibrator, "platt": PlattCalibrator}


@record(eq=False, repr=False)
class CalibratedRounds(Rounds):
    """The rounds of a calibrated learner, with the probability of +1 given in each."""

    probabilities: NDArray[np.float64] = field(kw_only=True)

    @property
    def log_loss(self) -> float:
        """The mean of -ln(probability given to the label); 0.69 is what a coin gets."""
        given = np.where(self.label > 0, self.probabilities, 1.0 - self.probabilities)
        return float(-np.mean(np.log(given))) if len(given) else 0.0


class Calibrated(Composite):
    """A two-class learner that also gives the probability of +1.

    Scores and predictions are those of the given learner. A calibration receives each score, taken
    before its label was known, together with the label. So it measures what the learner's scores
    have been worth so far on rows that it had not seen. No rows are set aside.

    Both methods keep counts of labels by bins of scores (a sixteenth of a power of two wide), 64
    KiB whatever the stream. The counts are halved after every `memory` rounds. The map from scores
    to probabilities is recomputed when the number of rounds has grown by an eighth. Probabilities
    never fall as the score rises, and are never exactly 0 or 1. Nothing is proven about them: they
    are right on average if future scores mean what past scores did.

    **Cost.** That of the given learner, plus one bin lookup per round, even if the prediction was
    right. The number of times the map is recomputed grows with the logarithm of the rounds.

    Parameters
    ----------
    learner
        A two-class learner that has seen nothing.
    method
        "isotonic": a step for each bin, whatever the shape. "platt": a logistic curve, for
        short streams and smooth probabilities.
    memory
        After how many rounds the counts are halved.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.Calibrated(th.Perceptron(n_features=1), method="platt")
    >>> rounds = learner.learn([[1.0], [-1.0]] * 50, [1, -1] * 50)
    >>> rounds.mistakes, round(rounds.log_loss, 2)
    (1, 0.09)
    >>> learner.predict_proba([[1.0], [-1.0]]).round(2).tolist()
    [[0.02, 0.98], [0.98, 0.02]]
    >>> 0.9 < learner.probability_one({0: 1.0}) < 1
    True
    """

    name: ClassVar[str] = "calibrated"
    _learner: LinearLearner

    def __init__(
        self, learner: LinearLearner, method: str = "isotonic", memory: int = 100_000
    ) -> None:
        owner = type(self).__name__
        self._take_prototype(learner, (LinearLearner,))
        self._method = method
        self._memory = memory
        self._inner = learner.started_anew()
        kind = METHODS[checked_choice(owner, "method", method, tuple(METHODS))]
        self._calibrator = kind(checked_count(owner, "memory", memory, 1, 2**62))

    def weigh_classes(self, weights: Mapping[int, float]) -> None:
        """Set how much the rows of -1 and +1 count; call this before the first round."""
        for learner in (self._learner, self._inner):
            learner.weigh_classes(weights)

    # ---- learning and predicting ----------------------------------------------------------

    def make_space(self, rows: Rows, *, weighted: bool) -> None:
        """Take the memory that learning these rows takes, if there is so much."""
        self._inner.make_space(rows, weighted=weighted)

    def learn(self, X: Any, y: Any = None, **options: Any) -> CalibratedRounds:
        """Predict, compare and update, one row after another; options are the learner's own."""
        with self._writing(), Uninterrupted():
            # The calibration follows, whatever memory is left when the learner has learned.
            reserve = Reserve(len(X) if isinstance(X, Batch | list) else 0, 1)
            rounds = self._inner.learn(X, y, **options)
            reserve.release()
            margins = rounds.scores - rounds.threshold
            probabilities = self._calibrator.learn(margins, rounds.label)
        return CalibratedRounds(
            rounds.scores,
            rounds.label,
            rounds.threshold,
            probabilities=probabilities,
            refuted_at=rounds.refuted_at,
        )

    def learn_one(self, features: Features, label: int, **options: Any) -> int:
        """Play one round on a dict; return the prediction made before the label was used."""
        score = self._score_of_round(as_dict(features), label, **options)
        return 1 if score >= self.threshold else -1

    def _score_of_round(self, row: dict[Any, float], label: int, importance: float = 1.0) -> float:
        """Play one round; the score before the label was used."""
        with self._writing(), Uninterrupted():
            score = self._inner._score_of_round(row, label, importance)
            self._calibrator.learn_one(score - self._inner.threshold, label)
        return score

    def probability_map(self, label: Label | None = None) -> ProbabilityMap:
        """How its scores become probabilities now."""
        with self._reading():
            return self._calibrator.map()

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probabilities of -1 and of +1 for each row; nothing changes."""
        with self._reading():
            return self.probabilities_of(self._inner.scores(X))

    def probability_one(self, features: Features) -> float:
        """The probability of +1 for a dict of features; nothing changes."""
        # Before the turn is taken: to become a number, a value may ask this very learner.
        _, column, value = pack([as_dict(features)], self._inner.name_table, False)
        row = dict(zip(column.tolist(), value.tolist(), strict=True))
        with self._reading():
            margin = self._inner.score_one(row) - self._inner.threshold
            return float(self._calibrator.probabilities(np.array([margin]))[0])

    def scores(self, X: Any) -> NDArray[np.float64]:
        """The learner's score of each row; nothing changes."""
        return self._inner.scores(X)

    def score_one(self, features: Features) -> float:
        """The learner's score of a dict of features."""
        return self._inner.score_one(features)

    def scores_one(self, features: Features) -> dict[Label, float]:
        """By how much the learner's score of a dict of features exceeds the threshold, for +1."""
        return self._inner.scores_one(features)

    def predict(self, X: Any) -> NDArray[np.int8]:
        """-1 or +1 for each row; nothing changes."""
        return self._inner.predict(X)

    def predict_one(self, features: Features) -> int:
        """-1 or +1 for a dict of features."""
        return self._inner.predict_one(features)

    # ---- what was learned -----------------------------------------------------------------

    @property
    def learner(self) -> LinearLearner:
        """A copy of the learner in its present state: weights, journal and the rest."""
        with self._reading():
            return self._inner.copy()

    def learned_state(self) -> dict[str, NDArray[Any]]:
        """What decides predictions and updates, which the map to probabilities does not."""
        with self._reading():
            return self._inner.learned_state()

    @property
    def variations(self) -> tuple[str, ...]:
        """What its parameters do not say: that some rows counted more than others."""
        return tuple(name for name in self._inner.variations if name == "importance")

    @property
    def calibration(self) -> str:
        """How its scores become probabilities."""
        return self._method

    @property
    def uncalibrated(self) -> LinearLearner:
        """A copy of the learner in its present state: weights, journal and the rest."""
        return self.learner

    @property
    def innermost(self) -> Learner:
        """The learner that is calibrated, as it is."""
        return self._inner

    @property
    def plain_name(self) -> str:
        """What it is, in a word or three."""
        return f"{self.name} {self._inner.plain_name}"

    @property
    def gives_probabilities(self) -> bool:
        """Whether it says how probable each class is, as it was made to."""
        return True

    @property
    def changes_only_on_mistakes(self) -> bool:
        """Whether the learner's weights stay as they are where it was right."""
        return self._inner.changes_only_on_mistakes

    @property
    def name_table(self) -> NameTable:
        """How names of features find their columns."""
        return self._inner.name_table

    @property
    def domain(self) -> ValueLimits:
        """The values that features may have."""
        return self._inner.domain

    def score_parts(self, rows: Rows, label: Label | None = None) -> ScoreParts:
        """What the scores of rows are made of, which are those of the learner."""
        with self._reading():
            return self._inner.score_parts(rows)

    def lone_effects(self, label: Label | None = None) -> LoneEffects:
        """What features add alone to the learner's score."""
        with self._reading():
            return self._inner.lone_effects()

    def linear_form(self, label: Label | None = None) -> LinearForm:
        """The numbers behind the scores, which are those of the learner."""
        return self._inner.linear_form()

    def mixture_form(self, label: Label | None = None) -> CommitteeForm | None:
        """The numbers behind the scores, where the learner is a committee."""
        return self._inner.mixture_form()

    def coefficients(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The learner's weights, and what is added to its scores."""
        with self._reading():
            return self._inner.coefficients()

    @property
    def threshold(self) -> float:  # type: ignore[override]
        """The prediction is +1 exactly when the score is at least this."""
        return self._inner.threshold

    def wait_for_class(self) -> None:
        """Let the learner inside be one of several."""
        self._inner.wait_for_class()

    def check_importance(self, row: int, importance: float) -> None:
        """Refuse what the learner inside does not let a row count."""
        self._inner.check_importance(row, importance)

    @property
    def takes_importance(self) -> bool:
        """Whether rows may count more or less than others."""
        return self._inner.takes_importance

    @property
    def n_features(self) -> int:
        """Number of features that have a weight."""
        return self._inner.n_features

    @property
    def weights(self) -> NDArray[np.float64]:
        """The learner's weights, one per feature, without the bias."""
        with self._reading():
            return self._inner.weights

    @property
    def bias_weight(self) -> float:
        """The weight of the learner's constant feature; 0 for a learner without one."""
        with self._reading():
            return self._inner.bias_weight

    @property
    def n_rounds(self) -> int:
        """Rounds played."""
        return self._inner.n_rounds

    @property
    def mistakes(self) -> int:
        """Rounds in which the prediction was wrong."""
        return self._inner.mistakes

    @property
    def false_negatives(self) -> int:
        """Mistakes on positive rows."""
        return self._inner.false_negatives

    @property
    def false_positives(self) -> int:
        """Mistakes on negative rows."""
        return self._inner.false_positives

    @property
    def journal(self) -> Journal:
        """The learner's updating rows so far, in order."""
        return self._inner.journal

    @property
    def journal_as_given(self) -> Journal | None:
        """The same with rows as `learn` was given them."""
        return self._inner.journal_as_given

    def __repr__(self) -> str:
        return f"Calibrated({self._inner}; {self._method})"

    # ---- state ----------------------------------------------------------------------------

    def _state(self) -> tuple[Any, ...]:
        with self._reading():
            return (self._inner.copy(), self._calibrator.state())

    def _restore(self, state: tuple[Any, ...]) -> None:
        inner, calibration = state
        self._check_member(inner)
        self._calibrator.restore(calibration)
        self._inner = inner

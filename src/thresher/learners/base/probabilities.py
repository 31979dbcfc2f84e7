"""Probabilities: what a learner says about how likely each class is, if it says anything."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.streams.labels import Label

if TYPE_CHECKING:
    from thresher.learners.base.learner import Features
    from thresher.learners.base.probability_map import ProbabilityMap


class Probabilities(ABC):
    """Scores, and what becomes of them where a learner is calibrated; a part of every learner."""

    #: Whether classes have names and may appear at any time; otherwise they are -1 and +1.
    several: ClassVar[bool] = False
    #: With two classes, the prediction is +1 exactly when the score is at least this.
    threshold: float = 0.0

    @property
    def each_class(self) -> Probabilities | None:
        """The learner of which every class has a copy; None for one learner in all."""
        return None

    @abstractmethod
    def scores(self, X: Any) -> NDArray[np.float64]:
        """The score of each row, or of each row for each class; nothing changes."""

    @property
    def gives_probabilities(self) -> bool:
        """Whether it says how probable each class is."""
        return False

    def probabilities_of(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of each class, from scores as `scores` gives them."""
        if (known := self.probability_map()) is None:
            raise self._without_probabilities()
        positive = known.probabilities(scores - self.threshold)
        return np.stack((1.0 - positive, positive), axis=1)

    def probability_map(self, label: Label | None = None) -> ProbabilityMap | None:
        """How the scores, of several classes those of `label`, become probabilities, if they do."""
        return None

    def require_probabilities(self) -> None:
        """Complain if it knows scores alone."""
        if not self.gives_probabilities:
            raise self._without_probabilities()

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of each class for each row, in the order of `classes`."""
        return self.probabilities_of(self.scores(X))

    def probability_one(self, features: Features) -> float:
        """With two classes, the probability of +1 for a dict of features; nothing changes."""
        raise self._without_probabilities()

    def probabilities_one(self, features: Features) -> dict[Label, float]:
        """The probability of each class for a dict of features; nothing changes."""
        positive = self.probability_one(features)
        return {-1: 1.0 - positive, 1: positive}

    def _without_probabilities(self) -> ParameterError:
        wrapped = "OneVersusRest(Calibrated(learner))" if self.several else "Calibrated(learner)"
        return ParameterError(
            type(self).__name__,
            "learner",
            "calibrated to give probabilities",
            self.each_class or self,
            f"Make it {wrapped}, or use a Committee.",
        )

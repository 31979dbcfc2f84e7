"""River classifiers made of learners that know several classes themselves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from thresher.learners.base.multiclass_learner import MulticlassLearner
from thresher.river.classifier import RiverClassifier
from thresher.river.rows import named


class JointRiverClassifier(RiverClassifier):
    """A classifier with one table of weights for all classes.

    The class of the largest score is predicted, among equals the one that appeared first. It
    takes no weights and gives no probabilities.
    """

    @abstractmethod
    def _joint(self) -> MulticlassLearner:
        """A new learner with the parameters of the classifier."""

    def _arranged(self, *, two: bool) -> MulticlassLearner:
        return self._joint()

    def margins_one(self, x: Mapping[Any, float]) -> dict[Any, float]:
        """The score of each class so far."""
        if self.learner is None:
            return {}
        scores = self.learner.scores_one(named(x))
        return {self._told(label): score for label, score in scores.items()}

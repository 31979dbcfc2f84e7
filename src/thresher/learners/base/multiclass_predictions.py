"""Predictions from the scores of several classes: the best, and the best few."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.class_table import Label
from thresher.learners.base.linear_learner import Features
from thresher.learners.base.multiclass_rounds import named
from thresher.parameters import checked_count


class MulticlassPredictions(ABC):
    """What follows from scores; among equal scores the class that appeared first comes first."""

    @abstractmethod
    def scores(self, X: Any) -> NDArray[np.float64]:
        """The score of each row for each class, in the order of `classes`."""

    @abstractmethod
    def scores_one(self, features: Features) -> dict[Label, float]:
        """The score of a dict of features for each class."""

    @property
    @abstractmethod
    def classes(self) -> tuple[Label, ...]:
        """The classes so far, in the order in which they appeared."""

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of the best class for each row; None while there is no class."""
        scores = self.scores(X)
        if not scores.shape[1]:
            return np.full(len(scores), None, object)
        return named(self.classes, np.argmax(scores, axis=1))

    def predict_one(self, features: Features) -> Label | None:
        """The label of the best class for a dict of features; None while there is no class."""
        scores = self.scores_one(features)
        return max(scores, key=scores.__getitem__) if scores else None

    def predict_top(self, X: Any, k: int) -> NDArray[Any]:
        """The labels of the k best classes for each row, best first: a column per place.

        There are fewer columns while there are fewer classes.
        """
        k = checked_count("predict_top", "k", k, 1)
        order = np.argsort(-self.scores(X), axis=1, kind="stable")[:, :k]
        return named(self.classes, order)

    def predict_top_one(self, features: Features, k: int) -> list[Label]:
        """The labels of the k best classes for a dict of features, best first."""
        k = checked_count("predict_top_one", "k", k, 1)
        scores = self.scores_one(features)
        return sorted(scores, key=lambda label: -scores[label])[:k]

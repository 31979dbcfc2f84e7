"""Predictions from the scores of several classes: the best, and the best few."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.learner import Features, Learner
from thresher.parameters import checked_count
from thresher.streams.labels import Label, named


class MulticlassPredictions(Learner):
    """What follows from scores; among equal scores the class that appeared first comes first."""

    several: ClassVar[bool] = True

    @property
    def settled_parameters(self) -> dict[str, Any]:
        """The parameters, classes by the texts that name them."""
        given = self.parameters
        stated = given["classes"]
        return given | {"classes": None if stated is None else tuple(map(str, stated))}

    def _class_names(self) -> NDArray[np.str_]:
        """The classes as a part of the state."""
        return np.array([str(label) for label in self.classes], np.str_)

    @abstractmethod
    def scores_one(self, features: Features) -> dict[Label, float]:
        """The score of a dict of features for each class."""

    def predicted_numbers(self, scores: NDArray[np.float64]) -> NDArray[np.int32]:
        """The number of the best class for each row; -1 while there is no class."""
        if not scores.shape[1]:
            return np.full(len(scores), -1, np.int32)
        return np.asarray(np.argmax(scores, axis=1), np.int32)

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of the best class for each row; None while there is no class."""
        return named(self.classes, self.predicted_numbers(self.scores(X)))

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

"""Weights and intercept of the estimators whose scores are dot products."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from thresher.learners.linear import LinearLearner


class LinearCoefficients:
    """An estimator with ``decision_function(X) = X @ coef_.T + intercept_``.

    With `scaling` the rows are the scaled ones: the coefficients are those of the learner.

    Attributes
    ----------
    coef_ : ndarray
        The weights, one line for each of `learners_`, one column for each feature.
    intercept_ : ndarray
        The weight of the constant feature, if there is one, minus the threshold.
    """

    learners_: list[LinearLearner]
    n_features_in_: int

    @property
    def coef_(self) -> NDArray[np.float64]:
        """The weights, one line for each of `learners_`, one column for each feature."""
        found = np.zeros((len(self.learners_), self.n_features_in_))
        for line, learner in zip(found, self.learners_, strict=True):
            weights = learner.weights
            line[: len(weights)] = weights
        return found

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """The weight of the constant feature, if there is one, minus the threshold."""
        return np.array([learner.bias_weight - learner.threshold for learner in self.learners_])

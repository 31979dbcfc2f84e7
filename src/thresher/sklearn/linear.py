"""Weights and intercept of the estimators whose scores are dot products."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted


class LinearCoefficients:
    """An estimator with ``decision_function(X) = X @ coef_.T + intercept_``.

    With `scaling` the rows are the scaled ones: the coefficients are those of the learner.
    With `calibrate` they are those of the scores behind the probabilities.

    Attributes
    ----------
    coef_ : ndarray
        The weights, one line for two classes and one for each of several, one column for
        each feature.
    intercept_ : ndarray
        The weight of the constant feature, if there is one, minus the threshold.
    """

    _arrangement: Any
    classes_: NDArray[Any]
    n_features_in_: int

    @property
    def coef_(self) -> NDArray[np.float64]:
        """The weights, one line for two classes and one for each of several."""
        check_is_fitted(self, "_arrangement")
        weights, _ = self._arrangement.coefficients(self.classes_)
        # A learner has weights for features up to the last that it has seen, or for all it
        # may ever see.
        found = np.zeros((len(weights), self.n_features_in_))
        width = min(weights.shape[1], self.n_features_in_)
        found[:, :width] = weights[:, :width]
        return found

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """The weight of the constant feature, if there is one, minus the threshold."""
        check_is_fitted(self, "_arrangement")
        _, intercepts = self._arrangement.coefficients(self.classes_)
        return np.asarray(intercepts)

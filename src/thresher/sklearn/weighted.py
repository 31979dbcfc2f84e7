"""WeightedEstimator: an estimator whose learner takes weights of rows and of classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.class_weight import compute_class_weight

from thresher.errors import ImportanceError, ParameterError
from thresher.sklearn.estimator import ClassWeights, Estimator
from thresher.streams.importance import as_importance


class WeightedEstimator(Estimator):
    """An estimator whose step can be scaled by what a row weighs.

    The weight of a row is its `sample_weight` times the `class_weight` of its class; where
    there are several classes, the latter counts in the learner of the row's own class alone,
    as in scikit-learn's Perceptron (`_weighs_everywhere`: in all). A row of weight 2 is one
    longer step, not two rounds: it is not the same as giving the row twice, where the second
    round may find nothing left to do. A row of weight 0 makes mistakes and no update.
    """

    #: Whether what a class weighs counts in the learners of the other classes, too.
    _weighs_everywhere = False

    class_weight: Mapping[Any, float] | str | None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows, from the beginning.

        Parameters
        ----------
        X
            A matrix, sparse or dense, or a frame of numbers.
        y
            The class of each row.
        sample_weight
            How much each row counts; 1 unless given.
        """
        return self._fit(X, y, sample_weight)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Go on learning from more rows.

        Parameters
        ----------
        X, y, sample_weight
            As for `fit`.
        classes
            All classes there are; needed in the first call, unless ``new_classes=True``.
        """
        if self.class_weight == "balanced":
            raise ParameterError(
                type(self).__name__,
                "class_weight",
                "a dict for partial_fit",
                "balanced",
                "How often a class comes is not known before the stream has ended.",
            )
        return self._partial_fit(X, y, classes, sample_weight)

    def _weights_of_classes(self, y: Any, classes: NDArray[Any]) -> ClassWeights:
        given = self.class_weight
        if given is None:
            return None
        if isinstance(given, str) and given == "balanced":
            each = compute_class_weight("balanced", classes=classes, y=y)
            return dict(zip(classes.tolist(), each.tolist(), strict=True))
        known = set(classes.tolist())
        if not isinstance(given, Mapping):
            raise ParameterError(
                type(self).__name__, "class_weight", "a dict, 'balanced' or None", given
            )
        if not self.new_classes and not known.issuperset(given):
            raise ParameterError(
                type(self).__name__, "class_weight", f"about the classes {sorted(known)}", given
            )
        return dict(given)

    def _weight_in_own_learner(self) -> ClassWeights:
        return None if self._weighs_everywhere else self._of_class

    def _importance(
        self, y: Any, classes: NDArray[Any], of_class: ClassWeights, sample_weight: Any
    ) -> NDArray[np.float64] | None:
        weight = as_importance(sample_weight, len(y))
        if weight is not None and not np.any(weight):
            raise ImportanceError("all sample weights are zero: nothing would be learned.")
        if of_class is None or (self._named(classes) and not self._weighs_everywhere):
            return weight
        each = np.array([of_class.get(label, 1.0) for label in classes.tolist()])
        found: NDArray[np.float64] = each[np.searchsorted(classes, y)]
        return found if weight is None else found * weight

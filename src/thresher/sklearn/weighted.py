"""WeightedClassifier: an estimator whose learner takes weights of rows and of classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.class_weight import compute_class_weight

from thresher.errors import ImportanceError, ParameterError
from thresher.sklearn.classifier import StreamClassifier
from thresher.streams.importance import as_importance


class WeightedClassifier(StreamClassifier):
    """A stream classifier whose step can be scaled by what a row weighs.

    The weight of a row is its `sample_weight` times the `class_weight` of its class. A row of
    weight 2 is one longer step, not two rounds: it is not the same as giving the row twice,
    where the second round may find nothing left to do. A row of weight 0 makes mistakes and
    no update.
    """

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

    def _importance(
        self, X: Any, y: Any, classes: NDArray[Any], sample_weight: Any
    ) -> NDArray[np.float64] | None:
        weight = as_importance(sample_weight, len(y))
        if weight is not None and not np.any(weight):
            raise ImportanceError("all sample weights are zero: nothing would be learned.")
        if self.class_weight is None:
            return weight
        of_class = compute_class_weight(self.class_weight, classes=classes, y=y)
        each: NDArray[np.float64] = of_class[np.searchsorted(classes, y)]
        return each if weight is None else each * weight

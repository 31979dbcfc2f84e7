"""JointClassifier: estimators made of learners that know several classes themselves."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from numpy.typing import NDArray

from thresher.learners.base.multiclass_learner import MulticlassLearner
from thresher.sklearn.arrangement import SeveralClasses
from thresher.sklearn.classifier import StreamClassifier
from thresher.sklearn.linear import LinearCoefficients
from thresher.streams.rows import Rows


class JointClassifier(LinearCoefficients, StreamClassifier):
    """A stream classifier with one table of weights for all classes.

    The class of the largest score is predicted, and an update moves the label's weights and
    those of the classes that were wrongly ahead of it, no others. A class may appear at any
    time with ``new_classes=True``.

    With ``new_features=True`` a call to `partial_fit` may bring columns that were not there
    before, as described for :class:`GrowingClassifier`.
    """

    @abstractmethod
    def _joint(self, n_features: int | None, classes: list[Any]) -> MulticlassLearner:
        """A new learner with the parameters of the estimator."""

    def _arranged(self, rows: Rows, classes: NDArray[Any]) -> SeveralClasses:
        return SeveralClasses(self._joint(self._room(), classes.tolist()))

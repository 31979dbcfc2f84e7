"""The p-norm Perceptron for scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.two_class.p_norm import PNormPerceptron
from thresher.sklearn.linear import LinearCoefficients
from thresher.sklearn.stated_room import StatedRoom
from thresher.sklearn.weighted import WeightedClassifier
from thresher.streams.rows import Rows


class PNormPerceptronClassifier(StatedRoom, LinearCoefficients, WeightedClassifier):
    """The p-norm Perceptron; see :class:`thresher.PNormPerceptron`.

    Parameters
    ----------
    p, margin, scaling, journal_bytes
        As for the learner.
    new_features
        As for :class:`WinnowClassifier`.
    fit_intercept, max_iter, class_weight, new_classes, calibrate
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.sklearn import PNormPerceptronClassifier
    >>> model = PNormPerceptronClassifier(p=4, fit_intercept=False)
    >>> model.fit([[1, 1, 0], [0, 0, 1]], [0, 1]).coef_.round(4).tolist()
    [[-0.7071, -0.7071, 0.0]]
    """

    # scikit-learn reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        p: float | None = None,
        margin: float = 0.0,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = None,
        new_features: bool | int = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        self.p = p
        self.margin = margin
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.scaling = scaling
        self.new_features = new_features
        self.new_classes = new_classes
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes

    def _learner(self, rows: Rows, n_features: int | None) -> PNormPerceptron:
        return PNormPerceptron(
            n_features or 1,
            self.p,
            bias=self.fit_intercept,
            margin=self.margin,
            scaling=self.scaling,
            journal_bytes=self.journal_bytes,
        )

"""The Perceptron for scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.two_class.perceptron import Perceptron
from thresher.sklearn.growing import GrowingClassifier
from thresher.streams.rows import Rows


class PerceptronClassifier(GrowingClassifier):
    """The Perceptron; see :class:`thresher.Perceptron` for what it does and its bound.

    Parameters
    ----------
    margin, decay, average, scaling, journal_bytes
        As for the learner.
    fit_intercept
        Whether to add a constant feature 1, whose weight is learned like any other.
    max_iter
        How many passes `fit` makes over the rows, in their order.
    class_weight
        A dict from class to weight, "balanced" (the inverse of how often a class comes, for
        `fit` only), or None.
    new_features
        Whether `partial_fit` may bring features that were not there before.
    new_classes
        Whether `partial_fit` may bring classes that were not there before.
    calibrate
        "isotonic" or "platt": learn from the scores that were taken before their labels were
        known what they are worth as probabilities, see :class:`thresher.Calibrated`, and have
        `predict_proba`. With more than one pass scores come from rows that were seen before,
        and probabilities are too sure.

    Examples
    --------
    >>> from thresher.sklearn import PerceptronClassifier
    >>> model = PerceptronClassifier().fit([[1, 0], [0, 1], [2, 0]], ["ham", "spam", "ham"])
    >>> model.predict([[0, 3], [3, 0]]).tolist(), model.mistakes_
    (['spam', 'ham'], 2)
    >>> model.coef_.tolist(), model.intercept_.tolist()
    ([[-1.0, 1.0]], [0.0])
    """

    # scikit-learn reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        margin: float = 0.0,
        decay: float = 0.0,
        average: bool = False,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = None,
        new_features: bool = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        self.margin = margin
        self.decay = decay
        self.average = average
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.scaling = scaling
        self.new_features = new_features
        self.new_classes = new_classes
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes

    def _learner(self, rows: Rows, n_features: int | None) -> Perceptron:
        return Perceptron(n_features, margin=self.margin, decay=self.decay, **self._options())

"""AdaGrad for scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.two_class.adagrad import AdaGrad
from thresher.sklearn.growing import GrowingClassifier
from thresher.streams.rows import Rows


class AdaGradClassifier(GrowingClassifier):
    """AdaGrad on the hinge or the logistic loss; see :class:`thresher.AdaGrad`.

    Parameters
    ----------
    rate, loss, average, scaling, journal_bytes
        As for the learner. With the logistic loss every
        round is an update: ``journal_bytes=0`` keeps none.
    fit_intercept, max_iter, class_weight, new_features, new_classes, calibrate
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.sklearn import AdaGradClassifier
    >>> model = AdaGradClassifier(rate=0.5, fit_intercept=False)
    >>> model.fit([[4, 0], [1, 1]], [1, 0]).coef_.round(3).tolist()
    [[0.379, -0.5]]
    """

    # scikit-learn reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        rate: float = 0.1,
        loss: str = "hinge",
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
        self.rate = rate
        self.loss = loss
        self.average = average
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.scaling = scaling
        self.new_features = new_features
        self.new_classes = new_classes
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes

    def _learner(self, rows: Rows, n_features: int | None) -> AdaGrad:
        return AdaGrad(n_features, rate=self.rate, loss=self.loss, **self._options())

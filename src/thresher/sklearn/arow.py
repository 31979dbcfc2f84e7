"""AROW for scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.two_class.arow import AROW
from thresher.sklearn.growing import GrowingClassifier
from thresher.streams.rows import Rows


class AROWClassifier(GrowingClassifier):
    """Adaptive regularisation of weights; see :class:`thresher.AROW`.

    Parameters
    ----------
    r, average, scaling, journal_bytes
        As for the learner.
    fit_intercept, max_iter, class_weight, new_features, new_classes, calibrate
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.sklearn import AROWClassifier
    >>> model = AROWClassifier(fit_intercept=False).fit([[1, 0], [1, 1]], ["yes", "no"])
    >>> model.predict([[0, 1], [1, 0]]).tolist(), model.coef_.round(3).tolist()
    (['no', 'yes'], [[0.2, -0.6]])
    """

    # scikit-learn reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        r: float = 1.0,
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
        self.r = r
        self.average = average
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.scaling = scaling
        self.new_features = new_features
        self.new_classes = new_classes
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes

    def _learner(self, rows: Rows, n_features: int | None) -> AROW:
        return AROW(n_features, r=self.r, **self._options())

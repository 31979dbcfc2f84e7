"""Passive-Aggressive learning for scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.two_class.passive_aggressive import PassiveAggressive
from thresher.sklearn.growing import GrowingClassifier
from thresher.streams.rows import Rows


class PassiveAggressiveClassifier(GrowingClassifier):
    """Passive-Aggressive learning; see :class:`thresher.PassiveAggressive`.

    Parameters
    ----------
    variant, C, average, scaling, journal_bytes
        As for the learner. "PA" takes no weights.
    fit_intercept, max_iter, class_weight, new_features, new_classes, calibrate
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.sklearn import PassiveAggressiveClassifier
    >>> model = PassiveAggressiveClassifier(variant="PA", fit_intercept=False)
    >>> model.fit([[2, 0], [0, 1], [2, 1]], [0, 1, 0]).coef_.tolist()
    [[-0.9, 0.8]]
    """

    # A weight is a limit to the step, which says nothing where others are free to go farther.
    _weighs_everywhere = True

    # scikit-learn reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        variant: str = "PA-I",
        C: float = 1.0,
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
        self.variant = variant
        self.C = C
        self.average = average
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.scaling = scaling
        self.new_features = new_features
        self.new_classes = new_classes
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes

    def _learner(self, rows: Rows, n_features: int | None) -> PassiveAggressive:
        return PassiveAggressive(n_features, variant=self.variant, C=self.C, **self._options())

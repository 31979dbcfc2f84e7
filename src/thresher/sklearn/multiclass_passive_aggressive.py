"""Passive-Aggressive learning of several classes for scikit-learn."""

from __future__ import annotations

from typing import Any

from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.multiclass.passive_aggressive import MulticlassPassiveAggressive
from thresher.sklearn.joint import JointClassifier


class MulticlassPassiveAggressiveClassifier(JointClassifier):
    """Passive-Aggressive with several classes; see :class:`thresher.MulticlassPassiveAggressive`.

    One table of weights for all classes, in place of one learner for each. It takes no
    weights of rows or classes.

    Parameters
    ----------
    variant, C, journal_bytes
        As for the learner.
    fit_intercept, max_iter, new_features, new_classes
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.sklearn import MulticlassPassiveAggressiveClassifier
    >>> model = MulticlassPassiveAggressiveClassifier(fit_intercept=False)
    >>> model.fit([[2, 0], [0, 2], [2, 0]], ["a", "b", "c"]).coef_.tolist()
    [[-0.125, -0.25], [-0.25, 0.25], [0.375, 0.0]]
    """

    def __init__(
        self,
        variant: str = "PA-I",
        C: float = 1.0,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        new_features: bool = False,
        new_classes: bool = False,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        self.variant = variant
        self.C = C
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.new_features = new_features
        self.new_classes = new_classes
        self.journal_bytes = journal_bytes

    def _joint(self, n_features: int | None, classes: list[Any]) -> MulticlassPassiveAggressive:
        return MulticlassPassiveAggressive(
            n_features,
            self.variant,
            self.C,
            self.fit_intercept,
            classes=classes,
            journal_bytes=self.journal_bytes,
        )

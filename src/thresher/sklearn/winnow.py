"""Winnow for scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.two_class.winnow import Winnow
from thresher.parameters import Exact
from thresher.sklearn.bounded import BoundedClassifier
from thresher.streams.rows import Rows


class WinnowClassifier(BoundedClassifier):
    """Winnow, for features from 0 to 1; see :class:`thresher.Winnow`.

    It learns disjunctions: with several features that speak for a class and any number that
    mean nothing. A feature that speaks against a class only loses its weight.

    Parameters
    ----------
    beta, threshold, margin, floor, journal_bytes
        As for the learner.
    scaling
        "auto", or as for the learner; see :class:`BoundedClassifier`. Negative features are
        refused whatever it is.
    new_features
        False, or a number: `partial_fit` may bring features that were not there before, until
        there are so many. The learner is made for that number from the start.
    max_iter, class_weight, new_classes, calibrate
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.sklearn import WinnowClassifier
    >>> X = [[1, 0, 1, 0, 0], [0, 1, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 0]]
    >>> model = WinnowClassifier(max_iter=5).fit(X, ["ill", "fit", "ill", "fit"])
    >>> model.predict(X).tolist(), model.mistakes_, model.scaling_
    (['ill', 'fit', 'ill', 'fit'], 7, None)
    """

    _positive_only = True

    # scikit-learn reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        beta: Exact = 1,
        threshold: Exact | None = None,
        margin: float = 0.0,
        floor: Exact | None = None,
        *,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = "auto",
        new_features: bool | int = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        self.beta = beta
        self.threshold = threshold
        self.margin = margin
        self.floor = floor
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.scaling = scaling
        self.new_features = new_features
        self.new_classes = new_classes
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes

    def _bounds(self) -> tuple[float, float]:
        return 0.0, 1.0

    def _learner(self, rows: Rows, n_features: int | None) -> Winnow:
        return Winnow(
            n_features or 1,
            self.beta,
            self.threshold,
            margin=self.margin,
            floor=self.floor,
            **self._options(rows),
        )

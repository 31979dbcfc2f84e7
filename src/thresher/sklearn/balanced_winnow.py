"""Balanced Winnow for scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.two_class.balanced_winnow import BalancedWinnow
from thresher.parameters import Exact
from thresher.sklearn.bounded import BoundedClassifier
from thresher.streams.rows import Rows


class BalancedWinnowClassifier(BoundedClassifier):
    """Balanced Winnow, for features from -1 to 1; see :class:`thresher.BalancedWinnow`.

    Its page says what it cannot learn; :class:`SignedWinnowClassifier` can.

    Parameters
    ----------
    beta, threshold, margin, floor, journal_bytes
        As for the learner.
    scaling
        "auto", or as for the learner; see :class:`BoundedClassifier`.
    new_features
        As for :class:`WinnowClassifier`.
    max_iter, class_weight, new_classes, calibrate
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.sklearn import BalancedWinnowClassifier
    >>> X, y = [[1, 0, 1], [0, 1, 1], [1, 1, 0]], [1, 0, 1]
    >>> model = BalancedWinnowClassifier(max_iter=4).fit(X, y)
    >>> model.predict(X).tolist(), model.coef_.tolist()
    ([1, 0, 1], [[3.75, 0.0, 0.0]])
    """

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

    def _learner(self, rows: Rows, n_features: int | None) -> BalancedWinnow:
        return BalancedWinnow(
            n_features or 1,
            self.beta,
            self.threshold,
            margin=self.margin,
            floor=self.floor,
            **self._options(rows),
        )

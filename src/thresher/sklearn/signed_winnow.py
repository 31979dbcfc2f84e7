"""Signed Winnow for scikit-learn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.two_class.signed_winnow import SignedWinnow
from thresher.parameters import Exact
from thresher.sklearn.bounded import BoundedClassifier
from thresher.streams.rows import Rows


class SignedWinnowClassifier(BoundedClassifier):
    """Signed Winnow (EG±), for features from -1 to 1; see :class:`thresher.SignedWinnow`.

    Parameters
    ----------
    eta, margin, journal_bytes
        As for the learner. By default the step is the best one for targets of margin 0.1,
        which costs 200 ln(2n) mistakes at most. Without either the margin is guessed, and
        learning starts over when the guess was wrong; there are no weights then.
    fit_intercept
        Whether to add a constant feature 1.
    scaling
        "auto", or as for the learner; see :class:`BoundedClassifier`.
    new_features
        As for :class:`WinnowClassifier`.
    max_iter, class_weight, new_classes, calibrate
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.sklearn import SignedWinnowClassifier
    >>> X, y = [[1, 0], [0, 1], [0, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> model = SignedWinnowClassifier(margin=0.2, max_iter=4).fit(X, y)
    >>> model.predict(X).tolist()
    ['no', 'yes', 'yes', 'no']
    """

    # scikit-learn reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        eta: Exact | None = None,
        margin: Exact | None = 0.1,
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        class_weight: Mapping[Any, float] | str | None = None,
        scaling: str | None = "auto",
        new_features: bool | int = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        self.eta = eta
        self.margin = margin
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.scaling = scaling
        self.new_features = new_features
        self.new_classes = new_classes
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes

    def _learner(self, rows: Rows, n_features: int | None) -> SignedWinnow:
        return SignedWinnow(
            n_features or 1, self.eta, self.margin, bias=self.fit_intercept, **self._options(rows)
        )

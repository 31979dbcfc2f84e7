"""The Committee for scikit-learn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.learners.two_class.committee import Committee
from thresher.sklearn.two_class import TwoClassClassifier
from thresher.streams.rows import Rows


class CommitteeClassifier(TwoClassClassifier):
    """Eight learners in one pass, mixed so that nothing needs tuning; see `thresher.Committee`.

    It takes no weights of rows or classes, and there is no journal to certify.

    Parameters
    ----------
    members
        As for the learner.
    max_iter, new_features, new_classes
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.sklearn import CommitteeClassifier
    >>> X, y = [[1, 0], [0, 1], [1, 1]] * 20, ["ham", "spam", "spam"] * 20
    >>> model = CommitteeClassifier().fit(X, y)
    >>> model.predict([[1, 0], [0, 1]]).tolist()
    ['ham', 'spam']
    >>> bool(model.predict_proba([[1, 0]])[0, 0] > 0.9)
    True
    """

    def __init__(
        self,
        members: Iterable[tuple[str, float, str]] | None = None,
        *,
        max_iter: int = 1,
        new_features: bool = False,
        new_classes: bool = False,
    ) -> None:
        self.members = members
        self.max_iter = max_iter
        self.new_features = new_features
        self.new_classes = new_classes

    def _learner(self, rows: Rows, n_features: int | None) -> Committee:
        return Committee(n_features, self.members)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of each class for each row; nothing changes.

        For two classes it is the committee's own. For several each class has the probability
        that its committee gives it against the rest, and they are divided by their sum.
        """
        rows = self._rows(X)
        return self._arrangement.probabilities(rows, self.classes_)

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The natural logarithm of the probabilities."""
        return np.asarray(np.log(self.predict_proba(X)))

"""Answers: what a fitted estimator predicts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from thresher.errors import UnsoundBatchError
from thresher.learners.base.learner import Learner
from thresher.sklearn.columns import checked_matrix
from thresher.sklearn.declaration import Declaration
from thresher.streams.rows import Rows

#: The smallest positive number, for a tie that predicts the second class.
BARELY_POSITIVE = float(np.nextafter(0.0, 1.0))


def gives_probabilities(estimator: Any) -> bool:
    """Whether an estimator has probabilities; an error says how to get them."""
    if not estimator._example.gives_probabilities and not estimator._calibrated():
        raise AttributeError("set calibrate='platt' or calibrate='isotonic' to have probabilities")
    return True


def gives_scores(estimator: Any) -> bool:
    """Whether predictions go by the scores, as they do unless these are calibrated."""
    if estimator._calibrated():
        raise AttributeError("with calibrate, predict_proba takes the place of the scores")
    return True


class Answers(Declaration):
    """The part of an estimator that predicts, and changes nothing."""

    #: The learner behind the estimator, once there is one.
    _inner: Learner
    classes_: NDArray[Any]

    @available_if(gives_scores)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """By how much the score of each row exceeds the threshold; not there with `calibrate`.

        For two classes one number per row, positive where the second of `classes_` is
        predicted; a tie is returned as the number next to 0 on the side of the prediction. For
        several one column per class.
        """
        scores = self._checked_learner().scores(self._rows(X))
        if not self._inner.several:
            lead, tie = scores - self._inner.threshold, BARELY_POSITIVE
        else:
            order = self._order()
            if len(order) != 2:
                return scores[:, order] if len(order) > 1 else scores[:, 0]
            lead = scores[:, order[1]] - scores[:, order[0]]
            tie = BARELY_POSITIVE * (order[0] - order[1])
        return np.where(lead == 0.0, tie, lead)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row; with `calibrate` the likeliest one. Nothing changes."""
        if self._calibrated():
            number = np.argmax(self.predict_proba(X), axis=1)
        else:
            learner = self._checked_learner()
            predicted = learner.predicted_numbers(learner.scores(self._rows(X)))
            number = np.argsort(self._order())[predicted]
        found: NDArray[Any] = self.classes_[number]
        return found

    @available_if(gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of each class for each row; nothing changes.

        For several classes, each one's probability against the rest, divided by their sum.
        """
        given = self._checked_learner().predict_proba(self._rows(X))
        return given[:, self._order()]

    @available_if(gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The natural logarithm of the probabilities."""
        return np.asarray(np.log(self.predict_proba(X)))

    def _calibrated(self) -> bool:
        return getattr(self, "calibrate", None) is not None

    def _checked_learner(self) -> Learner:
        check_is_fitted(self, "_inner")
        return self._inner

    def _rows(self, X: Any) -> Rows:
        X, _ = checked_matrix(self, X, None, reset=False)
        return self._rows_of(X)

    def _rows_of(self, X: Any) -> Rows:
        rows = Rows.of(X)
        if self._example.domain.lowest >= 0.0 > rows.lowest:
            raise UnsoundBatchError(
                f"Negative values in data passed to {type(self).__name__}, whose features must "
                "not be negative. HashingVectorizer makes none with alternate_sign=False, "
                "MinMaxScaler moves them up."
            )
        return rows

    def _order(self) -> list[int]:
        """Where each of the classes, which are sorted, stands among those of the learner."""
        if not self._inner.several:
            return [0, 1]
        place = {label: at for at, label in enumerate(self._inner.classes)}
        return [place[label] for label in self.classes_.tolist()]

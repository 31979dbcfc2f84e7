"""Answers: what a fitted estimator predicts, and what it tells about what it learned."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import vstack
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from thresher.certifier.certification import certify
from thresher.errors import ExportError, UnsoundBatchError
from thresher.learners.base.learner import Learner
from thresher.sklearn.columns import checked_matrix
from thresher.sklearn.declaration import Declaration
from thresher.streams.batch import Batch
from thresher.streams.rows import Rows
from thresher.theory import Concept
from thresher.verifier.certificate import Certificate

#: The smallest positive number, for a tie that predicts the second class.
BARELY_POSITIVE = float(np.nextafter(0.0, 1.0))


class Part(NamedTuple):
    """A learner without calibration, the class that is its +1, and the first row it has seen."""

    label: Any
    learner: Learner
    first_row: int


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
    """The part of an estimator that changes nothing."""

    #: The learner behind the estimator, once there is one.
    _inner: Learner
    classes_: NDArray[Any]
    n_features_in_: int
    n_rounds_: int
    n_iter_: int

    # ---- predicting -------------------------------------------------------------------------

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

    # ---- what was learned -------------------------------------------------------------------

    @property
    def learner_(self) -> Learner:
        """The thresher learner behind the estimator."""
        return self._checked_learner()

    @property
    def learners_(self) -> list[Learner]:
        """The two-class learners: that of `classes_[1]`, or copies of those of each class."""
        parts = self._parts()
        if parts[0].label is None:
            raise AttributeError("one table of weights serves all classes: see learner_")
        return [part.learner for part in parts]

    @property
    def coef_(self) -> NDArray[np.float64]:
        """The weights, one line for two classes and one for each of several.

        With `scaling` they are those of the scaled rows, with `calibrate` those of the scores
        behind the probabilities.
        """
        weights, _ = self._coefficients()
        # A learner has weights for features up to the last that it has seen, or for all it
        # may ever see.
        found = np.zeros((len(weights), self.n_features_in_))
        width = min(weights.shape[1], self.n_features_in_)
        found[:, :width] = weights[:, :width]
        return found

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """The weight of the constant feature, if there is one, minus the threshold."""
        return self._coefficients()[1]

    def _coefficients(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        learner = self._checked_learner()
        try:
            weights, added = learner.coefficients()
        except ExportError as error:
            raise AttributeError(f"no coef_: {error}") from error
        if not learner.several:
            return weights, added
        weights, added = weights[self._order()], added[self._order()]
        if len(weights) == 2:
            return weights[1:] - weights[:1], added[1:] - added[:1]
        return weights, added

    def _parts(self) -> list[Part]:
        """The learner of each class, or the only one there is."""
        learner = self._checked_learner()
        if not learner.several:
            return [Part(self.classes_[1], learner.uncalibrated, 0)]
        if learner.each_class is None:
            return [Part(None, learner, 0)]
        each = {label: learner.learner_of(label).uncalibrated for label in self.classes_.tolist()}
        return [Part(label, one, self.n_rounds_ - one.n_rounds) for label, one in each.items()]

    def certificate(
        self,
        X: Any = None,
        y: Any = None,
        *,
        claim: Concept | None = None,
        witness: Any = None,
        delta: float | Fraction = 0.05,
    ) -> Certificate | dict[Any, Certificate]:
        """The strongest certificate for the run: what the theorems allow, and what was.

        Parameters
        ----------
        X, y
            The rows that `fit` was given, or all that `partial_fit` was given, in order.
        claim, witness, delta
            As for :func:`thresher.certify`.

        Returns
        -------
        Certificate or dict
            One for two classes; otherwise one for the learner of each class.
        """
        found = {}
        for part in self._parts():
            stream = None if X is None else self._stream(X, y, part)
            found[part.label] = certify(
                part.learner, stream, claim=claim, witness=witness, delta=delta
            )
        return next(iter(found.values())) if len(found) == 1 else found

    def _stream(self, X: Any, y: Any, part: Part) -> Batch:
        """What one two-class learner has seen, all passes."""
        rows = self._rows(X).to_scipy(self.n_features_in_)
        repeated = vstack([rows] * self.n_iter_, format="csr")[part.first_row :]
        sign = np.where(np.asarray(y) == part.label, 1, -1).astype(np.int8)
        return Batch.from_rows(Rows.of(repeated), np.tile(sign, self.n_iter_)[part.first_row :])

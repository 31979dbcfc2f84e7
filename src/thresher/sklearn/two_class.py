"""TwoClassClassifier: estimators made of learners that tell two classes apart."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.calibration.calibrated import METHODS, Calibrated
from thresher.learners.multiclass.one_versus_rest import OneVersusRest
from thresher.parameters import checked_choice
from thresher.sklearn.arrangement import SeveralClasses, TwoClasses
from thresher.sklearn.classifier import StreamClassifier
from thresher.streams.rows import Rows


def gives_probabilities(estimator: Any) -> bool:
    """Whether an estimator has been asked to calibrate its scores; an error says how to ask."""
    if estimator.calibrate is None:
        raise AttributeError("set calibrate='platt' or calibrate='isotonic' to have probabilities")
    return True


def gives_scores(estimator: Any) -> bool:
    """Whether predictions go by the scores, as they do unless these are calibrated."""
    if estimator.calibrate is not None:
        raise AttributeError("with calibrate, predict_proba takes the place of the scores")
    return True


class TwoClassClassifier(StreamClassifier):
    """A stream classifier whose learner knows two classes.

    Two classes need one learner, several one each (:class:`thresher.OneVersusRest`): the class
    whose score exceeds its threshold by most is predicted. With ``new_classes=True`` every
    class has its own learner from the start, also where there are two.

    With `calibrate` there are probabilities, and the likeliest class is predicted, as
    scikit-learn's CalibratedClassifierCV does. `mistakes_` and certificates still are about
    the predictions of the learner, which go by its scores.

    Attributes
    ----------
    learners_ : list
        The two-class learners: that of `classes_[1]` where they are two, and copies of those
        of each class where they are several.
    """

    calibrate: str | None = None

    @abstractmethod
    def _learner(self, rows: Rows, n_features: int | None) -> LinearLearner:
        """A new learner with the parameters of the estimator; `rows` are the first it will see."""

    def _arranged(self, rows: Rows, classes: NDArray[Any]) -> TwoClasses | SeveralClasses:
        learner: Any = self._learner(rows, self._room())
        if self.calibrate is not None:
            owner = type(self).__name__
            method = checked_choice(owner, "calibrate", self.calibrate, tuple(METHODS))
            learner = Calibrated(learner, method)
        if len(classes) == 2 and not self.new_classes:
            return TwoClasses(learner)
        return SeveralClasses(
            OneVersusRest(learner, classes.tolist(), self._weight_in_own_learner())
        )

    def _weight_in_own_learner(self) -> Mapping[Any, float] | None:
        """What the rows of a class count in that one of several learners that is its own."""
        return None

    @available_if(gives_scores)  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """By how much the score of each row exceeds the threshold; not there with `calibrate`.

        For two classes one number per row, positive where the second of `classes_` is
        predicted; a score that equals the threshold predicts it and is returned as the
        smallest positive number. For several one column per class.
        """
        return super().decision_function(X)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row; with `calibrate` the likeliest one. Nothing changes."""
        if self.calibrate is None:
            return super().predict(X)
        likeliest = np.argmax(self.predict_proba(X), axis=1)
        found: NDArray[Any] = self.classes_[likeliest]
        return found

    @available_if(gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of each class for each row; there with `calibrate` only.

        For several classes, each one's probability against the rest, divided by their sum.
        """
        rows = self._rows(X)
        return self._arrangement.probabilities(rows, self.classes_)

    @available_if(gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The natural logarithm of the probabilities."""
        return np.asarray(np.log(self.predict_proba(X)))

    @property
    def learners_(self) -> list[Any]:
        """The two-class learners behind the estimator, in the order of `classes_`."""
        check_is_fitted(self, "_arrangement")
        parts = self._arrangement.parts(self.classes_, self.n_rounds_)
        return [part.learner for part in parts]

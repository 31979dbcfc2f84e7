"""StreamClassifier: what the scikit-learn estimators of this package share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import vstack
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_non_negative

from thresher.audit.certificate import Certificate
from thresher.audit.certify import certify
from thresher.errors import LabelError
from thresher.learners.calibrated import METHODS
from thresher.learners.calibration import Calibrator
from thresher.learners.linear import LinearLearner
from thresher.parameters import checked_choice, checked_count
from thresher.sklearn.arrangement import Arrangement
from thresher.sklearn.columns import checked_matrix
from thresher.streams.batch import Batch
from thresher.streams.rows import Rows
from thresher.theory import Concept

#: The smallest positive number, for a tie that predicts the second class.
BARELY_POSITIVE = float(np.nextafter(0.0, 1.0))


def gives_probabilities(estimator: Any) -> bool:
    """Whether an estimator has been asked to calibrate its scores."""
    return estimator.calibrate is not None


class StreamClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A thresher learner as a scikit-learn classifier.

    `fit` plays `max_iter` passes over the rows in the order given; `partial_fit` plays one
    and goes on where the last call ended. Nothing is shuffled and nothing stops early.

    Two classes need one learner, several one each (this class, or another one?); the class
    whose score exceeds its threshold by most is predicted, among equals the first of
    `classes_`. With ``new_classes=True`` every class has its own learner from the start, also
    where there are two.

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    learners_ : list
        The thresher learners behind the estimator: one where `classes_` are two, whose +1 is
        the second, otherwise one for each class.
    mistakes_ : int
        Rounds in which the class predicted before the label was known was wrong, in all
        passes and calls since the last `fit`.
    n_rounds_ : int
        Rounds played: rows times passes.
    n_iter_ : int
        Passes over the rows.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    """

    #: Features must not be negative.
    _positive_only = False
    #: Linear scores in a few features may be beyond it.
    _poor_score = False
    new_features: bool = False
    calibrate: str | None = None

    # ---- what an estimator supplies ---------------------------------------------------------

    max_iter: int
    new_classes: bool

    @abstractmethod
    def _learner(self, rows: Rows, n_features: int | None) -> LinearLearner:
        """A new learner with the parameters of the estimator; `rows` are the first it will see."""

    # ---- learning ---------------------------------------------------------------------------

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from rows, from the beginning.

        Parameters
        ----------
        X
            A matrix, sparse or dense, or a frame of numbers.
        y
            The class of each row.
        """
        return self._fit(X, y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on learning from more rows.

        Parameters
        ----------
        X, y
            As for `fit`.
        classes
            All classes there are; needed in the first call, unless ``new_classes=True``.
        """
        return self._partial_fit(X, y, classes)

    def _fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        passes = checked_count(type(self).__name__, "max_iter", self.max_iter, 1)
        X, y = checked_matrix(self, X, y, reset=True)
        rows, number, classes = self._labelled(X, y)
        weight = self._importance(X, y, classes, sample_weight)
        counting = number if weight is None else number[weight > 0.0]
        if len(np.unique(counting)) < 2 and not self.new_classes:
            raise LabelError(
                f"{type(self).__name__} needs rows of at least 2 classes that count, found "
                f"{len(np.unique(counting))} class."
            )
        self._start(rows, classes)
        for _ in range(passes):
            self._play(rows, number, weight)
        self.n_iter_ = passes
        return self

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any = None) -> Self:
        first = not hasattr(self, "_members")
        X, y = checked_matrix(self, X, y, reset=first)
        before = self._classes_before(classes, first=first)
        known = self._classes_now(y, before, classes)
        rows, number, known = self._labelled(X, y, known)
        weight = self._importance(X, y, known, sample_weight)
        if first:
            self._start(rows, before)
        self._members.add(known.tolist(), number)
        self.classes_ = known
        self._play(rows, number, weight)
        self.n_iter_ = 1
        return self

    def _start(self, rows: Rows, classes: NDArray[Any]) -> None:
        # A learner that is to grow is told no number of features.
        n_features = None if self.new_features else self.n_features_in_
        self._members = Arrangement(
            self._learner(rows, n_features),
            classes.tolist(),
            each=self.new_classes,
            calibrator=self._calibrator(),
        )
        self.classes_ = classes
        self.mistakes_ = 0
        self.n_rounds_ = 0

    def _calibrator(self) -> type[Calibrator] | None:
        if self.calibrate is None:
            return None
        owner = type(self).__name__
        return METHODS[checked_choice(owner, "calibrate", self.calibrate, tuple(METHODS))]

    def _play(
        self, rows: Rows, number: NDArray[np.int64], weight: NDArray[np.float64] | None
    ) -> None:
        self.mistakes_ += self._members.learn(rows, number, weight)
        self.n_rounds_ += len(rows)

    def _labelled(
        self, X: Any, y: Any, classes: NDArray[Any] | None = None
    ) -> tuple[Rows, NDArray[np.int64], NDArray[Any]]:
        """Rows, the number of each one's class, and the classes."""
        check_classification_targets(y)
        if self._positive_only:
            check_non_negative(X, f"{type(self).__name__} (input X)")
        if classes is None:
            classes = np.unique(y)
        return Rows.of(X), np.searchsorted(classes, y), classes

    def _classes_before(self, classes: Any, *, first: bool) -> NDArray[Any]:
        """The classes that were known before this call to `partial_fit`."""
        if not first:
            found: NDArray[Any] = self.classes_
            return found
        if classes is None and not self.new_classes:
            raise LabelError(
                "classes must be passed on the first call to partial_fit, or new_classes=True "
                "be set, with which classes may appear at any time."
            )
        return np.unique([] if classes is None else classes)

    def _classes_now(self, y: Any, before: NDArray[Any], classes: Any) -> NDArray[Any]:
        """The classes from this call to `partial_fit` on."""
        check_classification_targets(y)
        given = y if classes is None else np.union1d(classes, y)
        unknown = np.setdiff1d(given, before)
        if not self.new_classes and len(unknown):
            raise LabelError(
                f"found the classes {unknown[:5].tolist()}, and partial_fit was first told that "
                f"there are {before.tolist()}. Set new_classes=True for classes that come later."
            )
        return np.union1d(before, unknown) if len(before) else unknown

    def _importance(
        self, X: Any, y: Any, classes: NDArray[Any], sample_weight: Any
    ) -> NDArray[np.float64] | None:
        """How much each row counts; None where all count the same."""
        return None

    # ---- predicting -------------------------------------------------------------------------

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """By how much the score of each row exceeds the threshold; nothing changes.

        For two classes one number per row, positive where the second of `classes_` is
        predicted; a score that equals the threshold predicts it and is returned as the
        smallest positive number. For several one column per class.
        """
        rows = self._rows(X)
        margins = self._members.margins(rows)
        if margins.shape[1] == 1:
            only = margins[:, 0]
            return np.where(only == 0.0, BARELY_POSITIVE, only)
        return margins[:, 1] - margins[:, 0] if len(self.classes_) == 2 else margins

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row; nothing changes."""
        decision = self.decision_function(X)
        found: NDArray[Any]
        if len(self.classes_) == 1:
            found = np.repeat(self.classes_, len(decision))
        elif decision.ndim == 1:
            found = self.classes_[(decision > 0.0).astype(np.int64)]
        else:
            found = self.classes_[np.argmax(decision, axis=1)]
        return found

    @available_if(gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """The probability of each class for each row; there with `calibrate` only.

        For several classes, each one's probability against the rest, divided by their sum.
        Predictions come from the scores: a class may be predicted that is not the likeliest.
        """
        rows = self._rows(X)
        return self._members.probabilities(rows)

    @available_if(gives_probabilities)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """The natural logarithm of the probabilities."""
        return np.asarray(np.log(self.predict_proba(X)))

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "_members")
        X, _ = checked_matrix(self, X, None, reset=False)
        if self._positive_only:
            check_non_negative(X, f"{type(self).__name__} (input X)")
        return Rows.of(X)

    # ---- what was learned -------------------------------------------------------------------

    @property
    def learners_(self) -> list[LinearLearner]:
        """The thresher learners behind the estimator."""
        check_is_fitted(self, "_members")
        return self._members.learners

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
        learners = self.learners_
        stream: list[tuple[Any, Any]] = [(None, None)] * len(learners)
        if X is not None:
            rows = self._rows(X).to_scipy(self.n_features_in_)
            repeated = Rows.of(vstack([rows] * self.n_iter_, format="csr"))
            labels = np.tile(np.searchsorted(self.classes_, np.asarray(y)), self.n_iter_)
            positive = [1] if len(learners) == 1 else range(len(learners))
            signs = [np.where(labels == number, 1, -1).astype(np.int8) for number in positive]
            stream = [(Batch.from_rows(repeated, sign), None) for sign in signs]
        found = [
            certify(learner, *given, claim=claim, witness=witness, delta=delta)
            for learner, given in zip(learners, stream, strict=True)
        ]
        if len(found) == 1:
            return found[0]
        return dict(zip(self.classes_.tolist(), found, strict=True))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self._positive_only
        tags.classifier_tags.poor_score = self._poor_score
        return tags

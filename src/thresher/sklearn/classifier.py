"""StreamClassifier: what the scikit-learn estimators of this package share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import vstack
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from thresher.certifier import certify
from thresher.errors import LabelError, StateError, UnsoundBatchError
from thresher.parameters import checked_count
from thresher.sklearn.arrangement import SeveralClasses, TwoClasses
from thresher.sklearn.columns import checked_matrix
from thresher.streams.batch import Batch
from thresher.streams.rows import Rows
from thresher.theory import Concept
from thresher.verifier import Certificate


class StreamClassifier(ClassifierMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A thresher learner as a scikit-learn classifier.

    `fit` plays `max_iter` passes over the rows in the order given; `partial_fit` plays one
    and goes on where the last call ended. Nothing is shuffled and nothing stops early.

    Among classes of equal score the first of `classes_` is predicted; with
    ``new_classes=True`` the one that appeared first.

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    learner_
        The thresher learner behind the estimator, with all it knows and can do. Where
        `classes_` are two, its +1 is the second; where they are several, it knows their names.
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

    # ---- what an estimator supplies ---------------------------------------------------------

    max_iter: int
    new_classes: bool
    new_features: bool | int

    @abstractmethod
    def _arranged(self, rows: Rows, classes: NDArray[Any]) -> TwoClasses | SeveralClasses:
        """What is to learn the classes known at the start; `rows` are the first it will see."""

    def _room(self) -> int | None:
        """The number of features a learner must have room for; None where it grows."""
        return None if self.new_features else self.n_features_in_

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
        rows, classes = self._rows_of(X), self._classes_of(y)
        of_class = self._weights_of_classes(y, classes)
        weight = self._importance(y, classes, of_class, sample_weight)
        counting = len(np.unique(y if weight is None else y[weight > 0.0]))
        if counting < 2 and not self.new_classes:
            raise LabelError(
                f"{type(self).__name__} needs rows of at least 2 classes that count, found "
                f"{counting} class."
            )
        self._start(rows, classes, of_class)
        for _ in range(passes):
            self._play(rows, y, classes, weight)
        self.n_iter_ = passes
        return self

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any = None) -> Self:
        before = self.__dict__.copy()
        first = not hasattr(self, "_arrangement")
        try:
            X, y = checked_matrix(self, X, y, reset=first)
            rows, now = self._rows_of(X), self._classes_of(y)
            if first:
                stated = self._stated(classes)
                self._start(rows, stated, self._weights_of_classes(y, stated))
            known = self._classes_now(now, classes)
            weight = self._importance(y, known, self._of_class, sample_weight)
            self._play(rows, y, known, weight)
        except BaseException:
            # What was refused leaves no trace, neither of new features nor of new classes.
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        self.n_iter_ = 1
        return self

    def _start(
        self, rows: Rows, classes: NDArray[Any], of_class: Mapping[Any, float] | None
    ) -> None:
        self._of_class = of_class
        self._arrangement = self._arranged(rows, classes)
        self.classes_ = classes
        self.mistakes_ = 0
        self.n_rounds_ = 0

    def _play(
        self,
        rows: Rows,
        y: Any,
        classes: NDArray[Any],
        weight: NDArray[np.float64] | None,
    ) -> None:
        self.mistakes_ += self._arrangement.learn(rows, y, classes, weight)
        self.n_rounds_ += len(rows)
        self.classes_ = classes

    def _rows_of(self, X: Any) -> Rows:
        rows = Rows.of(X)
        if self._positive_only and rows.lowest < 0.0:
            raise UnsoundBatchError(
                f"Negative values in data passed to {type(self).__name__}, whose features must "
                "not be negative. HashingVectorizer makes none with alternate_sign=False, "
                "MinMaxScaler moves them up."
            )
        return rows

    def _classes_of(self, y: Any) -> NDArray[Any]:
        check_classification_targets(y)
        return np.unique(y)

    def _stated(self, classes: Any) -> NDArray[Any]:
        """The classes that the first call to `partial_fit` is told of."""
        if classes is None and not self.new_classes:
            raise LabelError(
                "classes must be passed on the first call to partial_fit, or new_classes=True "
                "be set, with which classes may appear at any time."
            )
        return np.unique([] if classes is None else classes)

    def _classes_now(self, found: NDArray[Any], classes: Any) -> NDArray[Any]:
        """The classes from this call to `partial_fit` on."""
        before = self.classes_
        unknown = np.setdiff1d(found, before)
        if classes is not None and not self.new_classes:
            unknown = np.union1d(unknown, np.setdiff1d(classes, before))
        if not len(unknown):
            return before
        if not self.new_classes:
            raise LabelError(
                f"found the classes {unknown[:5].tolist()}, and partial_fit was first told that "
                f"there are {before.tolist()}. Set new_classes=True for classes that come later."
            )
        if isinstance(self._arrangement, TwoClasses):
            raise StateError(
                "two classes without new_classes=True share one learner, which cannot become "
                "three. Set new_classes=True before the first fit."
            )
        return np.union1d(before, unknown) if len(before) else unknown

    def _weights_of_classes(self, y: Any, classes: NDArray[Any]) -> Mapping[Any, float] | None:
        """How much the rows of each class count; None where all count the same."""
        return None

    def _importance(
        self,
        y: Any,
        classes: NDArray[Any],
        of_class: Mapping[Any, float] | None,
        sample_weight: Any,
    ) -> NDArray[np.float64] | None:
        """How much each row counts; None where all count the same."""
        return None

    # ---- predicting -------------------------------------------------------------------------

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """By how much the score of each row exceeds the threshold; nothing changes.

        For two classes one number per row, positive where the second of `classes_` is
        predicted. For several one column per class.
        """
        rows = self._rows(X)
        return self._arrangement.decision(rows, self.classes_)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row; nothing changes."""
        rows = self._rows(X)
        found: NDArray[Any] = self.classes_[self._arrangement.predicted(rows, self.classes_)]
        return found

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "_arrangement")
        X, _ = checked_matrix(self, X, None, reset=False)
        return self._rows_of(X)

    # ---- what was learned -------------------------------------------------------------------

    @property
    def learner_(self) -> Any:
        """The thresher learner behind the estimator."""
        check_is_fitted(self, "_arrangement")
        return self._arrangement.learner

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
        check_is_fitted(self, "_arrangement")
        found = {}
        for part in self._arrangement.parts(self.classes_, self.n_rounds_):
            stream = None if X is None else self._stream(X, y, part.label, part.first_row)
            found[part.label] = certify(
                part.learner, stream, claim=claim, witness=witness, delta=delta
            )
        return next(iter(found.values())) if len(found) == 1 else found

    def _stream(self, X: Any, y: Any, positive: Any, first_row: int) -> Batch:
        """What one two-class learner has seen, all passes."""
        rows = self._rows(X).to_scipy(self.n_features_in_)
        repeated = vstack([rows] * self.n_iter_, format="csr")[first_row:]
        sign = np.where(np.asarray(y) == positive, 1, -1).astype(np.int8)
        return Batch.from_rows(Rows.of(repeated), np.tile(sign, self.n_iter_)[first_row:])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = self._positive_only
        tags.classifier_tags.poor_score = self._poor_score
        return tags

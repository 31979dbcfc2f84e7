"""Estimator: a learner as a scikit-learn classifier, and how it learns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self
from warnings import warn

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from thresher.errors import LabelError, SortedRowsWarning
from thresher.learners.base.learner import Learner
from thresher.learners.calibration.calibrated import METHODS
from thresher.learners.multiclass.arrangement import arranged
from thresher.models.label_order import LabelOrder
from thresher.parameters import checked_choice, checked_count
from thresher.sklearn.classes import classes_now, classes_of, stated_classes
from thresher.sklearn.columns import checked_matrix, room_for
from thresher.sklearn.learned import Learned
from thresher.streams.batch import Batch
from thresher.streams.rows import Rows

#: How much the rows of each class count; None where all count the same.
ClassWeights = Mapping[Any, float] | None


class Estimator(Learned, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A thresher learner as a scikit-learn classifier.

    `fit` plays `max_iter` passes over the rows in the order given; `partial_fit` plays one
    and goes on where the last call ended. Nothing is shuffled and nothing stops early.

    Two classes need one learner. Several have one each (:class:`thresher.OneVersusRest`),
    unless the learner has a table for all. Among classes of equal score the first of
    `classes_` is predicted; with ``new_classes=True`` the one that appeared first.

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    learner_
        The thresher learner behind the estimator, with all it knows and can do. Where
        `classes_` are two, its +1 is the second; where they are several, it knows their names.
    learners_ : list
        The two-class learners: that of `classes_[1]` where they are two, and copies of those
        of each class where they are several.
    mistakes_ : int
        Rounds in which the class predicted before the label was known was wrong, in all
        passes and calls since the last `fit`.
    n_rounds_ : int
        Rounds played: rows times passes.
    n_iter_ : int
        Passes over the rows.
    coef_, intercept_ : ndarray
        ``decision_function(X) = X @ coef_.T + intercept_``, where scores are dot products.
    scaling_ : str or None
        How rows are scaled, where ``scaling="auto"`` may decide.
    n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    """

    max_iter: int
    new_classes: bool
    new_features: bool | int

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
        rows, classes = self._rows_of(X), classes_of(y)
        of_class = self._weights_of_classes(y, classes)
        weight = self._importance(y, classes, of_class, sample_weight)
        counting = len(np.unique(y if weight is None else y[weight > 0.0]))
        if counting < 2 and not self.new_classes:
            raise LabelError(
                f"{type(self).__name__} needs rows of at least 2 classes that count, found "
                f"{counting} class."
            )
        order = LabelOrder()
        order.take(np.searchsorted(classes, y))
        if (told := order.together) is not None:
            remedy = "Shuffle them first: X, y = sklearn.utils.shuffle(X, y, random_state=0)."
            warn(f"{told} {remedy}", SortedRowsWarning, stacklevel=3)
        self._start(rows, classes, of_class)
        for _ in range(passes):
            self._play(rows, y, classes, weight)
        self.n_iter_ = passes
        return self

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any = None) -> Self:
        before = self.__dict__.copy()
        first = not hasattr(self, "_inner")
        try:
            X, y = checked_matrix(self, X, y, reset=first)
            rows, now = self._rows_of(X), classes_of(y)
            if first:
                stated = stated_classes(classes, open_ended=self.new_classes)
                self._start(rows, stated, self._weights_of_classes(y, stated))
            known = classes_now(self, now, classes)
            weight = self._importance(y, known, self._of_class, sample_weight)
            self._play(rows, y, known, weight)
        except BaseException:
            # What was refused leaves no trace, neither of new features nor of new classes.
            self.__dict__.clear()
            self.__dict__.update(before)
            raise
        self.n_iter_ = 1
        return self

    def _start(self, rows: Rows, classes: NDArray[Any], of_class: ClassWeights) -> None:
        self._of_class = of_class
        method = getattr(self, "calibrate", None)
        if method is not None:
            checked_choice(type(self).__name__, "calibrate", method, tuple(METHODS))
        self._inner = arranged(
            self._new_learner(rows, classes),
            several=self._named(classes),
            calibrate=method,
            classes=classes.tolist(),
            class_weight=self._weight_in_own_learner(),
        )
        self.classes_ = classes
        self.mistakes_ = 0
        self.n_rounds_ = 0

    def _new_learner(self, rows: Rows, classes: NDArray[Any]) -> Learner:
        """A learner with the parameters of the estimator; `rows` are the first it will see."""
        given = {"n_features": room_for(self), **self._given()}
        if "bias" in self._taken:
            given["bias"] = self.fit_intercept
        if "classes" in self._taken:
            given["classes"] = classes.tolist()
        if "scaling" in self._taken:
            given["scaling"] = self.scaling
        if self._bounded():
            if self.scaling == "auto":
                given["scaling"] = "online" if len(self._example.domain.misfits(rows)) else None
            self.scaling_ = given["scaling"]
        return self._made(**given)

    def _named(self, classes: NDArray[Any]) -> bool:
        """Whether the learner is to know classes by their names, not as -1 and +1."""
        return self._example.several or self.new_classes or len(classes) != 2

    def _play(
        self, rows: Rows, y: Any, classes: NDArray[Any], weight: NDArray[np.float64] | None
    ) -> None:
        if self._inner.several:
            rounds = self._inner.learn(rows, y, importance=weight)
        else:
            sign = np.where(y == classes[1], 1, -1).astype(np.int8)
            rounds = self._inner.learn(Batch.from_rows(rows, sign, weight))
        self.mistakes_ += rounds.mistakes
        self.n_rounds_ += len(rows)
        self.classes_ = classes

    # ---- weights, which the estimators have that take them ------------------------------------

    def _weights_of_classes(self, y: Any, classes: NDArray[Any]) -> ClassWeights:
        """How much the rows of each class count."""
        return None

    def _weight_in_own_learner(self) -> ClassWeights:
        """What the rows of a class count in that one of several learners that is its own."""
        return None

    def _importance(
        self, y: Any, classes: NDArray[Any], of_class: ClassWeights, sample_weight: Any
    ) -> NDArray[np.float64] | None:
        """How much each row counts; None where all count the same."""
        return None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        limits = self._example.domain
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = limits.lowest >= 0.0
        # With features within bounds or of one sign, not every linear function can be said.
        tags.classifier_tags.poor_score = limits.lowest >= -1.0
        return tags

"""RiverClassifier: what the River classifiers of this package share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from river import base

from thresher.errors import LabelError
from thresher.river.rows import named, plain, rows_of, to_learn

if TYPE_CHECKING:
    import pandas as pd


class RiverClassifier(base.MiniBatchClassifier):  # type: ignore[misc]
    """A thresher learner as a River classifier.

    Features are numbers. Their names may be anything; those of several words, as River's
    n-grams, are the words with spaces between them. Labels are True and False, or texts and
    whole numbers, of which any may appear at any time.

    A frame is learned row by row, in order: `learn_many` ends where as many calls to
    `learn_one` would.

    Attributes
    ----------
    learner
        The thresher learner inside, with all it knows; None before the first row. Names find
        their weights by its `column_of`.
    """

    @abstractmethod
    def _arranged(self, *, two: bool) -> Any:
        """A new learner with the parameters; `two`: for True and False, not for names."""

    def _begin(self) -> None:
        """Nothing learned yet; parameters have been set, and are refused here if they must be."""
        self._arranged(two=True)
        self.learner: Any = None
        self._two = False

    @property
    def _gives_probabilities(self) -> bool:
        return False

    @property
    def _predicts_likeliest(self) -> bool:
        return False

    @property
    def _multiclass(self) -> bool:
        return True

    # ---- learning ---------------------------------------------------------------------------

    def learn_one(self, x: Mapping[Any, float], y: Any) -> None:
        """Play one round: predict, be told the label, and update if need be."""
        self._learn_one(x, y)

    def learn_many(self, X: pd.DataFrame, y: pd.Series) -> None:
        """Play a round with each row of a frame, in order."""
        self._learn_many(X, y)

    def _learn_one(self, x: Mapping[Any, float], y: Any, **options: Any) -> None:
        label, two = plain(y)
        learner = self._learner_for(label, two=two)
        learner.learn_one(to_learn(x), self._shown(label), **options)
        self.learner = learner

    def _learn_many(self, X: pd.DataFrame, y: Any, **options: Any) -> None:
        labels = [plain(label) for label in y]
        if not labels:
            return
        first, two = labels[0]
        for label, kind in labels:
            if kind != two:
                raise mixed(label, first)
        learner = self._learner_for(first, two=two)
        learner.learn(rows_of(X), [self._shown(label) for label, _ in labels], **options)
        self.learner = learner

    def _learner_for(self, label: Any, *, two: bool) -> Any:
        """The learner, made anew before the first label, which says for what."""
        if self.learner is None:
            self._two = two
            return self._arranged(two=two)
        if two != self._two:
            raise mixed(label, "True or False" if self._two else self.learner.classes[0])
        return self.learner

    def _shown(self, label: Any) -> Any:
        """A label as the learner knows it."""
        return label

    def _told(self, label: Any) -> Any:
        """A label of the learner as River knows it."""
        return bool(label) if self._two else label

    # ---- predicting -------------------------------------------------------------------------

    @abstractmethod
    def margins_one(self, x: Mapping[Any, float]) -> dict[Any, float]:
        """By how much the score of each class exceeds its threshold; nothing changes."""

    def predict_one(self, x: Mapping[Any, float], **kwargs: Any) -> Any:
        """The class of a row; the likeliest, where scores are calibrated. None at first."""
        if self.learner is None:
            return None
        if self._predicts_likeliest:
            given = self.predict_proba_one(x)
            return max(given, key=lambda label: given[label])
        return self._told(self.learner.predict_one(named(x)))

    def predict_proba_one(self, x: Mapping[Any, float], **kwargs: Any) -> dict[Any, float]:
        """The probability of each class so far; empty before the first was learned."""
        if not self._gives_probabilities:
            return dict(self._refused(super().predict_proba_one, x))
        if self.learner is None:
            return {}
        if self._two:
            positive = self.learner.probability_one(named(x))
            return {False: 1.0 - positive, True: positive}
        return dict(self.learner.probabilities_one(named(x)))

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """The class of each row of a frame."""
        pandas = frames()
        if self.learner is None:
            return pandas.Series([None] * len(X), index=X.index, dtype=object)
        if self._predicts_likeliest:
            given = self.predict_proba_many(X)
            likeliest = np.argmax(given.to_numpy(), axis=1)
            found = [given.columns[number] for number in likeliest]
        else:
            found = [self._told(label) for label in self.learner.predict(rows_of(X)).tolist()]
        return pandas.Series(found, index=X.index, dtype=bool if self._two else None)

    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """The probability of each class so far, a column each, for the rows of a frame."""
        if not self._gives_probabilities:
            return self._refused(super().predict_proba_many, X)
        pandas = frames()
        if self.learner is None:
            return pandas.DataFrame(index=X.index)
        labels = [False, True] if self._two else list(self.learner.classes)
        given = self.learner.predict_proba(rows_of(X))
        return pandas.DataFrame(given, index=X.index, columns=labels)

    def _refused(self, method: Any, given: Any) -> Any:
        """Let River say that there are no probabilities, and add how to get them."""
        try:
            return method(given)
        except RuntimeError as error:
            error.add_note(
                f"{type(self).__name__} gives no probabilities. Those that can are made with "
                "calibrate='platt' or calibrate='isotonic'; CommitteeClassifier has its own."
            )
            raise


def mixed(label: Any, before: Any) -> LabelError:
    """The error for labels of two kinds."""
    return LabelError(
        f"found the label {label!r} after {before!r}: True and False do not mix with other labels."
    )


def frames() -> Any:
    """The pandas module, which River can do without as long as no frames come."""
    import pandas  # noqa: PLC0415

    return pandas

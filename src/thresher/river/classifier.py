"""RiverClassifier: a learner as a River classifier."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from river import base

from thresher.errors import LabelError
from thresher.learners.base.learner import Learner
from thresher.learners.multiclass.arrangement import arranged
from thresher.river.declaration import Declaration
from thresher.river.rows import named, plain, rows_of, to_learn

if TYPE_CHECKING:
    import pandas as pd


class RiverClassifier(Declaration, base.MiniBatchClassifier):  # type: ignore[misc]
    """A thresher learner as a River classifier.

    Features are numbers. Their names may be anything; those of several words, as River's
    n-grams, are the words with spaces between them. Labels are True and False, or texts and
    whole numbers, of which any may appear at any time.

    True and False need one learner. Any others have one each (:class:`thresher.OneVersusRest`),
    which is new in the round in which its class appears, unless the learner has a table for
    all. The class whose score exceeds its threshold by most is predicted, among equals the one
    that appeared first; with `calibrate` the likeliest.

    A frame is learned row by row, in order: `learn_many` ends where as many calls to
    `learn_one` would.

    Attributes
    ----------
    learner
        The thresher learner inside, with all it knows; None before the first row. Names find
        their weights by its `column_of`.
    """

    learner: Learner | None

    def _begin(self) -> None:
        """Nothing learned yet; parameters have been set, and are refused here if they must be."""
        self._arranged(two=True)
        self.learner = None
        self._two = False

    def _arranged(self, *, two: bool) -> Learner:
        """A new learner with the parameters; `two`: for True and False, not for names."""
        stated = (name for name in ("n_features", "bias", "scaling") if hasattr(self, name))
        given = {name: getattr(self, name) for name in stated}
        learner = self._made(**given, **self._given())
        return arranged(learner, several=not two, calibrate=self._method())

    def _method(self) -> str | None:
        """How scores are calibrated; None where they are not."""
        return getattr(self, "calibrate", None)

    def _gives_probabilities(self) -> bool:
        return self._example.gives_probabilities or self._method() is not None

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
        learner.learn_one(to_learn(x), shown(label, learner), **options)
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
        learner.learn(rows_of(X), [shown(label, learner) for label, _ in labels], **options)
        self.learner = learner

    def _learner_for(self, label: Any, *, two: bool) -> Learner:
        """The learner, made anew before the first label, which says for what."""
        if self.learner is None:
            self._two = two
            return self._arranged(two=two)
        if two != self._two:
            raise mixed(label, "True or False" if self._two else self.learner.classes[0])
        return self.learner

    def _told(self, label: Any) -> Any:
        """A label of the learner as River knows it."""
        return label > 0 if self._two else label

    # ---- predicting -------------------------------------------------------------------------

    def margins_one(self, x: Mapping[Any, float]) -> dict[Any, float]:
        """By how much the score of each class exceeds its threshold; nothing changes.

        With one learner for True and False it is that of True alone.
        """
        if self.learner is None:
            return {}
        scores = self.learner.scores_one(named(x))
        return {self._told(label): score for label, score in scores.items()}

    def predict_one(self, x: Mapping[Any, float], **kwargs: Any) -> Any:
        """The class of a row; the likeliest, where scores are calibrated. None at first."""
        if self.learner is None:
            return None
        if self._method() is not None:
            given = self.predict_proba_one(x)
            return max(given, key=lambda label: given[label])
        return self._told(self.learner.predict_one(named(x)))

    def predict_proba_one(self, x: Mapping[Any, float], **kwargs: Any) -> dict[Any, float]:
        """The probability of each class so far; empty before the first was learned."""
        if not self._gives_probabilities():
            return dict(self._refused(super().predict_proba_one, x))
        if self.learner is None:
            return {}
        given = self.learner.probabilities_one(named(x))
        return {self._told(label): probability for label, probability in given.items()}

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """The class of each row of a frame."""
        pandas = frames()
        if self.learner is None:
            return pandas.Series([None] * len(X), index=X.index, dtype=object)
        if self._method() is not None:
            given = self.predict_proba_many(X)
            likeliest = np.argmax(given.to_numpy(), axis=1)
            found = [given.columns[number] for number in likeliest]
        else:
            found = [self._told(label) for label in self.learner.predict(rows_of(X)).tolist()]
        return pandas.Series(found, index=X.index, dtype=bool if self._two else None)

    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """The probability of each class so far, a column each, for the rows of a frame."""
        if not self._gives_probabilities():
            return self._refused(super().predict_proba_many, X)
        pandas = frames()
        if self.learner is None:
            return pandas.DataFrame(index=X.index)
        labels = [self._told(label) for label in self.learner.classes]
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

    def _more_tags(self) -> set[str]:
        return {base.tags.POSITIVE_INPUT} if self._example.domain.lowest >= 0.0 else set()


def shown(label: Any, learner: Learner) -> Any:
    """A label as the learner knows it."""
    return label if learner.several else (1 if label else -1)


def mixed(label: Any, before: Any) -> LabelError:
    """The error for labels of two kinds."""
    return LabelError(
        f"found the label {label!r} after {before!r}: True and False do not mix with other labels."
    )


def frames() -> Any:
    """The pandas module, which River can do without as long as no frames come."""
    import pandas  # noqa: PLC0415

    return pandas

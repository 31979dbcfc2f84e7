"""RiverClassifier: what the River classifiers of this package share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np
from river import base

from thresher.errors import LabelError
from thresher.learners.linear import LinearLearner

#: Hashing needs a number of columns; collisions are rare below a tenth of it.
COLUMNS = 2**16


class RiverClassifier(base.Classifier):  # type: ignore[misc]
    """A thresher learner as a River classifier.

    Labels that are True and False need one learner. Any others have one each (this class, or
    another one?), which is new in the round in which its class appears; the class whose score
    exceeds its threshold by most is predicted, among equals the one that appeared first.

    Features are numbers. Their names may be anything; those of several words, as River's
    n-grams, are the words with spaces between them.

    Attributes
    ----------
    learners
        The thresher learner of each class; for True and False that of True. Each has its
        `mistakes`, `weights` and the rest; names find their weights by `column_of`.
    """

    @abstractmethod
    def _learner(self) -> LinearLearner:
        """A new learner with the parameters of the classifier."""

    def _begin(self) -> None:
        """Nothing learned yet; parameters have been set, and are refused here if they must be."""
        self._learner()
        self.learners: dict[Any, LinearLearner] = {}

    def learn_one(self, x: Mapping[Any, float], y: Any) -> None:
        """Play one round: predict, be told the label, and update if need be."""
        self._learn(x, y, 1.0)

    def _learn(self, x: Mapping[Any, float], y: Any, w: float) -> None:
        label, two = plain(y)
        if self.learners and two != self._two_classes:
            raise LabelError(
                f"found the label {label!r} after {next(iter(self.learners))!r}: True and False "
                "do not mix with other labels."
            )
        name = True if two else label
        features = named(x)
        fresh = name not in self.learners
        if fresh:
            self.learners[name] = self._learner()
        try:
            for each, learner in self.learners.items():
                learner.learn_one(features, 1 if each == label else -1, w)
        except BaseException:
            if fresh:
                del self.learners[name]
            raise

    @property
    def _two_classes(self) -> bool:
        return True in self.learners and type(next(iter(self.learners))) is bool

    def margins_one(self, x: Mapping[Any, float]) -> dict[Any, float]:
        """By how much the score of each class in `learners` exceeds its threshold."""
        features = named(x)
        return {
            name: learner.score_one(features) - learner.threshold
            for name, learner in self.learners.items()
        }

    def predict_one(self, x: Mapping[Any, float], **kwargs: Any) -> Any:
        """The class of a row; None before the first was learned."""
        margins = self.margins_one(x)
        if not margins:
            return None
        if self._two_classes:
            return margins[True] >= 0.0
        return max(margins, key=lambda name: margins[name])

    @property
    def _multiclass(self) -> bool:
        return True


class WeightedRiverClassifier(RiverClassifier):
    """A classifier whose step can be scaled by what a row weighs."""

    def learn_one(self, x: Mapping[Any, float], y: Any, w: float = 1.0) -> None:
        """Play one round; a row of weight w is one step, longer or shorter, not w rounds."""
        self._learn(x, y, w)


def plain(label: Any) -> tuple[Any, bool]:
    """The label, NumPy's own kinds replaced by Python's, and whether it is True or False."""
    if isinstance(label, np.generic):
        label = label.item()
    return label, isinstance(label, bool)


def named(x: Mapping[Any, float]) -> dict[Any, float]:
    """The row with names that learners take, sorted.

    A new name gets the next free column, and sums run over columns in order: sorted names make
    sure that the order of a dict, which says nothing, decides nothing.

    >>> named({("free", "cash"): 2, "cash": 1, 3.5: 3})
    {'3.5': 3, 'cash': 1, 'free cash': 2}
    """
    if all(type(name) is str for name in x):
        return {name: x[name] for name in sorted(x)}
    return dict(sorted(((taken(name), value) for name, value in x.items()), key=by_name))


def taken(name: Hashable) -> str | int:
    """A name as learners take it: a text, or the number of a column."""
    if isinstance(name, str | int):
        return name
    return " ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def by_name(entry: tuple[str | int, float]) -> str:
    """What to sort by where numbers and texts mix."""
    return str(entry[0])

"""River classifiers made of learners that tell two classes apart."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.calibration.calibrated import Calibrated
from thresher.learners.multiclass.one_versus_rest import OneVersusRest
from thresher.river.classifier import RiverClassifier
from thresher.river.rows import named

if TYPE_CHECKING:
    import pandas as pd

#: Hashing needs a number of columns; collisions are rare below a tenth of it.
COLUMNS = 2**16


class TwoClassRiverClassifier(RiverClassifier):
    """A classifier whose learner knows two classes.

    Labels that are True and False need one learner. Any others have one each
    (:class:`thresher.OneVersusRest`), which is new in the round in which its class appears; the
    class whose score exceeds its threshold by most is predicted, among equals the one that
    appeared first.

    With `calibrate` there are probabilities, and the likeliest class is predicted.
    """

    calibrate: str | None = None

    @abstractmethod
    def _learner(self) -> LinearLearner:
        """A new learner with the parameters of the classifier."""

    def _arranged(self, *, two: bool) -> Any:
        learner: Any = self._learner()
        if self.calibrate is not None:
            learner = Calibrated(learner, self.calibrate)
        return learner if two else OneVersusRest(learner)

    @property
    def _gives_probabilities(self) -> bool:
        return self.calibrate is not None

    @property
    def _predicts_likeliest(self) -> bool:
        return self.calibrate is not None

    def _shown(self, label: Any) -> Any:
        return (1 if label else -1) if self._two else label

    def _told(self, label: Any) -> Any:
        return label > 0 if self._two else label

    def margins_one(self, x: Mapping[Any, float]) -> dict[Any, float]:
        """By how much the score of each class exceeds its threshold; of True, for two."""
        if self.learner is None:
            return {}
        if self._two:
            return {True: self.learner.score_one(named(x)) - self.learner.threshold}
        found: dict[Any, float] = self.learner.scores_one(named(x))
        return found


class WeightedRiverClassifier(TwoClassRiverClassifier):
    """A classifier whose step can be scaled by what a row weighs."""

    def learn_one(self, x: Mapping[Any, float], y: Any, w: float = 1.0) -> None:
        """Play one round; a row of weight w is one step, longer or shorter, not w rounds."""
        self._learn_one(x, y, importance=w)

    def learn_many(self, X: pd.DataFrame, y: pd.Series, w: float | pd.Series = 1.0) -> None:
        """Play a round with each row of a frame, in order; w is one weight, or one per row."""
        self._learn_many(X, y, importance=np.broadcast_to(np.asarray(w, np.float64), len(y)))

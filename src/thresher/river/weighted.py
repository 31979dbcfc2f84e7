"""WeightedRiverClassifier: a classifier whose learner takes weights of rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from thresher.river.classifier import RiverClassifier

if TYPE_CHECKING:
    import pandas as pd


class WeightedRiverClassifier(RiverClassifier):
    """A classifier whose step can be scaled by what a row weighs."""

    def learn_one(self, x: Mapping[Any, float], y: Any, w: float = 1.0) -> None:
        """Play one round; a row of weight w is one step, longer or shorter, not w rounds."""
        self._learn_one(x, y, importance=w)

    def learn_many(self, X: pd.DataFrame, y: pd.Series, w: float | pd.Series = 1.0) -> None:
        """Play a round with each row of a frame, in order; w is one weight, or one per row."""
        self._learn_many(X, y, importance=np.broadcast_to(np.asarray(w, np.float64), len(y)))

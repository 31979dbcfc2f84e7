"""What the estimators share whose learners have weights without bounds, as many as come."""

from __future__ import annotations

from typing import Any

from thresher.sklearn.linear import LinearCoefficients
from thresher.sklearn.weighted import WeightedClassifier


class GrowingClassifier(LinearCoefficients, WeightedClassifier):
    """A weighted classifier for features of any size, to which new ones may be added.

    With ``new_features=True`` a call to `partial_fit` may bring columns that were not there
    before. Frames are matched by the names of their columns; arrays by position, so that new
    columns stand at the end. Columns that are missing count 0. When predicting, columns never
    learned count for nothing.
    """

    average: bool
    fit_intercept: bool
    scaling: str | None
    new_features: bool
    journal_bytes: int

    def _options(self) -> dict[str, Any]:
        """Parameters that mean the same for all."""
        return {
            "bias": self.fit_intercept,
            "average": self.average,
            "scaling": self.scaling,
            "journal_bytes": self.journal_bytes,
        }

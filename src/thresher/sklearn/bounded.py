"""What the estimators share whose learners are made for features within bounds."""

from __future__ import annotations

from typing import Any

from thresher.sklearn.linear import LinearCoefficients
from thresher.sklearn.stated_room import StatedRoom
from thresher.sklearn.weighted import WeightedClassifier
from thresher.streams.rows import Rows


class BoundedClassifier(StatedRoom, LinearCoefficients, WeightedClassifier):
    """A weighted classifier for features within bounds, which are part of its theory.

    With ``scaling="auto"`` the rows of the first call decide. Where they keep the bounds,
    rows are taken as they are, theorems hold and certificates can be had; a later row that
    does not keep them is an error, and nothing is clipped. Where they do not, each feature is
    divided by the largest absolute value it has had so far ("online"), for which no theorem
    is known. `scaling_` says which. With ``scaling=None`` a value out of bounds is an error
    from the first row on.

    Attributes
    ----------
    scaling_ : str or None
        How rows are scaled.
    """

    scaling: str | None
    journal_bytes: int
    # A few features decide here, and not every linear function of them can be said.
    _poor_score = True

    def _bounds(self) -> tuple[float, float]:
        return -1.0, 1.0

    def _options(self, rows: Rows) -> dict[str, Any]:
        """Parameters that mean the same for all."""
        lowest, highest = self._bounds()
        self.scaling_ = self.scaling
        if self.scaling == "auto":
            kept = lowest <= rows.lowest and rows.highest <= highest
            self.scaling_ = None if kept else "online"
        return {"scaling": self.scaling_, "journal_bytes": self.journal_bytes}

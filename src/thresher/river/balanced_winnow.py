"""Balanced Winnow for River."""

from __future__ import annotations

from thresher.learners.two_class.balanced_winnow import BalancedWinnow
from thresher.parameters import Exact
from thresher.river.two_class import COLUMNS, WeightedRiverClassifier


class BalancedWinnowClassifier(WeightedRiverClassifier):
    """Balanced Winnow; see :class:`thresher.BalancedWinnow`.

    Parameters
    ----------
    n_features
        Number of columns into which names are hashed; the threshold unless given.
    scaling
        As for the learner. "online" divides each feature by the largest absolute value it has
        had so far, which leaves features that are 0 or 1 as they are; with None a feature out
        of bounds is an error.
    beta, threshold, margin, floor, journal_bytes
        As for the learner; no journal is kept unless asked for.
    calibrate
        As for :class:`PerceptronClassifier`.
    """

    # River reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        n_features: int = COLUMNS,
        beta: Exact = 1,
        threshold: Exact | None = None,
        margin: float = 0.0,
        floor: Exact | None = None,
        scaling: str | None = "online",
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None:
        self.n_features = n_features
        self.beta = beta
        self.threshold = threshold
        self.margin = margin
        self.floor = floor
        self.scaling = scaling
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes
        self._begin()

    def _learner(self) -> BalancedWinnow:
        return BalancedWinnow(
            n_features=self.n_features,
            beta=self.beta,
            threshold=self.threshold,
            margin=self.margin,
            floor=self.floor,
            scaling=self.scaling,
            journal_bytes=self.journal_bytes,
        )

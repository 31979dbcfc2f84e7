"""AROW for River."""

from __future__ import annotations

from thresher.learners.two_class.arow import AROW
from thresher.river.two_class import WeightedRiverClassifier


class AROWClassifier(WeightedRiverClassifier):
    """AROW; see :class:`thresher.AROW`.

    Parameters
    ----------
    r, average, bias, scaling, journal_bytes
        As for the learner; no journal is kept unless asked for.
    n_features, calibrate
        As for :class:`PerceptronClassifier`.
    """

    def __init__(
        self,
        r: float = 1.0,
        average: bool = False,
        bias: bool = True,
        scaling: str | None = None,
        n_features: int | None = None,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None:
        self.r = r
        self.average = average
        self.bias = bias
        self.scaling = scaling
        self.n_features = n_features
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes
        self._begin()

    def _learner(self) -> AROW:
        return AROW(
            r=self.r,
            average=self.average,
            bias=self.bias,
            scaling=self.scaling,
            n_features=self.n_features,
            journal_bytes=self.journal_bytes,
        )

"""The p-norm Perceptron for River."""

from __future__ import annotations

from thresher.learners.two_class.p_norm import PNormPerceptron
from thresher.river.two_class import COLUMNS, WeightedRiverClassifier


class PNormPerceptronClassifier(WeightedRiverClassifier):
    """The p-norm Perceptron; see :class:`thresher.PNormPerceptron`.

    Parameters
    ----------
    n_features
        Number of columns into which names are hashed.
    p, margin, bias, scaling, journal_bytes
        As for the learner; no journal is kept unless asked for.
    calibrate
        As for :class:`PerceptronClassifier`.
    """

    def __init__(
        self,
        n_features: int = COLUMNS,
        p: float | None = None,
        margin: float = 0.0,
        bias: bool = True,
        scaling: str | None = None,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None:
        self.n_features = n_features
        self.p = p
        self.margin = margin
        self.bias = bias
        self.scaling = scaling
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes
        self._begin()

    def _learner(self) -> PNormPerceptron:
        return PNormPerceptron(
            n_features=self.n_features,
            p=self.p,
            margin=self.margin,
            bias=self.bias,
            scaling=self.scaling,
            journal_bytes=self.journal_bytes,
        )

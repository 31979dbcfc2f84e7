"""Passive-Aggressive learning for River."""

from __future__ import annotations

from thresher.learners.two_class.passive_aggressive import PassiveAggressive
from thresher.river.two_class import WeightedRiverClassifier


class PassiveAggressiveClassifier(WeightedRiverClassifier):
    """Passive-Aggressive learning; see :class:`thresher.PassiveAggressive`.

    Parameters
    ----------
    variant, C, average, bias, scaling, journal_bytes
        As for the learner; no journal is kept unless asked for.
    n_features, calibrate
        As for :class:`PerceptronClassifier`.
    """

    # River reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        variant: str = "PA-I",
        C: float = 1.0,
        average: bool = False,
        bias: bool = True,
        scaling: str | None = None,
        n_features: int | None = None,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None:
        self.variant = variant
        self.C = C
        self.average = average
        self.bias = bias
        self.scaling = scaling
        self.n_features = n_features
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes
        self._begin()

    def _learner(self) -> PassiveAggressive:
        return PassiveAggressive(
            variant=self.variant,
            C=self.C,
            average=self.average,
            bias=self.bias,
            scaling=self.scaling,
            n_features=self.n_features,
            journal_bytes=self.journal_bytes,
        )

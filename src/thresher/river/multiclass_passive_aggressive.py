"""Passive-Aggressive learning of several classes for River."""

from __future__ import annotations

from thresher.learners.multiclass.passive_aggressive import MulticlassPassiveAggressive
from thresher.river.joint import JointRiverClassifier


class MulticlassPassiveAggressiveClassifier(JointRiverClassifier):
    """Passive-Aggressive with several classes; see :class:`thresher.MulticlassPassiveAggressive`.

    Parameters
    ----------
    variant, C, bias, journal_bytes
        As for the learner; no journal is kept unless asked for.
    """

    def __init__(
        self, variant: str = "PA-I", C: float = 1.0, bias: bool = True, journal_bytes: int = 0
    ) -> None:
        self.variant = variant
        self.C = C
        self.bias = bias
        self.journal_bytes = journal_bytes
        self._begin()

    def _joint(self) -> MulticlassPassiveAggressive:
        return MulticlassPassiveAggressive(
            variant=self.variant, C=self.C, bias=self.bias, journal_bytes=self.journal_bytes
        )

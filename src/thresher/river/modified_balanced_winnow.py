"""Modified Balanced Winnow for River."""

from __future__ import annotations

from river import base

from thresher.learners.two_class.modified_balanced_winnow import ModifiedBalancedWinnow
from thresher.river.two_class import COLUMNS, TwoClassRiverClassifier


class ModifiedBalancedWinnowClassifier(TwoClassRiverClassifier):
    """Modified Balanced Winnow; see :class:`thresher.ModifiedBalancedWinnow`.

    Features are not negative. It takes no weights.

    Parameters
    ----------
    n_features
        Number of columns into which names are hashed.
    promotion, demotion, margin, journal_bytes
        As for the learner; no journal is kept unless asked for.
    calibrate
        As for :class:`PerceptronClassifier`.
    """

    def __init__(
        self,
        n_features: int = COLUMNS,
        promotion: float = 1.5,
        demotion: float = 0.5,
        margin: float = 1.0,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None:
        self.n_features = n_features
        self.promotion = promotion
        self.demotion = demotion
        self.margin = margin
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes
        self._begin()

    def _learner(self) -> ModifiedBalancedWinnow:
        return ModifiedBalancedWinnow(
            n_features=self.n_features,
            promotion=self.promotion,
            demotion=self.demotion,
            margin=self.margin,
            journal_bytes=self.journal_bytes,
        )

    def _more_tags(self) -> set[str]:
        return {base.tags.POSITIVE_INPUT}

"""Signed Winnow for River."""

from __future__ import annotations

from thresher.learners.two_class.signed_winnow import SignedWinnow
from thresher.parameters import Exact
from thresher.river.two_class import COLUMNS, WeightedRiverClassifier


class SignedWinnowClassifier(WeightedRiverClassifier):
    """Signed Winnow; see :class:`thresher.SignedWinnow`.

    Parameters
    ----------
    n_features
        Number of columns into which names are hashed.
    scaling
        As for the learner. "online" divides each feature by the largest absolute value it has
        had so far, which leaves features that are 0 or 1 as they are; with None a feature out
        of bounds is an error.
    eta, margin
        As for the learner. By default the step is the best one for targets of margin 0.1;
        without either the margin is guessed, and there are no weights.
    bias, journal_bytes
        As for the learner; no journal is kept unless asked for.
    calibrate
        As for :class:`PerceptronClassifier`.
    """

    def __init__(
        self,
        n_features: int = COLUMNS,
        eta: Exact | None = None,
        margin: Exact | None = 0.1,
        bias: bool = True,
        scaling: str | None = "online",
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None:
        self.n_features = n_features
        self.eta = eta
        self.margin = margin
        self.bias = bias
        self.scaling = scaling
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes
        self._begin()

    def _learner(self) -> SignedWinnow:
        return SignedWinnow(
            n_features=self.n_features,
            eta=self.eta,
            margin=self.margin,
            bias=self.bias,
            scaling=self.scaling,
            journal_bytes=self.journal_bytes,
        )

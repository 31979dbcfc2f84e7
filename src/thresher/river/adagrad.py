"""AdaGrad for River."""

from __future__ import annotations

from thresher.learners.two_class.adagrad import AdaGrad
from thresher.river.two_class import WeightedRiverClassifier


class AdaGradClassifier(WeightedRiverClassifier):
    """AdaGrad; see :class:`thresher.AdaGrad`.

    Parameters
    ----------
    rate, loss, average, bias, scaling, journal_bytes
        As for the learner; no journal is kept unless asked for.
    n_features, calibrate
        As for :class:`PerceptronClassifier`.
    """

    # River reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        rate: float = 0.1,
        loss: str = "hinge",
        average: bool = False,
        bias: bool = True,
        scaling: str | None = None,
        n_features: int | None = None,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None:
        self.rate = rate
        self.loss = loss
        self.average = average
        self.bias = bias
        self.scaling = scaling
        self.n_features = n_features
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes
        self._begin()

    def _learner(self) -> AdaGrad:
        return AdaGrad(
            rate=self.rate,
            loss=self.loss,
            average=self.average,
            bias=self.bias,
            scaling=self.scaling,
            n_features=self.n_features,
            journal_bytes=self.journal_bytes,
        )

"""The Perceptron for River."""

from __future__ import annotations

from thresher.learners.perceptron import Perceptron
from thresher.river.classifier import WeightedRiverClassifier


class PerceptronClassifier(WeightedRiverClassifier):
    """The Perceptron; see :class:`thresher.Perceptron`.

    Parameters
    ----------
    margin, decay, average, bias, scaling, journal_bytes
        As for the learner; no journal is kept unless asked for.

    Examples
    --------
    >>> from thresher.river import PerceptronClassifier
    >>> model = PerceptronClassifier()
    >>> model.learn_one({"meeting": 1}, False), model.learn_one({"cash": 2}, True)
    (None, None)
    >>> model.predict_one({"cash": 1}), model.predict_one({"meeting": 1})
    (True, False)
    """

    def __init__(
        self,
        margin: float = 0.0,
        decay: float = 0.0,
        average: bool = False,
        bias: bool = True,
        scaling: str | None = None,
        journal_bytes: int = 0,
    ) -> None:
        self.margin = margin
        self.decay = decay
        self.average = average
        self.bias = bias
        self.scaling = scaling
        self.journal_bytes = journal_bytes
        self._begin()

    def _learner(self) -> Perceptron:
        return Perceptron(
            margin=self.margin,
            decay=self.decay,
            average=self.average,
            bias=self.bias,
            scaling=self.scaling,
            journal_bytes=self.journal_bytes,
        )

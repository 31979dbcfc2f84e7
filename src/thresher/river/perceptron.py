"""The Perceptron for River."""

from __future__ import annotations

from thresher.learners.two_class.perceptron import Perceptron
from thresher.river.two_class import WeightedRiverClassifier


class PerceptronClassifier(WeightedRiverClassifier):
    """The Perceptron; see :class:`thresher.Perceptron`.

    Parameters
    ----------
    margin, decay, average, bias, scaling, journal_bytes
        As for the learner; no journal is kept unless asked for.
    n_features
        None keeps names exactly and grows with them. A number hashes them into so many
        columns, which takes less time where names are many.
    calibrate
        "isotonic" or "platt": learn from the scores that were taken before their labels were
        known what they are worth as probabilities, see :class:`thresher.Calibrated`.

    Examples
    --------
    >>> from thresher.river import PerceptronClassifier
    >>> model = PerceptronClassifier()
    >>> model.learn_one({"meeting": 1}, False), model.learn_one({"cash": 2}, True)
    (None, None)
    >>> model.predict_one({"cash": 1}), model.predict_one({"meeting": 1})
    (True, False)
    """

    # River reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        margin: float = 0.0,
        decay: float = 0.0,
        average: bool = False,
        bias: bool = True,
        scaling: str | None = None,
        n_features: int | None = None,
        calibrate: str | None = None,
        journal_bytes: int = 0,
    ) -> None:
        self.margin = margin
        self.decay = decay
        self.average = average
        self.bias = bias
        self.scaling = scaling
        self.n_features = n_features
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes
        self._begin()

    def _learner(self) -> Perceptron:
        return Perceptron(
            margin=self.margin,
            decay=self.decay,
            average=self.average,
            bias=self.bias,
            scaling=self.scaling,
            n_features=self.n_features,
            journal_bytes=self.journal_bytes,
        )

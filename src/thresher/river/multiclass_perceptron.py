"""The multiclass Perceptron for River."""

from __future__ import annotations

from thresher.learners.multiclass.perceptron import MulticlassPerceptron
from thresher.river.joint import JointRiverClassifier


class MulticlassPerceptronClassifier(JointRiverClassifier):
    """The Perceptron for several classes; see :class:`thresher.MulticlassPerceptron`.

    Parameters
    ----------
    update, bias, journal_bytes
        As for the learner; no journal is kept unless asked for.

    Examples
    --------
    >>> from thresher.river import MulticlassPerceptronClassifier
    >>> model = MulticlassPerceptronClassifier()
    >>> for sound, animal in [("bark", "dog"), ("meow", "cat"), ("moo", "cow"), ("bark", "dog")]:
    ...     model.learn_one({sound: 1}, animal)
    >>> model.predict_one({"meow": 1}), model.learner.mistakes
    ('cat', 4)
    """

    def __init__(self, update: str = "max", bias: bool = True, journal_bytes: int = 0) -> None:
        self.update = update
        self.bias = bias
        self.journal_bytes = journal_bytes
        self._begin()

    def _joint(self) -> MulticlassPerceptron:
        return MulticlassPerceptron(
            update=self.update, bias=self.bias, journal_bytes=self.journal_bytes
        )

"""The multiclass Perceptron for scikit-learn."""

from __future__ import annotations

from typing import Any

from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.multiclass.perceptron import MulticlassPerceptron
from thresher.sklearn.joint import JointClassifier


class MulticlassPerceptronClassifier(JointClassifier):
    """The Perceptron for several classes; see :class:`thresher.MulticlassPerceptron`.

    :class:`PerceptronClassifier` has a Perceptron for each of several classes; this one has
    one for all, which changes only when the class predicted is wrong, and has a bound on the
    number of its updates. It takes no weights of rows or classes.

    Parameters
    ----------
    update, journal_bytes
        As for the learner.
    fit_intercept, max_iter, new_features, new_classes
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.sklearn import MulticlassPerceptronClassifier
    >>> X, y = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1]] * 2, ["dog", "cat", "cow", "dog"] * 2
    >>> model = MulticlassPerceptronClassifier().fit(X, y)
    >>> model.predict([[0, 2, 0], [2, 0, 1]]).tolist(), model.mistakes_
    (['cat', 'dog'], 5)
    """

    def __init__(
        self,
        update: str = "max",
        *,
        fit_intercept: bool = True,
        max_iter: int = 1,
        new_features: bool = False,
        new_classes: bool = False,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        self.update = update
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.new_features = new_features
        self.new_classes = new_classes
        self.journal_bytes = journal_bytes

    def _joint(self, n_features: int | None, classes: list[Any]) -> MulticlassPerceptron:
        return MulticlassPerceptron(
            n_features,
            self.update,
            self.fit_intercept,
            classes,
            journal_bytes=self.journal_bytes,
        )

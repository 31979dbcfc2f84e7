"""How the learners see classes: two as -1 and +1, several by their names."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.multiclass_learner import MulticlassLearner
from thresher.learners.calibration.calibrated import Calibrated
from thresher.learners.multiclass.one_versus_rest import OneVersusRest
from thresher.streams.batch import Batch
from thresher.streams.rows import Rows

#: The smallest positive number, for a tie that predicts the second class.
BARELY_POSITIVE = float(np.nextafter(0.0, 1.0))


class Part(NamedTuple):
    """One two-class learner, the class that is its +1, and the first row it has seen."""

    label: Any
    learner: Any
    first_row: int


class TwoClasses:
    """One learner, whose +1 is the second class."""

    def __init__(self, learner: LinearLearner | Calibrated) -> None:
        self.learner = learner

    def learn(
        self, rows: Rows, y: Any, classes: NDArray[Any], weight: NDArray[np.float64] | None
    ) -> int:
        """Play a round with each row; the number of wrong predictions."""
        sign = np.where(y == classes[1], 1, -1).astype(np.int8)
        return self.learner.learn(Batch.from_rows(rows, sign, weight)).mistakes

    def decision(self, rows: Rows, classes: NDArray[Any]) -> NDArray[np.float64]:
        """Score minus threshold; a tie is barely positive, for it predicts the second class."""
        margin = self.learner.scores(rows) - self.learner.threshold
        return np.where(margin == 0.0, BARELY_POSITIVE, margin)

    def predicted(self, rows: Rows, classes: NDArray[Any]) -> NDArray[np.int64]:
        """The number of the class predicted for each row."""
        return (self.learner.predict(rows) > 0).astype(np.int64)

    def probabilities(self, rows: Rows, classes: NDArray[Any]) -> NDArray[np.float64]:
        """The probability of each class; one column for each."""
        learner: Any = self.learner
        return np.asarray(learner.predict_proba(rows))

    def coefficients(self, classes: NDArray[Any]) -> tuple[NDArray[np.float64], Any]:
        """Weights and intercept of the decision."""
        learner = self.learner
        return learner.weights[np.newaxis], np.array([learner.bias_weight - learner.threshold])

    def parts(self, classes: NDArray[Any], n_rounds: int) -> list[Part]:
        """The learner, uncalibrated."""
        return [Part(classes[1], uncalibrated(self.learner), 0)]


class SeveralClasses:
    """A learner that knows classes by name, in the order in which they appeared."""

    def __init__(self, learner: OneVersusRest | MulticlassLearner) -> None:
        self.learner = learner

    def learn(
        self, rows: Rows, y: Any, classes: NDArray[Any], weight: NDArray[np.float64] | None
    ) -> int:
        """Play a round with each row; the number of wrong predictions."""
        options = {} if weight is None else {"importance": weight}
        return self.learner.learn(rows, y, **options).mistakes

    def _order(self, classes: NDArray[Any]) -> list[int]:
        """Where each of the classes, which are sorted, stands in the order of appearance."""
        place = {label: at for at, label in enumerate(self.learner.classes)}
        return [place[label] for label in classes.tolist()]

    def decision(self, rows: Rows, classes: NDArray[Any]) -> NDArray[np.float64]:
        """The score of each class, or the difference of two; a tie leans to the prediction."""
        scores = self.learner.scores(rows)
        order = self._order(classes)
        if len(order) > 2:
            return scores[:, order]
        if len(order) == 1:
            return scores[:, 0]
        lead = scores[:, order[1]] - scores[:, order[0]]
        return np.where(lead == 0.0, BARELY_POSITIVE * (order[0] - order[1]), lead)

    def predicted(self, rows: Rows, classes: NDArray[Any]) -> NDArray[np.int64]:
        """The number of the class predicted for each row; of equals, the first to appear."""
        number = np.argsort(self._order(classes))
        return np.asarray(number[np.argmax(self.learner.scores(rows), axis=1)])

    def probabilities(self, rows: Rows, classes: NDArray[Any]) -> NDArray[np.float64]:
        """The probability of each class; one column for each, which sum to 1."""
        learner: Any = self.learner
        return np.asarray(learner.predict_proba(rows)[:, self._order(classes)])

    def coefficients(self, classes: NDArray[Any]) -> tuple[NDArray[np.float64], Any]:
        """Weights and intercepts of the decision: a line per class, or one for two classes."""
        order = self._order(classes)
        weights, biases = self.learner.weights[order], self.learner.bias_weights[order]
        if len(order) == 2:
            return weights[1:] - weights[:1], biases[1:] - biases[:1]
        return weights, biases

    def parts(self, classes: NDArray[Any], n_rounds: int) -> list[Part]:
        """The learner of each class, uncalibrated; or the only one there is for all."""
        if not isinstance(self.learner, OneVersusRest):
            return [Part(None, self.learner, 0)]
        found = []
        for label in classes.tolist():
            learner = uncalibrated(self.learner.learner_of(label))
            found.append(Part(label, learner, n_rounds - learner.n_rounds))
        return found


def uncalibrated(learner: Any) -> Any:
    """The learner whose scores are calibrated, or the learner itself."""
    return learner.learner if isinstance(learner, Calibrated) else learner

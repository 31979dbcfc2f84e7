"""Arrangement: one learner for two classes, or one for each of several."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StateError
from thresher.learners.calibration import Calibrator
from thresher.learners.linear import LinearLearner
from thresher.learners.rounds import Rounds
from thresher.streams.batch import Batch
from thresher.streams.rows import Rows

#: After how many rounds the counts behind probabilities are halved, as in `thresher.Calibrated`.
MEMORY = 100_000


class Arrangement:
    """Two-class learners that together tell several classes apart.

    A class that comes later has a new learner from the round in which it appears, and cannot
    be predicted before the next: what is learned does not depend on how a stream is cut.
    """

    def __init__(
        self,
        prototype: LinearLearner,
        classes: list[object],
        *,
        each: bool,
        calibrator: type[Calibrator] | None = None,
    ) -> None:
        self.prototype = prototype
        self.calibrator = calibrator
        self.classes = classes
        self.single = len(classes) == 2 and not each
        self.learners = [
            prototype.started_anew() for _ in range(1 if self.single else len(classes))
        ]
        self.calibrators = [self._new_calibrator() for _ in self.learners]
        #: The row of the next batch in which each class appears first; 0 for those known.
        self.starts = [0] * len(classes)

    def _new_calibrator(self) -> Calibrator | None:
        return None if self.calibrator is None else self.calibrator(MEMORY)

    def add(self, classes: list[object], number: NDArray[np.int64]) -> None:
        """Make room for classes that appear in the next batch; `classes` has all, sorted."""
        self.starts = [0] * len(classes)
        if classes == self.classes:
            return
        if self.single:
            raise StateError(
                "two classes without new_classes=True share one learner, which cannot become "
                "three. Set new_classes=True before the first fit."
            )
        known = dict(
            zip(self.classes, zip(self.learners, self.calibrators, strict=True), strict=True)
        )
        for k, name in enumerate(classes):
            if name not in known:
                known[name] = (self.prototype.started_anew(), self._new_calibrator())
                appears = np.flatnonzero(number == k)
                self.starts[k] = int(appears[0]) + 1 if len(appears) else 0
        self.learners = [known[name][0] for name in classes]
        self.calibrators = [known[name][1] for name in classes]
        self.classes = classes

    def learn(
        self, rows: Rows, number: NDArray[np.int64], weight: NDArray[np.float64] | None
    ) -> int:
        """Play a round with each row; the number of wrong predictions."""
        if self.single:
            return self._round(0, rows, np.where(number == 1, 1, -1), weight).mistakes
        margins = np.full((len(rows), len(self.learners)), -np.inf)
        for k, start in enumerate(self.starts):
            # `start` counts from 1, so that 0 is left for classes that were there before.
            first = max(start - 1, 0)
            part = rows[first:] if first else rows
            counts = None if weight is None else weight[first:]
            rounds = self._round(k, part, np.where(number[first:] == k, 1, -1), counts)
            margins[start:, k] = rounds.scores[start - first :] - rounds.threshold
        self.starts = [0] * len(self.learners)
        told = margins.max(axis=1, initial=-np.inf) > -np.inf
        right = told & (np.argmax(margins, axis=1) == number)
        return len(rows) - int(np.count_nonzero(right))

    def _round(
        self, k: int, rows: Rows, sign: NDArray[np.int64], weight: NDArray[np.float64] | None
    ) -> Rounds:
        """What one learner does with a batch; its calibration sees the scores of the rounds."""
        batch = Batch.from_rows(rows, sign.astype(np.int8), weight)
        rounds = self.learners[k].learn(batch)
        calibrator = self.calibrators[k]
        if calibrator is not None:
            calibrator.learn(rounds.scores - rounds.threshold, rounds.labels)
        return rounds

    def margins(self, rows: Rows) -> NDArray[np.float64]:
        """Score minus threshold, one column for each learner."""
        each = [learner.scores(rows) - learner.threshold for learner in self.learners]
        return np.stack(each, axis=1)

    def probabilities(self, rows: Rows) -> NDArray[np.float64]:
        """The calibrated probability of each class; one column for each, which sum to 1."""
        each = [
            calibrator.probabilities(margin)
            for calibrator, margin in zip(self.calibrators, self.margins(rows).T, strict=True)
            if calibrator is not None
        ]
        positive = np.stack(each, axis=1)
        if self.single:
            return np.hstack((1.0 - positive, positive))
        return np.asarray(positive / positive.sum(axis=1, keepdims=True))

"""Rows held out: never learned from, only predicted, to see how passes over the rest do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from thresher.streams.batch import Batch

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner

#: Rows held out that are predicted together. Which rows those are depends on their place in the
#: stream alone, so that the figures do not depend on how it was read.
TOGETHER = 256


class Holdout:
    """One row in so many of a pass, predicted in blocks by the learner as it then is.

    Examples
    --------
    >>> import thresher as th
    >>> held = Holdout(every=2)
    >>> batch = Batch.of([[1], [1], [1], [1]], [1, -1, 1, -1])
    >>> learner = th.Perceptron(n_features=1)
    >>> [len(part) for part, rows in held.parts(batch, learner)]
    [2]
    >>> held.finish_pass(learner), held.rows, held.mistakes
    (1.0, 2, 2)
    """

    def __init__(self, every: int) -> None:
        self.every = every
        self.rows = self.mistakes = 0
        #: Of each pass that is over.
        self.errors: list[float | None] = []
        self._at = 0
        self._waiting: list[Batch] = []

    @property
    def error(self) -> float | None:
        """Share of mistakes on the rows held out in this pass, so far."""
        return self.mistakes / self.rows if self.rows else None

    @property
    def latest_error(self) -> float | None:
        """From the second pass on, the error of this one so far, or else of the one before."""
        if not self.errors:
            return None
        return self.errors[-1] if self.error is None else self.error

    def parts(self, batch: Batch, learner: Learner) -> Iterator[tuple[Batch, NDArray[np.int64]]]:
        """What is left of a batch to learn from, with which rows of it those are."""
        block = self.every * TOGETHER
        first = 0
        while first < len(batch):
            stop = min(len(batch), first + block - self._at % block)
            place = self._at + 1 + np.arange(stop - first)
            held = place % self.every == 0
            self._waiting.append(batch.taken(first + np.flatnonzero(held)))
            learned = first + np.flatnonzero(~held)
            if len(learned):
                yield batch.taken(learned), learned
            self._at += stop - first
            first = stop
            if self._at % block == 0:
                self._predict(learner)

    def _predict(self, learner: Learner) -> None:
        for batch in self._waiting:
            predicted = learner.predicted_numbers(learner.scores(batch))
            self.mistakes += int(np.count_nonzero(predicted != _numbers(batch, learner)))
            self.rows += len(batch)
        self._waiting.clear()

    def start_pass(self) -> None:
        """Forget what was counted in the pass before."""
        self.rows = self.mistakes = self._at = 0

    def finish_pass(self, learner: Learner) -> float | None:
        """Predict what is still waiting; the error of the pass."""
        self._predict(learner)
        self.errors.append(self.error)
        return self.error

    def skip(self, rows: int) -> None:
        """Pass over rows that were seen in an earlier run."""
        self._at += rows


def _numbers(batch: Batch, learner: Learner) -> NDArray[np.int32]:
    """The number that the learner gives to the class of each row; -2 where it has none."""
    known = {label: number for number, label in enumerate(learner.classes)}
    numbers = np.array([known.get(label, -2) for label in batch.classes], np.int32)
    return numbers[batch.number]

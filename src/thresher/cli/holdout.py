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
    """Every so-manieth row of a pass, predicted in blocks by the learner as it then is.

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
        self._at = 0
        self._waiting: list[Batch] = []

    @property
    def error(self) -> float | None:
        """Share of mistakes on the rows held out in this pass, so far."""
        return self.mistakes / self.rows if self.rows else None

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
            self.mistakes += int(np.count_nonzero(learner.predict(batch) != batch.labels))
            self.rows += len(batch)
        self._waiting.clear()

    def start_pass(self) -> None:
        """Forget what was counted in the pass before."""
        self.rows = self.mistakes = self._at = 0

    def finish_pass(self, learner: Learner) -> float | None:
        """Predict what is still waiting; the error of the pass."""
        self._predict(learner)
        return self.error

    def skip(self, rows: int) -> None:
        """Pass over rows that were seen in an earlier run."""
        self._at += rows

"""Rows held out: never learned from, only predicted, to see which pass over the rest does best."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.streams.batch import Batch

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner

#: Rows held out that are predicted together. Which rows those are depends on their place in the
#: stream alone, so that the figures do not depend on how it was read.
TOGETHER = 256


class HoldoutState(NamedTuple):
    """What a run that was interrupted knows of the rows held out."""

    #: Of each pass that is over.
    errors: tuple[float | None, ...] = ()
    #: Rows and mistakes of the pass under way.
    rows: int = 0
    mistakes: int = 0
    #: The learner after the best pass so far, if it is not the learner at work.
    best: Learner | None = None


class Holdout:
    """One row in so many of a pass, predicted in blocks by the learner as it then is.

    After each pass whose error is below that of all before, a copy of the learner is kept.

    Parameters
    ----------
    every
        One row in so many is held out.
    state
        What an earlier part of the same run found; its rows are then passed over.

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

    def __init__(self, every: int, state: HoldoutState | None = None) -> None:
        self.every = every
        self.rows = self.mistakes = 0
        self._begun = HoldoutState() if state is None else state
        #: Of each pass that is over.
        self.errors: list[float | None] = [*self._begun.errors]
        self._best = self._begun.best
        self._pass = 0
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

    @property
    def best_pass(self) -> int | None:
        """The pass with the lowest error so far, from 1; the earliest of several."""
        known = [
            (error, number) for number, error in enumerate(self.errors, 1) if error is not None
        ]
        return min(known)[1] if known else None

    def chosen(self, learner: Learner) -> Learner:
        """The learner after the best pass; the one given if that was the last."""
        return learner if self._best is None else self._best

    @property
    def state(self) -> HoldoutState:
        """What it takes to go on from here; rows that wait are read again."""
        under_way = self._pass > len(self.errors)
        counts = (self.rows, self.mistakes) if under_way else (0, 0)
        return HoldoutState(tuple(self.errors), *counts, self._best)

    def parts(self, batch: Batch, learner: Learner) -> Iterator[tuple[Batch, NDArray[np.int64]]]:
        """What is left of a batch to learn from, with which rows of it those are."""
        for learned, full in self._blocks(batch):
            if len(learned):
                yield batch.taken(learned), learned
            if full:
                self._predict(learner)

    def pass_over(self, batch: Batch) -> None:
        """Rows that were seen in an earlier run; some of them may not have been predicted there."""
        for _, full in self._blocks(batch):
            if full:
                self._waiting.clear()

    def _blocks(self, batch: Batch) -> Iterator[tuple[NDArray[np.int64], bool]]:
        """Block by block, the rows that are not held out, and whether the block is full."""
        block = self.every * TOGETHER
        first = 0
        while first < len(batch):
            stop = min(len(batch), first + block - self._at % block)
            place = self._at + 1 + np.arange(stop - first)
            held = place % self.every == 0
            self._waiting.append(batch.taken(first + np.flatnonzero(held)))
            self._at += stop - first
            yield first + np.flatnonzero(~held), self._at % block == 0
            first = stop

    def _predict(self, learner: Learner) -> None:
        for batch in self._waiting:
            predicted = learner.predicted_numbers(learner.scores(batch))
            self.mistakes += int(np.count_nonzero(predicted != _numbers(batch, learner)))
            self.rows += len(batch)
        self._waiting.clear()

    def start_pass(self) -> None:
        """Forget what was counted in the pass before; an earlier run may have begun this one."""
        begun = self._begun
        self._pass += 1
        self._at = 0
        here = self._pass == len(begun.errors) + 1
        self.rows, self.mistakes = (begun.rows, begun.mistakes) if here else (0, 0)

    def finish_pass(self, learner: Learner, *, more: bool = False) -> float | None:
        """Predict what is still waiting; the error of the pass.

        With `more` passes to come, a learner that is the best so far is copied.
        """
        if 0 < self._pass <= len(self._begun.errors):
            self._waiting.clear()
            return self._begun.errors[self._pass - 1]
        self._predict(learner)
        self.errors.append(self.error)
        if self.best_pass == len(self.errors):
            self._best = learner.copy() if more else None
        return self.error


def _numbers(batch: Batch, learner: Learner) -> NDArray[np.int32]:
    """The number that the learner gives to the class of each row; -2 where it has none."""
    known = {label: number for number, label in enumerate(learner.classes)}
    numbers = np.array([known.get(label, -2) for label in batch.classes], np.int32)
    return numbers[batch.number]

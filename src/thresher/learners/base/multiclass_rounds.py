"""MulticlassRounds: what happened, round by round, when there are several classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.class_table import Label


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MulticlassRounds:
    """The rounds of a batch: what was predicted before the label was known, and what came.

    ``predicted`` and ``label`` are numbers of classes, in the order of ``classes``; the
    prediction is -1 where no class had appeared yet. ``best_scores[t]`` is the score of the
    class that was predicted, and ``changed[t]`` says whether the round changed the learner:
    by an update, or by a class that had not been seen before.

    >>> rounds = MulticlassRounds(
    ...     np.array([-1, 0]), np.array([0, 1]), np.zeros(2), np.ones(2, bool), ("ham", "spam")
    ... )
    >>> rounds, rounds.predictions.tolist()
    (MulticlassRounds(2 rounds, 2 mistakes), [None, 'ham'])
    """

    predicted: NDArray[np.int32]
    label: NDArray[np.int32]
    best_scores: NDArray[np.float64]
    changed: NDArray[np.bool_]
    classes: tuple[Label, ...]

    def __len__(self) -> int:
        return len(self.label)

    @property
    def predictions(self) -> NDArray[Any]:
        """The label predicted in each round; None where there was no class to predict."""
        return named(self.classes, self.predicted)

    @property
    def labels(self) -> NDArray[Any]:
        """The label of each round."""
        return named(self.classes, self.label)

    @property
    def mistaken(self) -> NDArray[np.bool_]:
        """For each round, whether the prediction was wrong."""
        return np.not_equal(self.predicted, self.label)

    @property
    def mistakes(self) -> int:
        """Number of wrong predictions; a class never seen before always makes one."""
        return int(np.count_nonzero(self.mistaken))

    def __repr__(self) -> str:
        return f"MulticlassRounds({len(self)} rounds, {self.mistakes} mistakes)"


def named(classes: tuple[Label, ...] | list[Label], number: NDArray[Any]) -> NDArray[Any]:
    """The labels behind numbers of classes; None for -1."""
    table = np.empty(len(classes) + 1, object)
    table[:-1] = classes
    found: NDArray[Any] = table[number]
    return found

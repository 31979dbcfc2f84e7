"""Limits: how many mistakes of each kind a theorem allows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.theory import (
    ConjunctionTarget,
    EliminationDisjunction,
    MistakeBound,
    WinnowAnyThreshold,
    WinnowDisjunction,
)


@dataclass(frozen=True)
class Limits:
    """The most mistakes of all, of false negatives and of false positives; None: no limit."""

    mistakes: int
    false_negatives: int | None = None
    false_positives: int | None = None

    @classmethod
    def of(cls, theorem: MistakeBound) -> Limits:
        """What a theorem allows, by kind of mistake where it says so."""
        if isinstance(theorem, WinnowDisjunction | WinnowAnyThreshold):
            return cls(
                theorem.max_mistakes(),
                theorem.max_false_negatives(),
                theorem.max_false_positives(),
            )
        if isinstance(theorem, EliminationDisjunction):
            return cls(theorem.max_mistakes(), false_negatives=0)
        if isinstance(theorem, ConjunctionTarget):
            return cls(theorem.max_mistakes(), false_positives=0)
        return cls(theorem.max_mistakes())

    def exceeded(
        self, false_negatives: NDArray[np.int64], false_positives: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """For each pair of counts, whether it exceeds a limit."""
        over = false_negatives + false_positives > self.mistakes
        if self.false_negatives is not None:
            over = over | (false_negatives > self.false_negatives)
        if self.false_positives is not None:
            over = over | (false_positives > self.false_positives)
        return np.asarray(over)

    def first_excess(
        self,
        mistaken: NDArray[np.bool_],
        labels: NDArray[np.int8],
        before: tuple[int, int] = (0, 0),
    ) -> int | None:
        """The first round by which a limit was exceeded, given the counts before it."""
        false_negatives = before[0] + np.cumsum(mistaken & (labels > 0))
        false_positives = before[1] + np.cumsum(mistaken & (labels < 0))
        over = np.flatnonzero(self.exceeded(false_negatives, false_positives))
        return int(over[0]) if len(over) else None

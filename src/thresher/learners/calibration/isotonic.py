"""Isotonic calibration: the best probabilities that never fall as the score rises."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StateError
from thresher.learners.base.probability_map import Steps
from thresher.learners.calibration.calibrator import (
    N_BINS,
    Calibrator,
    bin_edges,
    bin_of,
)


def pooled(positive: list[int], total: list[int]) -> list[float]:
    """Shares that never fall, nearest to positive/total in the sum of squares weighted by total.

    Neighbours whose shares fall are pooled until none do (Ayer et al. 1955); comparisons are
    between whole numbers, and exact.

    >>> pooled([1, 0, 3], [2, 2, 4])
    [0.25, 0.25, 0.75]
    """
    blocks: list[tuple[int, int, int]] = []
    for one, every in zip(positive, total, strict=True):
        size = 1
        while blocks and blocks[-1][0] * every >= one * blocks[-1][1]:
            before, all_before, entries = blocks.pop()
            one, every, size = one + before, every + all_before, size + entries
        blocks.append((one, every, size))
    return [one / every for one, every, size in blocks for _ in range(size)]


class IsotonicCalibrator(Calibrator):
    """A step for each bin of scores, by pooling adjacent violators.

    A made-up +1 below all scores and a made-up -1 above them keep probabilities off 0 and 1.
    Between bins that have rows, those without are filled in on a straight line.
    """

    def fit(self) -> None:
        """Pool the counts."""
        total = self.counts.sum(axis=0)
        used = np.flatnonzero(total)
        shares = pooled([1, *self.counts[1, used].tolist(), 0], [1, *total[used].tolist(), 1])
        if len(used):
            self.steps = np.interp(np.arange(N_BINS), used, shares[1:-1])
        else:
            self.steps = np.full(N_BINS, 0.5)

    def probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The step of the score's bin."""
        return self.steps[bin_of(scores)]

    def map(self) -> Steps:
        """The present steps, neighbours of one height as one."""
        changes = np.flatnonzero(np.diff(self.steps))
        return Steps(bin_edges()[changes], self.steps[[0, *(changes + 1)]])

    def fitted(self) -> tuple[Any, ...]:
        """The steps."""
        return (self.steps.copy(),)

    def set_fitted(self, fitted: tuple[Any, ...]) -> None:
        """Take over saved steps."""
        (steps,) = fitted
        sound = steps.shape == (N_BINS,) and steps.dtype == np.float64
        if not sound or not np.all((steps > 0) & (steps < 1)) or np.any(np.diff(steps) < 0):
            raise StateError("the steps of a calibration rise, between 0 and 1.")
        self.steps = steps.copy()

"""Calibrator: the counts from which probabilities are made, and when they are made anew."""

from __future__ import annotations

from abc import ABC, abstractmethod
from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StateError
from thresher.learners.base.probability_map import ProbabilityMap

#: Scores from 2^LOWEST to 2^HIGHEST have bins of their own, STEPS for each power of two.
LOWEST, HIGHEST, STEPS = -64, 64, 16
#: Number of bins on each side of the bin of zero.
SIDE = (HIGHEST - LOWEST) * STEPS
N_BINS = 2 * SIDE + 1
#: A fit is made anew when the rounds, or those remembered, have grown by one part in so many.
SHARE = 8


def bin_of(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """The bin of each score: one per sixteenth of a power of two, increasing with the score.

    >>> (bin_of(np.array([-1.1, -1.0, 0.0, 1.0, 1.01, 1.1])) - SIDE).tolist()
    [-1026, -1025, 0, 1025, 1025, 1026]
    """
    bits = np.ascontiguousarray(scores, np.float64).view(np.int64)
    # Read as a whole number, a double's exponent and its first four binary digits are the bin.
    level = ((bits & (2**63 - 1)) >> 48) - ((LOWEST + 1023) * STEPS - 1)
    level = np.clip(level, 0, SIDE)
    found: NDArray[np.int64] = SIDE + np.where(bits < 0, -level, level)
    return found


_DOUBLE, _WHOLE = Struct("<d"), Struct("<q")


def bin_of_one(score: float) -> int:
    """The bin of a single score.

    >>> bin_of_one(-1.1) - SIDE, bin_of_one(0.0) - SIDE, bin_of_one(1.01) - SIDE
    (-1026, 0, 1025)
    """
    bits: int = _WHOLE.unpack(_DOUBLE.pack(score))[0]
    level = ((bits & (2**63 - 1)) >> 48) - ((LOWEST + 1023) * STEPS - 1)
    level = min(max(level, 0), SIDE)
    return SIDE - level if bits < 0 else SIDE + level


def bin_middles() -> NDArray[np.float64]:
    """The score in the middle of each bin."""
    level = np.arange(SIDE)
    low = np.ldexp(1.0 + (level % STEPS + 0.5) / STEPS, LOWEST + level // STEPS)
    return np.concatenate((-low[::-1], [0.0], low))


def bin_edges() -> NDArray[np.float64]:
    """The smallest score in each bin but the first, which has none.

    >>> edges = bin_edges()
    >>> (bin_of(edges) == np.arange(1, N_BINS)).all()
    np.True_
    >>> (bin_of(np.nextafter(edges, -np.inf)) == np.arange(N_BINS - 1)).all()
    np.True_
    """
    level = np.arange(SIDE)
    low = np.ldexp(1.0 + level % STEPS / STEPS, LOWEST + level // STEPS)
    # The bins of negative scores end where those of positive ones begin.
    return np.concatenate((-np.nextafter(low[::-1], 0.0), low))


class Calibrator(ABC):
    """From scores to probabilities, learned from scores that were taken before their labels.

    All it remembers are whole numbers: how many rows of either label had a score in each bin.
    After every `memory` rounds they are halved, so that old rounds fade. The map from scores
    to probabilities is made anew from them whenever the rounds have grown by an eighth (and
    with every eighth of the memory), and stays as it is in between. So memory is bounded, and
    how a stream is cut makes no difference.
    """

    def __init__(self, memory: int) -> None:
        self.memory = memory
        #: Rows of label -1 and of label +1 in each bin.
        self.counts = np.zeros((2, N_BINS), np.int64)
        self.n_rounds = 0
        self.next_fit = 1
        self.fit()

    @abstractmethod
    def fit(self) -> None:
        """Make the map anew from the counts."""

    @abstractmethod
    def probabilities(self, scores: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of +1 for each score, by the present map."""

    @abstractmethod
    def map(self) -> ProbabilityMap:
        """The present map, as plain numbers."""

    @abstractmethod
    def fitted(self) -> tuple[Any, ...]:
        """The present map, for saving."""

    @abstractmethod
    def set_fitted(self, fitted: tuple[Any, ...]) -> None:
        """Take over a saved map, checked."""

    def learn(self, scores: NDArray[np.float64], labels: NDArray[np.int8]) -> NDArray[np.float64]:
        """The probability of +1 in each round, before its label was used."""
        found = np.empty(len(scores))
        at = 0
        while at < len(scores):
            until_halving = self.memory - self.n_rounds % self.memory
            stop = at + min(self.next_fit - self.n_rounds, until_halving, len(scores) - at)
            part = scores[at:stop]
            found[at:stop] = self.probabilities(part)
            np.add.at(self.counts, ((labels[at:stop] > 0).astype(np.int64), bin_of(part)), 1)
            self.n_rounds += stop - at
            at = stop
            self._keep_up()
        return found

    def learn_one(self, score: float, label: int) -> None:
        """Take note of a single round: `learn`, without the probability."""
        self.counts[int(label > 0), bin_of_one(score)] += 1
        self.n_rounds += 1
        self._keep_up()

    def _keep_up(self) -> None:
        """Let old rounds fade and make the map anew, in the rounds in which it is time to."""
        if self.n_rounds % self.memory == 0:
            self.counts //= 2
        if self.n_rounds == self.next_fit:
            self.next_fit += max(1, min(self.n_rounds, self.memory) // SHARE)
            self.fit()

    def state(self) -> tuple[Any, ...]:
        """All there is, for saving."""
        return (self.counts.copy(), self.n_rounds, self.next_fit, *self.fitted())

    def restore(self, state: tuple[Any, ...]) -> None:
        """Take over a saved state, checked."""
        counts, n_rounds, next_fit, *fitted = state
        if counts.shape != self.counts.shape or counts.dtype != np.int64 or np.any(counts < 0):
            raise StateError(f"a calibration counts rows in two lines of {N_BINS} bins.")
        whole = type(n_rounds) is int and type(next_fit) is int
        if not whole or not 0 <= n_rounds < next_fit < 2**62 or counts.sum() > n_rounds:
            raise StateError("a calibration has not seen the rounds that it counts.")
        self.counts, self.n_rounds, self.next_fit = counts.copy(), n_rounds, next_fit
        self.set_fitted(tuple(fitted))

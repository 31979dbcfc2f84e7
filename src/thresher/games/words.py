"""Words: a stream like text, of any length, in bounded memory: many features, few in a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.games.numbers import whole
from thresher.streams import Batch

#: Rows are drawn this many at a time, each block from a generator of its own.
BLOCK = 4096
#: Offset of the law of frequencies (Mandelbrot): as in text, half of the occurrences belong to
#: a few thousand of the features, and yet no feature is in every row.
_OFFSET = 100.0


@dataclass(frozen=True, slots=True)
class Words:
    """Rows of ones like bags of words, with labels from a hidden linear target, with noise.

    Features come in pairs of opposites: the target has weight +1 on one and -1 on the other.
    A row has one of each of `active` pairs, frequent pairs more often than rare ones, and its
    label tilts which one. Block j of the rows is drawn from a generator seeded with the seed
    and j, so the stream does not depend on how it is cut.

    Parameters
    ----------
    rounds
        The length; None has no end.
    n_features
        The width of the rows, an even number.
    active
        Features in a row, at most one for each two of the width.
    tilt
        How far the label tilts the choice between a feature and its opposite, from 0 (not at
        all: labels are noise) to 1 (always: no noise).
    real
        Values drawn from (0, 1] instead of ones.
    drift
        Rounds, increasing, at which the target is drawn anew.

    >>> stream = Words(rounds=1000, n_features=2**12, active=20)
    >>> batch = stream.batch()
    >>> len(batch), len(batch.column), batch.only_ones
    (1000, 20000, True)
    """

    rounds: int | None = None
    seed: int = 0
    n_features: int = 2**18
    active: int = 75
    tilt: float = 0.2
    real: bool = False
    drift: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        whole("Words", "seed", self.seed, 0)
        whole("Words", "n_features", self.n_features, 2, 2**30)
        whole("Words", "active", self.active, 1, self.n_features // 2)
        if self.n_features % 2:
            raise ParameterError("Words", "n_features", "an even number", self.n_features)
        if self.rounds is not None:
            whole("Words", "rounds", self.rounds, 0)
        if not 0 <= self.tilt <= 1:
            raise ParameterError("Words", "tilt", "between 0 and 1", self.tilt)
        if any(b <= a for a, b in zip((0, *self.drift), self.drift, strict=False)):
            raise ParameterError("Words", "drift", "increasing rounds above 0", self.drift)

    def weights(self, stretch: int = 0) -> NDArray[np.int8]:
        """The target between two drifts: -1 or +1 for each feature."""
        signs = np.empty(self.n_features, np.int8)
        place = self._places(stretch)
        signs[place[0::2]], signs[place[1::2]] = -1, 1
        return signs

    def batch(self) -> Batch:
        """The whole stream."""
        if self.rounds is None:
            raise ParameterError("Words.batch", "rounds", "a number", None, "It has no end.")
        parts = list(self.blocks())
        column = np.concatenate([part.column for part in parts] or [np.empty(0, np.int32)])
        value = np.concatenate([part.value for part in parts] or [np.empty(0)])
        label = np.concatenate([part.label for part in parts] or [np.empty(0, np.int8)])
        start = np.arange(0, len(column) + 1, self.active, dtype=np.int64)
        return Batch(start, column, value, label)

    def blocks(self) -> Iterator[Batch]:
        """The stream in batches of 4,096 rows (the last may be shorter)."""
        stretch, place = -1, np.empty(0, np.int32)
        j = 0
        while self.rounds is None or j * BLOCK < self.rounds:
            rng = self._generator(1, j)
            first = j * BLOCK
            n = BLOCK if self.rounds is None else min(BLOCK, self.rounds - first)
            # Whole blocks are drawn, so that the last one does not depend on the length.
            label = rng.choice(np.array([-1, 1], np.int8), BLOCK)
            pair = self._pairs(rng)
            positive = (rng.random(pair.shape) < 0.5 + self.tilt / 2) == (label[:, None] > 0)
            value = 1.0 - rng.random(pair.size) if self.real else np.ones(n * self.active)
            feature = (2 * pair + positive)[:n]
            column = np.empty(feature.shape, np.int32)
            ends = np.searchsorted(self.drift, np.arange(first, first + n), side="right")
            for now in range(int(ends[0]), int(ends[-1]) + 1):
                if now != stretch:
                    stretch, place = now, self._places(now)
                column[ends == now] = place[feature[ends == now]]
            column.sort(axis=1)
            start = np.arange(0, column.size + 1, self.active, dtype=np.int64)
            yield Batch(start, column.ravel(), value[: column.size], label[:n].copy())
            j += 1

    def _pairs(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """For each row the ranks of its pairs, increasing: one from each of `active` shares."""
        n = self.n_features // 2
        order = np.arange(self.active)
        share = (order + rng.random((BLOCK, self.active))) / self.active
        rank = _OFFSET * (((n + _OFFSET) / _OFFSET) ** share - 1.0)
        # Two neighbouring shares may round to the same rank; the later one moves up, and at
        # the end of the ranks the earlier ones down.
        pair = np.maximum.accumulate(rank.astype(np.int64) - order, axis=1)
        return np.minimum(pair, n - self.active) + order

    def _places(self, stretch: int) -> NDArray[np.int32]:
        """Which columns the features have; the pairs of a new target are new pairs."""
        return self._generator(0, stretch).permutation(self.n_features).astype(np.int32)

    def _generator(self, *key: int) -> np.random.Generator:
        return np.random.Generator(
            np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=key))
        )

"""Streams to measure on: made from a seed, the same on every machine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from thresher import Batch, Rows
from thresher.learners.base.linear_learner import LinearLearner

N_FEATURES = 2**18
PER_ROW = 75
#: How far the label tilts the choice between a feature and its opposite. At this value the
#: Perceptron errs in one round of six or seven.
TILT = 0.2
#: Offset of the law of frequencies (Mandelbrot): as in text, half of the occurrences belong
#: to a few thousand of the features, and yet no feature is in every row.
OFFSET = 100.0
#: Rows drawn at a time. Part of the definition of the stream: another size, another stream.
BLOCK = 50_000


@dataclass(frozen=True, slots=True)
class Stream:
    """The same labelled rows in the two forms that learners are given."""

    batch: Batch
    matrix: Any

    @property
    def label(self) -> NDArray[np.int8]:
        """-1 or +1 for each row."""
        return self.batch.label


def made_stream(rows: int, *, seed: int = 0, uniform: bool = False, real: bool = False) -> Stream:
    """Rows of `PER_ROW` features with labels from a hidden linear target, with noise.

    Features come in pairs of opposites: the target has weight +1 on one and -1 on the
    other. A row has one of each of 75 pairs, and its label tilts which one.

    Parameters
    ----------
    rows
        How many.
    seed
        Of everything that is drawn.
    uniform
        Let all features be equally frequent, which text never is: no weight stays in a
        cache by being popular.
    real
        Values drawn from (0, 1] instead of ones.
    """
    rng = np.random.default_rng(seed)
    place = rng.permutation(N_FEATURES).astype(np.int32)
    label = rng.choice(np.array([-1, 1], np.int8), rows)
    column = np.empty((rows, PER_ROW), np.int32)
    for first in range(0, rows, BLOCK):
        part = slice(first, min(first + BLOCK, rows))
        pair = _pairs(rng, label[part].size, uniform)
        agrees = rng.random(pair.shape) < 0.5 + TILT / 2
        positive = agrees == (label[part, None] > 0)
        column[part] = np.sort(place[2 * pair + positive], axis=1)
    value = 1.0 - rng.random(column.size) if real else np.ones(column.size)
    start = np.arange(0, column.size + 1, PER_ROW, dtype=np.int32)
    matrix = csr_array((value, column.ravel(), start), shape=(rows, N_FEATURES))
    return Stream(Batch.of(matrix, label), matrix)


def _pairs(rng: np.random.Generator, rows: int, uniform: bool) -> NDArray[np.int64]:
    """For each row the ranks of its pairs, increasing: one from each of 75 equal shares."""
    n = N_FEATURES // 2
    order = np.arange(PER_ROW)
    share = (order + rng.random((rows, PER_ROW))) / PER_ROW
    rank = share * n if uniform else OFFSET * (((n + OFFSET) / OFFSET) ** share - 1.0)
    # Two neighbouring shares may round to the same rank; the later one moves up.
    pair: NDArray[np.int64] = np.maximum.accumulate(rank.astype(np.int64) - order, axis=1) + order
    return pair


def named_rows(batch: Batch) -> list[dict[str, float]]:
    """Each row as a dict of names; every name a string of its own, as if cut from a text."""
    return [{f"word{index}": value for index, value in row.items()} for row in batch]


def labels_that_fool(learner: LinearLearner, rows: Rows, wrong: NDArray[np.bool_]) -> Batch:
    """The rows with labels on which a learner like this one errs exactly in the rounds `wrong`.

    The learner is played and left at the end of the stream; an equal one, at the start,
    will do the same.
    """
    label = np.empty(len(rows), np.int8)
    first = 0
    for stop in [*np.flatnonzero(wrong).tolist(), len(rows)]:
        part = slice(first, stop + 1)
        label[part] = learner.predict(rows[part])
        if stop < len(rows):
            label[stop] = -label[stop]
            learner.learn(rows[stop : stop + 1], label[stop : stop + 1])
        first = stop + 1
    return Batch(rows.row_start, rows.column, rows.value, label)

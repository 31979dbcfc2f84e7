"""Random subsets, many at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Indices = NDArray[np.int64]


def random_sets(rng: np.random.Generator, n_sets: int, universe: int, size: int) -> Indices:
    """`n_sets` rows, each a sorted uniformly random `size`-subset of range(universe).

    Elements are drawn with repetition, and repetitions are drawn again until there are none.
    The procedure treats all elements alike and ends with `size` of them, so every subset is
    equally likely. More than half of the universe is drawn as the complement of the rest.

    >>> rng = np.random.Generator(np.random.PCG64(0))
    >>> random_sets(rng, 2, 4, 4).tolist(), random_sets(rng, 1, 9, 0).tolist()
    ([[0, 1, 2, 3], [0, 1, 2, 3]], [[]])
    """
    if 2 * size > universe:
        chosen = np.ones((n_sets, universe), bool)
        left_out = random_sets(rng, n_sets, universe, universe - size)
        np.put_along_axis(chosen, left_out, False, axis=1)
        return np.nonzero(chosen)[1].reshape(n_sets, size)
    drawn = rng.integers(0, max(universe, 1), (n_sets, size))
    drawn.sort(axis=1)
    rows: NDArray[np.int64] = np.arange(n_sets)
    while True:
        again = np.zeros((len(rows), size), bool)
        again[:, 1:] = drawn[rows, 1:] == drawn[rows, :-1]
        unfinished = again.any(axis=1)
        if not unfinished.any():
            return drawn
        rows, again = rows[unfinished], again[unfinished]
        part = drawn[rows]
        part[again] = rng.integers(0, universe, np.count_nonzero(again))
        part.sort(axis=1)
        drawn[rows] = part


def around(left_out: Indices, index: Indices) -> Indices:
    """The `index`-th number that is not in the sorted `left_out`.

    >>> around(np.array([0, 3]), np.arange(4)).tolist()
    [1, 2, 4, 5]
    """
    gaps = left_out - np.arange(len(left_out))
    return index + np.searchsorted(gaps, index, side="right")


def random_ranks(rng: np.random.Generator, n_rows: int, size: int) -> Indices:
    """`n_rows` random permutations of range(size)."""
    return rng.random((n_rows, size)).argsort(axis=1, kind="stable")

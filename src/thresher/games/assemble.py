"""From rows as the constructions write them to a :class:`Batch`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thresher.streams import Batch


def of_sets(rows: Iterable[tuple[Iterable[int], int]]) -> Batch:
    """A batch of binary rows, each given by its active features and its label.

    >>> list(of_sets([({2, 0}, 1), ((), -1)]).examples())
    [({0: 1.0, 2: 1.0}, 1), ({}, -1)]
    """
    start, column, label = [0], [], []
    for active, y in rows:
        column.extend(sorted(active))
        start.append(len(column))
        label.append(y)
    return Batch(
        np.array(start, np.int64),
        np.array(column, np.int32),
        np.ones(len(column)),
        np.array(label, np.int8),
    )


def of_dicts(rows: Iterable[tuple[Mapping[int, float], int]]) -> Batch:
    """A batch of rows given as dicts from index to value, with their labels."""
    start, column, value, label = [0], [], [], []
    for features, y in rows:
        for index in sorted(features):
            column.append(index)
            value.append(features[index])
        start.append(len(column))
        label.append(y)
    return Batch(
        np.array(start, np.int64),
        np.array(column, np.int32),
        np.array(value, np.float64),
        np.array(label, np.int8),
    )


def of_matrix(X: ArrayLike, y: ArrayLike) -> Batch:
    """A batch of dense rows."""
    matrix = np.asarray(X, np.float64)
    n_rows, n_columns = matrix.shape
    return Batch(
        np.arange(n_rows + 1, dtype=np.int64) * n_columns,
        np.tile(np.arange(n_columns, dtype=np.int32), n_rows),
        matrix.ravel().copy(),
        np.asarray(y, np.int8).copy(),
    )


def joined(batches: Iterable[Batch]) -> Batch:
    """The rows of several batches, one after the other."""
    parts = list(batches)
    lengths: list[NDArray[np.int64]] = [np.diff(part.row_start) for part in parts]
    return Batch(
        np.concatenate([np.zeros(1, np.int64), *lengths]).cumsum(),
        np.concatenate([np.zeros(0, np.int32), *(part.column for part in parts)]),
        np.concatenate([np.zeros(0), *(part.value for part in parts)]),
        np.concatenate([np.zeros(0, np.int8), *(part.label for part in parts)]),
    )

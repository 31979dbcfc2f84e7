"""Tables of numbers and categories as data sets, such as those of the KEEL repository."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from benchmarks.accuracy.datasets import Dataset


def from_table(path: Path) -> Dataset:
    """A file of values with commas, the class last; a category is one column for each value."""
    with path.open(encoding="utf-8") as lines:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines) if row]
    *features, labels = zip(*rows, strict=True)
    table = csr_matrix(np.hstack([columns_of(feature) for feature in features]))
    classes = np.unique(labels, return_inverse=True)[1].astype(np.int64)
    return Dataset(path.stem, table, classes)


def columns_of(cells: Sequence[str]) -> NDArray[np.float64]:
    """One column of numbers, or a column of zeros and ones for each category."""
    try:
        return np.array(cells, float).reshape(-1, 1)
    except ValueError:
        return np.asarray(np.array(cells)[:, None] == np.unique(cells)[None, :], np.float64)

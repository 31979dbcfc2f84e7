"""Features: which columns the rows of partitions have, and how names find theirs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from thresher.errors import UnsoundBatchError
from thresher.kernels.rows.named_rows import NameTable
from thresher.records import record
from thresher.sklearn.dask.partitions import Partitions
from thresher.streams.arrays import as_rows
from thresher.streams.frames import named_rows, with_categories


@record
class Hashed:
    """Names of features, hashed into columns as `learn_one` does."""

    n_features: int
    #: Whether of two names on one column the stronger value counts, not the sum.
    strongest: bool

    def matrix(self, rows: Any) -> Any:
        """A sparse matrix of dicts, or of a frame."""
        if hasattr(rows, "columns"):
            # By name even where a partition has numbers alone, or nothing in its texts.
            rows = named_rows(rows)
        else:
            rows = list(rows)
            for row in rows:
                if not isinstance(row, Mapping):
                    raise UnsoundBatchError(
                        f"a row is a dict from feature to value, found {type(row).__name__}.",
                        "A bag holds dicts, or pairs (dict, label) if y is left out.",
                    )
        if not len(rows):
            return np.zeros((0, self.n_features))
        table = NameTable(self.n_features, True, 0, self.strongest)
        return as_rows(rows, names=table, add=False).to_scipy(self.n_features)


def hashed_features(rows: Partitions, n_features: int, *, strongest: bool) -> Hashed | None:
    """How the names of features find columns; None where columns stay as they are."""
    given = rows.whole
    if rows.kind == "frame":
        named = with_categories(given._meta)
    elif rows.kind == "plain":
        named = with_categories(given) if hasattr(given, "columns") else _has_dicts(given)
    else:
        named = rows.kind == "bag"
    return Hashed(n_features, strongest) if named else None


def _has_dicts(given: Any) -> bool:
    return isinstance(given, list | tuple) and bool(given) and isinstance(given[0], Mapping)


def example_of(rows: Partitions, hashed: Hashed | None) -> Any:
    """A matrix or a frame of one row of zeros, with the columns that all partitions have."""
    from scipy.sparse import csr_array  # noqa: PLC0415  (SciPy takes 0.1 s to import)

    if hashed is not None:
        return csr_array((1, hashed.n_features))
    given = rows.whole
    if rows.kind == "plain":
        return given
    if rows.kind == "frame":
        import pandas  # noqa: PLC0415

        zeros = np.zeros((1, len(given.columns)))
        return pandas.DataFrame(zeros, columns=list(given.columns))
    width = given.shape[1]
    if width != width:
        raise UnsoundBatchError(
            "nobody knows how many columns X has.",
            "Say it where the array is made: shape=(float('nan'), 300).",
        )
    return csr_array((1, int(width)))

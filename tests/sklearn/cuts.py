"""Rows and labels as Dask collections, the same each time."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np

N = 240
X = (np.random.default_rng(0).random((N, 12)) < 0.4).astype(np.float64)
Y = np.where(X @ np.random.default_rng(1).normal(size=12) > 0.1, "yes", "no")
NAMES = [f"f{number}" for number in range(12)]


def array(chunks: Any, values: Any = X) -> Any:
    cuts = (chunks, 12) if values.ndim == 2 else (chunks,)
    return da.from_array(values, chunks=cuts)


def cut(chunks: Any) -> tuple[Any, Any]:
    return array(chunks), array(chunks, Y)


def dicts(values: Any = X) -> list[dict[str, float]]:
    return [{NAMES[at]: row[at] for at in np.flatnonzero(row)} for row in values]

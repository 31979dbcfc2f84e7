"""Partitions of a Dask array next to dask_ml's `Incremental` around scikit-learn's SGDClassifier.

`Incremental` hands one model from block to block, so that workers wait for each other; partitions
of `DaskClassifier` learn at the same time and are combined. Both begin with the same blocks in
the memory of the workers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from thresher.cluster.dask_engine import connected
from thresher.sklearn import PerceptronClassifier
from thresher.sklearn.dask import DaskClassifier

N_FEATURES, VALUES, BLOCKS = 1 << 18, 75, 8


def rows(n: int, seed: int) -> tuple[Any, Any]:
    """Rows of so many ones, and labels with a linear target."""
    random = np.random.default_rng(seed)
    columns = random.integers(0, N_FEATURES, (n, VALUES), np.int32)
    target = np.random.default_rng(0).normal(size=N_FEATURES)
    y = (target[columns].sum(axis=1) > 0).astype(np.int64)
    columns.sort(axis=1)
    start = np.arange(n + 1, dtype=np.int32) * VALUES
    X = csr_matrix((np.ones(n * VALUES), columns.ravel(), start), shape=(n, N_FEATURES))
    X.sum_duplicates()
    return X, y


def _block(n: int, seed: int) -> Any:
    return rows(n, seed)[0]


def _labels(n: int, seed: int) -> Any:
    return rows(n, seed)[1]


def collections(n: int) -> tuple[Any, Any]:
    """The rows as an array of sparse blocks, and their labels."""
    import dask.array as da  # noqa: PLC0415  (optional)
    from dask import delayed  # noqa: PLC0415

    each, meta = n // BLOCKS, csr_matrix((0, N_FEATURES))
    shape = each, N_FEATURES
    X = [da.from_delayed(delayed(_block)(each, k), shape, meta=meta) for k in range(BLOCKS)]
    y = [da.from_delayed(delayed(_labels)(each, k), (each,), np.int64) for k in range(BLOCKS)]
    return da.concatenate(X), da.concatenate(y)


def _seconds(work: Callable[[], object], repeat: int) -> float:
    took = []
    for _ in range(repeat):
        began = time.perf_counter()
        work()
        took.append(time.perf_counter() - began)
    return median(took)


def alone(n: int, repeat: int) -> dict[str, float]:
    """Seconds for all blocks in one process, one after another."""
    from sklearn.linear_model import SGDClassifier  # noqa: PLC0415  (slow to import)

    blocks = [rows(n // BLOCKS, k) for k in range(BLOCKS)]

    def learn(model: Any) -> None:
        for X, y in blocks:
            model.partial_fit(X, y, classes=[0, 1])

    return {
        "PerceptronClassifier, one process": _seconds(
            lambda: learn(PerceptronClassifier(journal_bytes=0)), repeat
        ),
        "SGDClassifier, one process": _seconds(
            lambda: learn(SGDClassifier(loss="perceptron", learning_rate="constant", eta0=1.0)),
            repeat,
        ),
    }


def on_workers(n: int, n_workers: int, repeat: int) -> dict[str, float]:
    """Seconds of an epoch over blocks that the workers have in memory."""
    from dask_ml.wrappers import Incremental  # noqa: PLC0415  (optional)
    from sklearn.linear_model import SGDClassifier  # noqa: PLC0415

    engine = connected(f"local:{n_workers}")
    client = engine._client
    try:
        with client.as_current():
            X, y = client.persist(collections(n))
            client.gather([client.submit(len, part) for part in client.futures_of(y)])
            ours = DaskClassifier(PerceptronClassifier(), client=client)
            theirs = Incremental(
                SGDClassifier(loss="perceptron", learning_rate="constant", eta0=1.0)
            )
            name = f"{n_workers} worker{'s' if n_workers > 1 else ''}"
            # The first call imports what workers need.
            ours.partial_fit(X, y, classes=[0, 1])
            theirs.partial_fit(X, y, classes=[0, 1])
            return {
                f"DaskClassifier(PerceptronClassifier()), {name}": _seconds(
                    lambda: ours.partial_fit(X, y), repeat
                ),
                f"dask_ml Incremental(SGDClassifier()), {name}": _seconds(
                    lambda: theirs.partial_fit(X, y, classes=[0, 1]), repeat
                ),
            }
    finally:
        engine.close()


def compared(n: int, repeat: int) -> list[tuple[str, ...]]:
    """Lines of a table: seconds of a pass, rows a second."""
    took = alone(n, repeat)
    for n_workers in (1, 2):
        took |= on_workers(n, n_workers, repeat)
    return [(name, f"{one:.3f}", f"{n / one:,.0f}") for name, one in took.items()]

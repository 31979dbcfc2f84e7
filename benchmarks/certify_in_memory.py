"""How long certificates take to make and to check: ``python -m benchmarks.certify_in_memory``.

Streams as large as a certificate should bear: 50,000 rows of 300 dense features, 5,000 rows
over 50,000 sparse ones, and 100,000 rounds of 20 features to verify. Times are of this
machine at this moment; processor time is what the process itself used.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.sparse import csr_array

import thresher as th

Labelled = tuple[Any, Any]


def dense(noise: float, seed: int = 1) -> Labelled:
    rng = np.random.default_rng(seed)
    u = rng.normal(size=300)
    X = rng.normal(size=(50_000, 300))
    scores = X @ u / np.linalg.norm(u)
    # Rows too near the separator are moved away from it, so that there is a margin.
    X += np.outer(np.sign(scores) * 0.5, u / np.linalg.norm(u))
    y = np.where(scores >= 0, 1, -1)
    return np.round(X, 3), np.where(rng.random(len(y)) < noise, -y, y)


def sparse(rows: int, width: int, active: int, noise: float, seed: int = 2) -> Labelled:
    rng = np.random.default_rng(seed)
    column = np.concatenate(
        [np.sort(rng.choice(width, active, replace=False)) for _ in range(rows)]
    )
    X = csr_array(
        (np.ones(len(column)), column, np.arange(0, len(column) + 1, active)), shape=(rows, width)
    )
    relevant = np.zeros(width)
    relevant[rng.choice(width, width // 10, replace=False)] = 1.0
    y = np.where(X @ relevant >= active / 10, 1, -1)
    return X, np.where(rng.random(rows) < noise, -y, y)


def text() -> Labelled:
    return sparse(5_000, 50_000, 60, 0.0)


def disjunction(rows: int, width: int, active: int, relevant: int, seed: int = 3) -> Labelled:
    X, _ = sparse(rows, width, active, 0.0, seed)
    return X, np.where(X[:, list(range(relevant))].sum(axis=1) > 0, 1, -1)


def cases() -> Iterator[tuple[str, Callable[[], Any], Callable[[], Labelled]]]:
    yield "50,000 x 300, separable", lambda: th.Perceptron(300), lambda: dense(0.0)
    yield "50,000 x 300, 5% noise", lambda: th.Perceptron(300), lambda: dense(0.05)
    yield (
        "50,000 x 300, signed",
        lambda: th.SignedWinnow(300, eta=0.01, radius=8),
        lambda: dense(0.0),
    )
    yield "5,000 x 50,000 sparse", lambda: th.Perceptron(50_000, bias=True), text
    yield (
        "5,000 x 50,000 sparse, signed",
        lambda: th.SignedWinnow(50_000, eta=0.05, bias=True),
        text,
    )
    yield (
        "5,000 x 50,000 disjunction",
        lambda: th.Winnow(50_000),
        lambda: disjunction(5_000, 50_000, 60, 200),
    )
    for name, make in (
        ("perceptron", lambda: th.Perceptron(1000, bias=True)),
        ("winnow", lambda: th.Winnow(1000)),
        ("signed winnow", lambda: th.SignedWinnow(1000, eta=0.05, bias=True)),
    ):
        yield f"100,000 x 20 of 1,000, {name}", make, lambda: disjunction(100_000, 1000, 20, 40)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="cases whose name contains this text")
    wanted = parser.parse_args().only
    print(
        f"{'stream':36} {'mistakes':>8} {'allowed':>8}  {'certify s':>9} {'verify s':>8}  theorem"
    )
    for name, make, data in cases():
        if wanted not in name:
            continue
        X, y = data()
        learner = make()
        learner.learn(X, y)
        start = time.process_time()
        certificate = th.certify(learner, X, y)
        middle = time.process_time()
        holds = th.verify(certificate, X, y).holds
        end = time.process_time()
        print(
            f"{name:36} {certificate.mistakes:8,} {certificate.allowed or 0:8,}  "
            f"{middle - start:9.1f} {end - middle:8.1f}  {certificate.theorem}"
            + ("" if holds else "  DOES NOT HOLD"),
            flush=True,
        )


if __name__ == "__main__":
    main()

"""Published one-pass figures next to ours: means over ten seeded orders, and their spread.

    python -m benchmarks.published --a1a FILE --svmguide3 FILE --phishing FILE

Each file may be left out. `a1a` is in svmlight form; `svmguide3` is a table of numbers with a
header and the label first; `phishing` is the table in River's package, `.gz` or not. The
published AROW keeps a full matrix, ours its diagonal. The C of the published PA-I is not
known to us; among the powers of two, 1/16 comes nearest. On `phishing` River's Perceptron errs
once more, in the first round: it takes a score of 0 for the negative class, we for the positive.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_svmlight_file

import thresher as th

ORDERS = 10
Make = Callable[[int], Any]
#: Name, published error and its spread where one was printed, and our learner.
Line = tuple[str, float, float | None, Make]

A1A: list[Line] = [
    ("Perceptron", 1 - 0.7713, 0.0054, th.Perceptron),
    ("PA", 1 - 0.7759, None, lambda n: th.PassiveAggressive(n, "PA")),
    ("PA-I, C = 1/16", 1 - 0.8011, None, lambda n: th.PassiveAggressive(n, "PA-I", 1 / 16)),
    ("AROW, r = 1", 1 - 0.8211, None, th.AROW),
]
SVMGUIDE3: list[Line] = [
    ("Perceptron", 0.332, 0.012, th.Perceptron),
    ("PA", 0.318, None, lambda n: th.PassiveAggressive(n, "PA")),
    ("AROW, r = 1", 0.222, None, th.AROW),
]
#: Without published figures for these sets: what else there is.
MORE: list[tuple[str, Make]] = [
    ("Perceptron, mean", lambda n: th.Perceptron(n, average=True)),
    ("AdaGrad", th.AdaGrad),
    ("AdaGrad, logistic", lambda n: th.AdaGrad(n, loss="logistic", journal_bytes=0)),
]


def errors(make: Make, X: Any, y: NDArray[Any]) -> list[float]:
    """The share of mistakes in one pass, for each order."""
    found = []
    for seed in range(ORDERS):
        order = np.random.default_rng(seed).permutation(len(y))
        found.append(make(X.shape[1]).learn(X[order], y[order]).mistakes / len(y))
    return found


def compare(title: str, lines: list[Line], X: Any, y: NDArray[Any]) -> None:
    print(f"\n{title}: {len(y)} rows, {X.shape[1]} features, {ORDERS} orders")
    print(f"  {'':22} {'published':>16} {'thresher':>16}")
    for name, published, spread, make in lines:
        ours = errors(make, X, y)
        theirs = f"{published:.4f}" + (f" ± {spread:.4f}" if spread is not None else "")
        print(f"  {name:22} {theirs:>16} {np.mean(ours):9.4f} ± {np.std(ours):.4f}")
    for name, maker in MORE:
        ours = errors(maker, X, y)
        print(f"  {name:22} {'':>16} {np.mean(ours):9.4f} ± {np.std(ours):.4f}")


def table(path: str) -> tuple[list[str], list[list[str]]]:
    """The header and the rows of a table, packed or not."""
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as lines:
        header, *rows = csv.reader(lines)
    return header, rows


def phishing(path: str) -> None:
    """River's pipeline in its own order: features scaled by running mean and variance.

    As in River, a row is predicted with the scale before it and learned with the scale after.
    """
    header, rows = table(path)
    data = np.array(rows, float)
    label = np.where(data[:, header.index("is_phishing")] > 0, 1, -1)
    X = np.delete(data, header.index("is_phishing"), axis=1)
    # River updates at a score of exactly 0 whatever the label, and so does the least margin.
    learner = th.Perceptron(X.shape[1], bias=True, margin=1e-300)
    mean, square = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    mistakes = 0
    for t, (x, y) in enumerate(zip(X, label.tolist(), strict=True), 1):
        mistakes += int(learner.predict([scaled(x, mean, square, t - 1)])[0]) != y
        before = x - mean
        mean += before / t
        square += before * (x - mean)
        learner.learn([scaled(x, mean, square, t)], [y])
    print(f"\nPhishing: {len(label)} rows, {X.shape[1]} features, in the order of the file")
    print(f"  Perceptron, published error {1 - 0.8584:.4f}, ours {mistakes / len(label):.4f}")


def scaled(
    x: NDArray[Any], mean: NDArray[Any], square: NDArray[Any], rows: int
) -> NDArray[np.float64]:
    """The row by mean and deviation; a feature that has not varied yet becomes 0."""
    deviation = np.sqrt(square / max(rows, 1))
    quotient: NDArray[np.float64] = np.divide(
        x - mean, deviation, out=np.zeros(len(x)), where=deviation > 0.0
    )
    return quotient


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    for name in ("a1a", "svmguide3", "phishing"):
        parser.add_argument(f"--{name}", metavar="FILE")
    files = parser.parse_args()
    if files.a1a:
        X, y = load_svmlight_file(files.a1a)
        compare("a1a", A1A, X, y)
    if files.svmguide3:
        data = np.array(table(files.svmguide3)[1], float)
        compare("svmguide3", SVMGUIDE3, data[:, 1:], data[:, 0])
    if files.phishing:
        phishing(files.phishing)


if __name__ == "__main__":
    main()

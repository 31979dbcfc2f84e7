"""Estimators next to scikit-learn's and River's own: `python -m benchmarks.ecosystem`.

Everything runs in one process, by turns. Figures are printed, never asserted.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import river.linear_model
import sklearn.linear_model
from river import base

import thresher.river
import thresher.sklearn
from benchmarks import machine, timing
from benchmarks.stream import made_stream, named_rows
from benchmarks.timing import Contestant, Times

FIT = "thresher PerceptronClassifier.fit"
PARTIAL = "thresher PerceptronClassifier.partial_fit"
STREAM = "thresher PerceptronClassifier"


def fitted(make: Callable[[], Any], X: Any, y: Any) -> Contestant:
    """One pass of a new estimator; its mistakes, where it counts them."""

    def run(estimator: Any) -> object:
        estimator.fit(X, y)
        return SimpleNamespace(mistakes=getattr(estimator, "mistakes_", None))

    return lambda: partial(run, make())


def in_parts(make: Callable[[], Any], X: Any, y: Any, size: int) -> Contestant:
    """One pass by `partial_fit`, so many rows at a time."""
    parts = [(X[first : first + size], y[first : first + size]) for first in range(0, len(y), size)]
    classes = np.unique(y)

    def run(estimator: Any) -> object:
        for rows, labels in parts:
            estimator.partial_fit(rows, labels, classes=classes)
        return SimpleNamespace(mistakes=getattr(estimator, "mistakes_", None))

    return lambda: partial(run, make())


def progressive(
    make: Callable[[], Any], rows: Sequence[tuple[dict[str, float], bool]]
) -> Contestant:
    """Predict, then learn, one dict after another: what progressive validation does."""

    def run(model: base.Classifier) -> object:
        mistakes = 0
        for x, y in rows:
            mistakes += model.predict_one(x) != y
            model.learn_one(x, y)
        return SimpleNamespace(mistakes=mistakes)

    return lambda: partial(run, make())


def race(title: str, contestants: dict[str, Contestant], rounds: int, repeat: int) -> None:
    """Everybody by turns; the first is the one that the others are compared with."""
    times = timing.by_turns(contestants, rounds, repeat)
    print(timing.table((title, *timing.HEADINGS[1:]), [t.cells() for t in times.values()]))
    first, *others = times.values()
    print(timing.table(("times as long as", "ratio", "quartiles", "by cpu"), ratios(first, others)))
    print(flush=True)


def ratios(first: Times, others: Iterable[Times]) -> list[tuple[str, ...]]:
    """How many times as long the others took, with the spread within a turn."""
    lines: list[tuple[str, ...]] = []
    for other in others:
        ratio = timing.Ratio(other.name, other, first, 1.0)
        low, high = ratio.quartiles
        spread = f"{timing.brief(low)} - {timing.brief(high)}"
        cells = (timing.brief(ratio.value), spread, timing.brief(ratio.by_processor))
        lines.append((f"{other.name}: next to {first.name}", *cells))
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure matrices and dicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--dicts", type=int, default=2_000)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args(arguments)
    stream = made_stream(options.rows)
    X, y = stream.matrix, stream.label
    ours = thresher.sklearn.PerceptronClassifier
    # The same algorithm: one pass in the order given, no early stopping.
    theirs = partial(sklearn.linear_model.Perceptron, max_iter=1, shuffle=False, tol=None)
    race(
        f"fit, {options.rows:,} rows",
        {
            FIT: fitted(ours, X, y),
            "the same without a journal": fitted(partial(ours, journal_bytes=0), X, y),
            "thresher AROWClassifier.fit": fitted(
                partial(thresher.sklearn.AROWClassifier, journal_bytes=0), X, y
            ),
            "scikit-learn Perceptron.fit": fitted(theirs, X, y),
        },
        options.rows,
        options.repeat,
    )
    race(
        "partial_fit, 1,000 rows at a time",
        {
            PARTIAL: in_parts(ours, X, y, 1000),
            "scikit-learn Perceptron.partial_fit": in_parts(theirs, X, y, 1000),
        },
        options.rows,
        options.repeat,
    )
    dicts = list(
        zip(
            named_rows(stream.batch[: options.dicts]),
            (y[: options.dicts] > 0).tolist(),
            strict=True,
        )
    )
    race(
        f"predict_one, learn_one, {options.dicts:,} dicts",
        {
            STREAM: progressive(thresher.river.PerceptronClassifier, dicts),
            "the same, names hashed": progressive(
                partial(thresher.river.PerceptronClassifier, n_features=2**18), dicts
            ),
            "thresher AROWClassifier": progressive(thresher.river.AROWClassifier, dicts),
            "thresher AROWClassifier, calibrated": progressive(
                partial(thresher.river.AROWClassifier, calibrate="platt"), dicts
            ),
            "thresher CommitteeClassifier": progressive(thresher.river.CommitteeClassifier, dicts),
            "River LogisticRegression": progressive(river.linear_model.LogisticRegression, dicts),
            "River Perceptron": progressive(river.linear_model.Perceptron, dicts),
        },
        options.dicts,
        options.repeat,
    )
    print(machine.processor())
    print(", ".join(f"{name} {version}" for name, version in machine.versions().items()))
    print(f"load at the end {machine.load():.1f}")


if __name__ == "__main__":
    main()

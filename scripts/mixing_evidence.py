"""Runs of shards that learn apart and are averaged, held against the theorem for mixing.

    python -m scripts.mixing_evidence --runs 12000

Random streams with noise in 2 to 5 shards and 2 to 6 epochs, for Perceptron, p-norm Perceptron,
Winnow and signed Winnow, each with a target that was declared before the run. The losses are sums
of whole numbers, so nothing is rounded. Every run is also held against a lie: the same theorem
with the losses of one epoch instead of all. A check that could not fail would let it pass.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import thresher as th
from thresher.cluster.mixing import Change, mixed
from thresher.theory import (
    MixingWithLosses,
    PerceptronHinge,
    PNormHinge,
    SignedWinnowHinge,
    WinnowComparator,
)

Rows = NDArray[np.float64]


class Run(NamedTuple):
    """One run: who learned, from what, and how often."""

    learner: str
    shards: list[tuple[Rows, NDArray[np.int64]]]
    epochs: int
    target: Rows


def mistakes_of(learner: Any, shards: list[tuple[Rows, NDArray[np.int64]]], epochs: int) -> int:
    """The mistakes of all shards in all epochs."""
    for _ in range(epochs):
        before, changes = learner.shared_numbers(), []
        for X, y in shards:
            own = learner.copy()
            own.learn(X, y)
            changes.append(Change.between(before, own.shared_numbers()))
        learner = learner.with_shared(mixed(before, changes))
    return int(learner.mistakes)


def learner_for(run: Run) -> Any:
    """A new learner of the kind that a run is about."""
    n = len(run.target)
    match run.learner:
        case "perceptron":
            return th.Perceptron(n_features=n)
        case "p_norm_perceptron":
            return th.PNormPerceptron(n_features=n, p=3)
        case "winnow":
            return th.Winnow(n_features=n)
    return th.SignedWinnow(n_features=n, eta="1/8")


def allowed(run: Run, epochs: int) -> int:
    """What the theorem allows, with losses of so many epochs."""
    X = np.concatenate([rows for rows, _ in run.shards])
    y = np.concatenate([labels for _, labels in run.shards])
    u, score = run.target, X @ run.target
    if run.learner == "winnow":
        lost = np.where(y > 0, np.maximum(0, 1 - score), np.maximum(0, score))
        loss = int(lost.sum()) * epochs
        one: Any = WinnowComparator(len(u), u[u > 0], 0, 1, len(u), loss)
    else:
        loss = int(np.maximum(0, 1 - y * score).sum()) * epochs
        radius, norm = int((X**2).sum(axis=1).max()), int((u**2).sum())
        match run.learner:
            case "perceptron":
                one = PerceptronHinge(radius, norm, 1, loss)
            case "p_norm_perceptron":
                most = float((np.abs(X) ** 3).sum(axis=1).max()) ** (2 / 3) * (1 + 1e-9)
                q = 3 / 2
                one = PNormHinge(3, most, float((np.abs(u) ** q).sum()) ** (2 / q) + 1e-9, 1, loss)
            case _:
                size = int(np.abs(u).sum())
                one = SignedWinnowHinge(
                    n_features=len(u),
                    margin=1,
                    radius=1,
                    comparator_norm=size,
                    eta=1 / 8,
                    loss=loss,
                )
                if not one.applies():
                    return -1
    return MixingWithLosses(sequential=one, shards=len(run.shards)).max_mistakes()


def random_run(random: np.random.Generator) -> Run:
    """A run with noise; a target of whole numbers."""
    learner = str(random.choice(["perceptron", "p_norm_perceptron", "winnow", "signed_winnow"]))
    n, n_shards = int(random.integers(2, 9)), int(random.integers(2, 6))
    X = (random.random((n_shards * int(random.integers(2, 9)), n)) < 0.5).astype(float)
    if learner != "winnow":
        X *= random.choice([-1.0, 1.0], X.shape)
    target = np.zeros(n)
    on = random.choice(n, int(random.integers(1, min(n, 4) + 1)), replace=False)
    target[on] = 1.0 if learner == "winnow" else random.choice([-1.0, 1.0], len(on))
    threshold = 1 if learner == "winnow" else 0.5
    y = np.where(X @ target >= threshold, 1, -1)
    y[random.random(len(y)) < random.choice([0.0, 0.1, 0.5])] *= -1
    if random.random() < 0.25:
        # Shards alike make as many mistakes as they can together.
        size = len(X) // n_shards
        X, y = np.tile(X[:size], (n_shards, 1)), np.tile(y[:size], n_shards)
    parts = np.array_split(np.arange(len(X)), n_shards)
    return Run(learner, [(X[p], y[p]) for p in parts], int(random.integers(2, 7)), target)


def orthonormal_ratio(n: int, n_shards: int, level: int) -> float:
    """Mistakes over what is allowed, where shards are alike and their rows do not meet."""
    shards = [(np.eye(n), np.full(n, -1))] * n_shards
    made = mistakes_of(th.Perceptron(n_features=n), shards, 1)
    one = PerceptronHinge(1, n, level, n_shards * n * (level - 1))
    return made / MixingWithLosses(sequential=one, shards=n_shards).max_mistakes()


def main() -> None:
    """Play the runs, and say how near they come."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = np.random.default_rng(given.seed)
    checked: Counter[str] = Counter()
    violated: Counter[str] = Counter()
    lies: Counter[str] = Counter()
    nearest: dict[str, float] = {}
    while checked.total() < given.runs:
        run = random_run(random)
        most = allowed(run, run.epochs)
        if most < 0:
            continue
        made = mistakes_of(learner_for(run), run.shards, run.epochs)
        checked[run.learner] += 1
        violated[run.learner] += made > most
        lies[run.learner] += made > allowed(run, 1)
        if most:
            nearest[run.learner] = max(nearest.get(run.learner, 0.0), made / most)
    for name, count in sorted(checked.items()):
        print(
            f"{name:18} {count:6,} runs  {violated[name]} above the bound  "
            f"largest ratio {nearest[name]:.3f}  the lie is caught in {lies[name]:,}"
        )
    ratios = [orthonormal_ratio(40, shards, level) for shards in (2, 4, 8) for level in (1, 2, 5)]
    print(
        f"orthonormal rows, shards alike, with losses: ratio {min(ratios):.3f} to {max(ratios):.3f}"
    )
    raise SystemExit(1 if violated.total() else 0)


if __name__ == "__main__":
    main()

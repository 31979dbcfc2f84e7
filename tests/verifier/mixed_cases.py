"""Runs of shards that were combined, and their certificates."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

import thresher as th
from tests.cluster.combined import combined
from thresher.certifier import certify_shards
from thresher.learners.registry import learner_class
from thresher.verifier import Certificate, read_rows
from thresher.verifier.mixed_runs.source import ShardsInMemory

RNG = np.random.default_rng(7)
N, D = 60, 7
BITS = (RNG.random((N, D)) < 0.4).astype(float)
OR = np.where((BITS[:, 1] > 0) | (BITS[:, 4] > 0), 1, -1)
NOISY = np.where(RNG.random(N) < 0.1, -OR, OR)
REAL = RNG.standard_normal((N, D)) * RNG.choice([1e-3, 1.0, 17.0], (N, D)) * (BITS > 0)
#: Between 0 and 1, and not whole.
SHARES = BITS * RNG.random((N, D))
ROUNDS = (17, 0, 23, 20)
#: Enough rows for a theorem with losses to say something.
MANY = (RNG.random((10 * N, D)) < 0.4).astype(float)
OF_MANY = np.where((MANY[:, 1] > 0) | (MANY[:, 4] > 0), 1, -1)
OF_MANY = np.where(RNG.random(10 * N) < 0.01, -OF_MANY, OF_MANY)
MANY_ROUNDS = (170, 230, 200)
#: The target of these rows, as a comparator with a constant feature.
TARGET = [0, 2, 0, 0, 2, 0, 0, -1]

#: Classes that come late: in the first shard of `ROUNDS` there are two, the last comes in the last.
CLASSES = np.array(
    ["ab"[n % 2] if n < 17 else "abc"[n % 3] if n < 45 else "dcab"[n % 4] for n in range(N)]
)
FEW_MEMBERS = [("arow", 1.0, "scaled"), ("adagrad", 0.3, "unit"), ("means", 1.0, "presence")]

LEARNERS: dict[str, tuple[Any, Any, Any]] = {
    "perceptron": (lambda: th.Perceptron(D), REAL, NOISY),
    "perceptron, bias": (lambda: th.Perceptron(D, bias=True), BITS, OR),
    "perceptron, weights": (lambda: th.Perceptron(D, class_weight={1: 3}), REAL, NOISY),
    "perceptron, margin": (lambda: th.Perceptron(D, margin=0.5, scaling="l2"), REAL, NOISY),
    "p-norm": (lambda: th.PNormPerceptron(D, p=3.7, bias=True), REAL, NOISY),
    "p-norm, online": (lambda: th.PNormPerceptron(D, p=5, scaling="online"), REAL, NOISY),
    "perceptron, many": (lambda: th.Perceptron(D, bias=True), MANY, OF_MANY),
    "winnow": (lambda: th.Winnow(D), BITS, OR),
    "winnow, shares": (lambda: th.Winnow(D, Fraction(1, 3), threshold=2), SHARES, NOISY),
    "winnow, floor": (lambda: th.Winnow(D, floor=0.1, margin=0.5), SHARES, NOISY),
    "winnow, literals": (lambda: th.Winnow(D, literals=True), BITS, NOISY),
    "balanced winnow": (lambda: th.BalancedWinnow(D, threshold=2), SHARES, NOISY),
    "normalized winnow": (
        lambda: th.NormalizedWinnow(D, margin=Fraction(1, 9), bias=True, literals=True),
        SHARES,
        OR,
    ),
    "signed winnow": (lambda: th.SignedWinnow(D, eta=Fraction(1, 7), bias=True), SHARES, NOISY),
    "passive-aggressive": (lambda: th.PassiveAggressive(D, variant="PA-II"), REAL, NOISY),
    "arow": (lambda: th.AROW(D, scaling="online", bias=True), REAL, NOISY),
    "adagrad": (lambda: th.AdaGrad(D, bias=True, loss="logistic"), REAL, NOISY),
}
COMMITTEES: dict[str, tuple[Any, Any, Any]] = {
    "committee": (lambda: th.Committee(D), REAL, NOISY),
    "committee, few": (lambda: th.Committee(D, FEW_MEMBERS, class_weight={1: 3}), BITS, OR),
    "committee, weights": (lambda: th.Committee(D, class_weight={-1: 0, 1: 0.3}), REAL, NOISY),
}
SEVERAL: dict[str, tuple[Any, Any, Any]] = {
    "each: perceptron": (lambda: th.OneVersusRest(th.Perceptron(D, bias=True)), BITS, CLASSES),
    "each: p-norm": (lambda: th.OneVersusRest(th.PNormPerceptron(D, p=3)), REAL, CLASSES),
    "each: passive-aggressive": (
        lambda: th.OneVersusRest(th.PassiveAggressive(D), classes=["d", "never"]),
        REAL,
        CLASSES,
    ),
    "each: arow": (lambda: th.OneVersusRest(th.AROW(D, bias=True)), REAL, CLASSES),
    "each: arow, weights": (
        lambda: th.OneVersusRest(th.AROW(D, scaling="online"), class_weight={"a": 0, "c": 5}),
        REAL,
        CLASSES,
    ),
    "each: adagrad": (lambda: th.OneVersusRest(th.AdaGrad(D, bias=True)), REAL, CLASSES),
    "each: winnow": (lambda: th.OneVersusRest(th.Winnow(D, threshold=2)), SHARES, CLASSES),
    "each: balanced winnow": (
        lambda: th.OneVersusRest(th.BalancedWinnow(D, Fraction(1, 3), threshold=2)),
        SHARES,
        CLASSES,
    ),
    "each: normalized winnow": (
        lambda: th.OneVersusRest(th.NormalizedWinnow(3 * D, eta=0.7, bias=True, literals=True)),
        SHARES,
        CLASSES,
    ),
    "each: signed winnow": (
        lambda: th.OneVersusRest(th.SignedWinnow(D, margin=Fraction(1, 9))),
        SHARES,
        CLASSES,
    ),
    "each: committee": (lambda: th.OneVersusRest(th.Committee(D)), REAL, CLASSES),
    "each: committee, weights": (
        lambda: th.OneVersusRest(th.Committee(D, FEW_MEMBERS), class_weight={"a": 0, "c": 5}),
        BITS,
        CLASSES,
    ),
    "multiclass perceptron": (lambda: th.MulticlassPerceptron(D, bias=True), REAL, CLASSES),
    "multiclass perceptron, uniform": (
        lambda: th.MulticlassPerceptron(D, update="uniform", classes=["never", "c"]),
        BITS,
        CLASSES,
    ),
    "multiclass passive-aggressive": (
        lambda: th.MulticlassPassiveAggressive(D, variant="PA-II", bias=True),
        REAL,
        CLASSES,
    ),
    "multiclass normalized winnow": (
        lambda: th.MulticlassNormalizedWinnow(D, eta=0.5),
        SHARES,
        CLASSES,
    ),
    # Steps so long that the largest dual has to be subtracted.
    "multiclass signed winnow": (lambda: th.MulticlassSignedWinnow(D, eta=900), SHARES, CLASSES),
}
LEARNERS |= COMMITTEES | SEVERAL


class MixedCase(NamedTuple):
    learner: Any
    X: Any
    y: Any
    certificate: Certificate


def certified(
    name: str, rounds: Sequence[int] = ROUNDS, epochs: int = 3, witness: Any = None
) -> MixedCase:
    """A run of the learner of this name, and its certificate."""
    make, X, y = LEARNERS[name]
    if sum(rounds) < len(y):
        X, y = X[: sum(rounds)], y[: sum(rounds)]
    learner, mistakes = combined(make(), X, y, rounds, epochs)
    source = ShardsInMemory(read_rows(X, y, names_of(learner)))
    made = certify_shards(learner, source, rounds, mistakes, witness=witness)
    return MixedCase(learner, X, y, made)


def names_of(learner: Any) -> tuple[str, ...] | None:
    """The classes of a learner that tells several apart."""
    return tuple(map(str, learner.classes)) if learner.several else None


def made(stated: dict[str, Any]) -> Any:
    """A learner with the parameters stated."""
    given: dict[str, Any] = {
        name: Fraction(value) if isinstance(value, str) and value[0] in "-0123456789" else value
        for name, value in stated["parameters"].items()
    }
    if "learner" in given:
        given["learner"] = made(given["learner"])
    if "members" in given:
        given["members"] = [
            (own["rule"], float(Fraction(own["setting"])), own["rows"]) for own in given["members"]
        ]
    weights = given.get("class_weight")
    if isinstance(weights, dict):
        pair = weights["negative"], weights["positive"]
        given["class_weight"] = tuple(float(Fraction(weight)) for weight in pair)
    elif weights is not None:
        given["class_weight"] = {own["class"]: float(Fraction(own["weight"])) for own in weights}
    return learner_class(stated["name"])(**given)

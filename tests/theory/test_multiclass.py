"""Several classes: kept, reached, and equal to two classes where they should be."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from tests.theory.streams import unit
from tests.theory.twins import Link, Vector, dot, identity, multiclass, norm, softmax
from thresher.errors import HypothesisError
from thresher.theory import (
    MulticlassHinge,
    MulticlassNormalizedWinnow,
    MulticlassNormalizedWinnowHinge,
    MulticlassNovikoff,
    MulticlassPNorm,
    MulticlassSignedWinnow,
    MulticlassSignedWinnowHinge,
    NormalizedWinnowHinge,
    NormalizedWinnowTuned,
    PNorm,
    SignedWinnowTuned,
    eta_star,
)
from thresher.theory.theorem import MistakeBound

F = Fraction
Mistake = tuple[Vector, int, int]


def separable_classes(
    rng: Random, d: int, k: int, signed: bool
) -> tuple[list[tuple[Vector, int]], list[list[int]]]:
    low = -3 if signed else 0
    u = [[rng.randint(low, 3) for _ in range(d)] for _ in range(k)]
    stream: list[tuple[Vector, int]] = []
    for _ in range(60):
        x = [rng.randint(-2, 2) for _ in range(d)]
        scores = [dot(row, x) for row in u]
        if sorted(scores)[-1] > sorted(scores)[-2]:
            stream.append((x, scores.index(max(scores))))
    return stream, u


def hyperbolic(eta: float) -> Link:
    return lambda dual: [math.sinh(eta * v) for v in dual]


def lead(mistakes: list[Mistake], u: list[list[int]]) -> Fraction:
    """The margin against the class that was predicted."""
    leads = (F(dot(u[label], x) - dot(u[guess], x)) for x, label, guess in mistakes)
    return min(leads, default=F(1))


def test_mistakes_of_the_perceptron_never_exceed_the_bound() -> None:
    for seed in range(200):
        rng = Random(seed)
        d, k = rng.randint(1, 5), rng.randint(2, 4)
        stream, u = separable_classes(rng, d, k, signed=True)
        mistakes = multiclass(stream * 2, d, k, identity)
        size = max((F(dot(x, x)) for x, _, _ in mistakes), default=F(0))
        total = sum(F(dot(row, row)) for row in u)
        theorem = MulticlassNovikoff(size, total, lead(mistakes, u))
        assert len(mistakes) <= theorem.max_mistakes()


@pytest.mark.parametrize("signed", [False, True])
def test_mistakes_of_the_exponentiated_learners_never_exceed_the_bound(signed: bool) -> None:
    for seed in range(80):
        rng = Random(seed)
        d, k = rng.randint(1, 4), rng.randint(2, 4)
        stream, u = separable_classes(rng, d, k, signed)
        if not stream:
            continue
        everyone = [(x, y, r) for x, y in stream for r in range(k) if r != y]
        gamma, weights = lead(everyone, u), [abs(w) for row in u for w in row]
        X = max((abs(F(v)) for x, _ in stream for v in x), default=F(1))
        eta = eta_star(gamma, X, sum(weights))
        if signed:
            theorem: MistakeBound = MulticlassSignedWinnow(
                d, gamma, X, sum(weights), weights, classes=k
            )
            twin = multiclass(stream * 2, d, k, hyperbolic(eta))
        else:
            theorem = MulticlassNormalizedWinnow(d, gamma, X, sum(weights), weights, classes=k)
            twin = multiclass(stream * 2, d, k, softmax(eta))
        assert len(twin) <= theorem.max_mistakes()


def test_mistakes_of_the_p_norm_learner_never_exceed_the_bound() -> None:
    for seed in range(100):
        rng = Random(seed)
        d, k, p = rng.randint(1, 4), rng.randint(2, 4), rng.choice([2.0, 3.0, 5.0])

        def link(dual: Vector, p: float = p) -> Vector:
            size = norm(dual, p)
            powers = [math.copysign((abs(float(v)) / (size or 1)) ** (p - 1), v) for v in dual]
            return [size * v for v in powers]

        stream, u = separable_classes(rng, d, k, signed=True)
        mistakes = multiclass(stream * 2, d, k, link)
        size = max((norm(x, p) ** 2 for x, _, _ in mistakes), default=0.0)
        whole = norm([w for row in u for w in row], p / (p - 1)) ** 2
        theorem = MulticlassPNorm(p, size, whole, lead(mistakes, u))
        assert len(mistakes) <= float(theorem.bound()) * (1 + 1e-12)


@pytest.mark.parametrize(("k", "n"), [(2, 6), (3, 30), (5, 40)])
def test_orthonormal_rows_reach_the_bound(k: int, n: int) -> None:
    """Each row is new, so all scores tie, class 0 is predicted, and class 1 is right."""
    mistakes = multiclass([(unit(i, n), 1) for i in range(n)], n, k, identity)
    u = [[-1] * n, [1] * n, *([[0] * n] * (k - 2))]
    total = sum(F(dot(row, row)) for row in u)
    theorem = MulticlassNovikoff(1, total, lead(mistakes, u))
    assert len(mistakes) == n == theorem.max_mistakes()
    assert len(mistakes) > theorem.bound() / 2  # without the factor 2 it would be broken


def test_special_cases_agree() -> None:
    args = F(1, 4), F(1), F(2)
    assert (
        MulticlassNormalizedWinnow(8, *args, classes=4).bound()
        == NormalizedWinnowTuned(32, *args).bound()
    )
    assert (
        MulticlassSignedWinnow(8, *args, classes=4).bound() == SignedWinnowTuned(32, *args).bound()
    )
    assert MulticlassPNorm(2, 3, 5, 2).bound() == MulticlassNovikoff(3, 5, 2).bound()
    for p in (3, 4, 10):
        factor = float(MulticlassPNorm(p, 3, 5, 2).bound()) / float(PNorm(p, 3, 5, 2).bound())
        assert factor == pytest.approx(2 ** (2 / p), rel=1e-14)
    assert MulticlassNovikoff(3, 5 * 49, 2 * 7).bound() == MulticlassNovikoff(3, 5, 2).bound()


def test_mistakes_never_exceed_the_bounds_with_losses() -> None:
    """Any labels, any comparator, any level: the losses make up for what is wrong with them."""
    for seed in range(150):
        rng = Random(seed)
        d, k, eta = rng.randint(1, 4), rng.randint(2, 4), rng.choice([0.1, 0.5])
        stream = [([rng.randint(-2, 2) / 2 for _ in range(d)], rng.randrange(k)) for _ in range(20)]
        u = [[rng.randint(0, 3) for _ in range(d)] for _ in range(k)]
        u[0][0] = u[0][0] or 1
        level = F(rng.randint(1, 3))
        loss = sum(
            max(F(0), level - min(F(dot(u[y], x) - dot(u[r], x)) for r in range(k) if r != y))
            for x, y in stream
        )
        made = multiclass(stream, d, k, identity)
        size = max((F(dot(x, x)) for x, _, _ in made), default=F(0))
        total = sum(F(dot(row, row)) for row in u)
        assert len(made) <= MulticlassHinge(size, total, level, loss, 0).max_mistakes()
        weights = [w for row in u for w in row if w]
        given: dict[str, Any] = {
            "n_features": d, "classes": k, "margin": level, "radius": 1, "eta": eta,
            "comparator_norm": sum(weights), "comparator": weights, "loss": loss, "idle": 0,
        }  # fmt: skip
        for theorem, link in (
            (MulticlassNormalizedWinnowHinge(**given), softmax(eta)),
            (MulticlassSignedWinnowHinge(**given), hyperbolic(eta)),
        ):
            if theorem.applies():
                assert len(multiclass(stream, d, k, link)) <= theorem.max_mistakes()


def test_without_losses_and_idle_mistakes_the_hinge_is_the_margin() -> None:
    assert MulticlassHinge(3, 5, 2, 0, 0).bound() == MulticlassNovikoff(3, 5, 2).bound()
    assert MulticlassHinge(3, 5, 2, 0, 7).bound() == MulticlassNovikoff(3, 5, 2).bound() + 7
    blocks = NormalizedWinnowHinge(
        n_features=32, margin=F(1, 4), radius=1, comparator_norm=2, eta=F(1, 10), loss=3
    )
    several = MulticlassNormalizedWinnowHinge(
        n_features=8, classes=4, margin=F(1, 4), radius=1, comparator_norm=2, eta=F(1, 10), loss=3,
        idle=5,
    )  # fmt: skip
    assert several.max_mistakes() == blocks.max_mistakes() + 5


REFUSED: list[tuple[MistakeBound, str]] = [
    (MulticlassNovikoff(1, 1, 0), "margin > 0"),
    (MulticlassPNorm(1, 1, 1, 1), "p >= 2"),
    (MulticlassPNorm(2, 1, 1, 0), "margin > 0"),
    (MulticlassNormalizedWinnow(4, 1, 1, classes=1), "classes >= 2"),
    (MulticlassSignedWinnow(4, 2, 1, classes=2), "margin <= radius * comparator_norm"),
    (MulticlassHinge(1, 1, 0, 1, 1), "margin > 0"),
    (
        MulticlassSignedWinnowHinge(
            n_features=4, margin=1, radius=1, eta=1, loss=0, classes=1, idle=0
        ),
        "classes >= 2",
    ),
]


@pytest.mark.parametrize(("theorem", "hypothesis"), REFUSED)
def test_a_false_hypothesis_is_refused_by_name(theorem: MistakeBound, hypothesis: str) -> None:
    with pytest.raises(HypothesisError) as caught:
        theorem.max_mistakes()
    assert caught.value.hypothesis == hypothesis

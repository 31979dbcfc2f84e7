"""Normalised Winnow and Winnow from where they stand: any start, any suffix, any labels."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest

import thresher as learners
from tests.theory.streams import hinge, largest_value, noisy, separable
from tests.theory.tight import AgainstNoisyWinnow, against, softmax_weights
from tests.theory.twins import Vector, additive, softmax
from thresher.errors import HypothesisError
from thresher.theory import (
    NormalizedWinnowHinge,
    NormalizedWinnowRate,
    NormalizedWinnowWarmStart,
    WinnowComparator,
    WinnowWarmStart,
    eta_star,
)

F = Fraction


def relative_entropy(u: Vector, w: Vector) -> float:
    mass = sum(float(v) for v in u)
    shares = [(float(v) / mass, float(p)) for v, p in zip(u, w, strict=True) if v]
    return max(0.0, math.fsum(v * math.log(v / p) for v, p in shares)) * (1 + 1e-12)


def divergence(v: Vector, w: Vector) -> float:
    """The sum of v ln(v/w) - v + w."""
    pairs = [(float(a), float(b)) for a, b in zip(v, w, strict=True)]
    return math.fsum((a * math.log(a / b) - a if a else 0.0) + b for a, b in pairs) * (1 + 1e-12)


@pytest.mark.parametrize("seed", range(60))
def test_normalised_winnow_keeps_the_bound_from_any_start(seed: int) -> None:
    rng = Random(seed)
    d, level = rng.randint(1, 5), F(1)
    clean, u = separable(rng, d, 30, signed=False)
    stream = noisy(rng, clean, rng.choice([0.0, 0.1, 0.4]))
    X, norm = largest_value(stream), sum(u)
    eta = eta_star(level, X, norm) * rng.choice([0.5, 1.0])
    start = [rng.randint(-3, 3) for _ in range(d)]
    run = additive(stream, softmax(eta), start)
    theorem = NormalizedWinnowWarmStart(
        relative_entropy(u, softmax(eta)(start)),
        level,
        X,
        eta,
        norm,
        sum(hinge(run.updates, u, level), F(0)),
    )
    assert run.mistakes <= theorem.max_mistakes()


@pytest.mark.parametrize("seed", range(60))
def test_winnow_keeps_the_bound_from_any_start(seed: int) -> None:
    rng = Random(seed)
    d, r = rng.randint(2, 8), rng.randint(1, 2)
    weights = [2.0 ** rng.randint(-4, 4) for _ in range(d)]
    start, made, loss = list(weights), 0, 0
    for _ in range(80):
        x = [rng.random() < 0.4 for _ in range(d)]
        y = 1 if any(x[:r]) != (rng.random() < 0.1) else -1
        if (1 if sum(w for w, on in zip(weights, x, strict=True) if on) >= d else -1) == y:
            continue
        made += 1
        active = sum(x[:r])
        loss += max(0, 1 - active) if y > 0 else active
        weights = [w * 2.0**y if on else w for w, on in zip(weights, x, strict=True)]
    c = 1.5 * d / math.log(2)
    theorem = WinnowWarmStart(divergence([c] * r + [0] * (d - r), start), 0, 1, d, loss)
    assert made <= theorem.max_mistakes()


def test_at_the_usual_start_they_are_the_usual_theorems() -> None:
    for d, eta in ((100, F(1, 2)), (7, F(1, 4))):
        cold = NormalizedWinnowHinge(d, F(1, 2), 1, eta=eta, loss=3)
        warm = NormalizedWinnowWarmStart(math.log(d), F(1, 2), 1, eta, loss=3)
        assert warm.bound() == pytest.approx(float(cold.bound()), rel=1e-14)
    u = [F(1, 2)] * 3
    usual = WinnowComparator(20, u, rho=F(1, 2), beta=F(1, 4), threshold=20, loss=2)
    c = (1.25 - 0.8) * 20 / 1.5 / math.log(1.25)
    start = divergence([c / 2] * 3 + [0] * 17, [1] * 20)
    from_there = WinnowWarmStart(start, F(1, 2), F(1, 4), 20, 2)
    assert from_there.bound() == pytest.approx(float(usual.bound()), rel=1e-11)


def favourite_suffix(d: int, gamma: float, before: float = 0.5) -> tuple[float, float, float, int]:
    """The entropy left, the step, the margin, and the mistakes after a part of a hard stream."""
    eta = eta_star(gamma)
    rows = against(d, softmax_weights(eta), gamma)
    k = int(len(rows) * before)
    weights = softmax_weights(eta)(np.sum(rows[:k], axis=0))
    return float(-np.log(weights[0])), eta, gamma, len(rows) - k


@pytest.mark.parametrize(("before", "least"), [(0.5, 0.83), (0.25, 0.88)])
def test_the_rest_of_a_hard_stream_comes_near(before: float, least: float) -> None:
    entropy, eta, gamma, made = favourite_suffix(4096, 0.2, before)
    theorem = NormalizedWinnowWarmStart(entropy, gamma, 1, eta)
    assert least * float(theorem.bound()) <= made <= theorem.max_mistakes()
    assert theorem.max_mistakes() < NormalizedWinnowRate(4096, gamma, 1, eta=eta).max_mistakes()


def noisy_suffix(errors: int) -> tuple[float, int, int]:
    """The divergence, the loss and the mistakes of the second half of an adversary's stream."""
    stream = AgainstNoisyWinnow(16, 1, F(2), F(16)).play_errors(errors)
    half = len(stream) // 2
    weights = [1.0] * 16
    for active, y in stream[:half]:
        for i in active:
            weights[i] *= 2.0**y
    loss = sum((0 not in active) if y > 0 else (0 in active) for active, y in stream[half:])
    c = 1.5 * 16 / math.log(2)
    return divergence([c] + [0] * 15, weights), loss, len(stream) - half


def test_the_second_half_of_an_adversary_comes_near() -> None:
    start, loss, made = noisy_suffix(60)
    theorem = WinnowWarmStart(start, 0, 1, 16, loss)
    assert 0.96 * float(theorem.bound()) <= made <= theorem.max_mistakes()


def test_learners_that_go_on_keep_the_bounds() -> None:
    rng = np.random.default_rng(4)
    X = rng.integers(0, 2, (200, 6))
    y = np.where(X[:, 0] | X[:, 1], 1, -1)
    winnow = learners.Winnow(6)
    winnow.learn(X[:40], y[:40])
    c = 1.5 * 6 / math.log(2)
    start = divergence([c, c, 0, 0, 0, 0], winnow.weights.tolist())
    further = winnow.learn(X[40:], y[40:]).mistakes
    assert further <= WinnowWarmStart(start, 0, 1, 6).max_mistakes()
    signs = 2.0 * X - 1
    votes = np.where(signs[:, 0] > 0, 1, -1)
    normal = learners.NormalizedWinnow(6, eta=0.5)
    normal.learn(signs[:20], votes[:20])
    entropy = relative_entropy([1, 0, 0, 0, 0, 0], normal.weights.tolist())
    again = normal.learn(signs[20:], votes[20:]).mistakes
    assert again <= NormalizedWinnowWarmStart(entropy, 1, 1, 0.5).max_mistakes()


def test_scaling_the_comparator_changes_nothing() -> None:
    one = NormalizedWinnowWarmStart(3, F(1, 2), 1, F(1, 2), 1, 2)
    assert NormalizedWinnowWarmStart(3, F(5, 2), 1, F(1, 2), 5, 10).bound() == one.bound()
    # ln cosh(1/2) = 0.1201...: (3 + 1)/(1/4 - that).
    assert one.bound() == pytest.approx(4 / (0.25 - math.log(math.cosh(0.5))), rel=1e-14)
    assert WinnowWarmStart(40, 0, 1, 16, 3).bound() == 5 + 9


def test_a_false_hypothesis_is_refused_by_name() -> None:
    with pytest.raises(HypothesisError, match="ln cosh"):
        NormalizedWinnowWarmStart(1, F(1, 10), 1, 1).max_mistakes()
    with pytest.raises(HypothesisError, match="comparator_norm > 0"):
        NormalizedWinnowWarmStart(1, 1, 1, F(1, 2), 0).max_mistakes()
    with pytest.raises(HypothesisError, match=r"rho < 1/\(1 \+ beta\)"):
        WinnowWarmStart(1, F(1, 2), 1, 4).max_mistakes()

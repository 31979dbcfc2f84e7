"""Shards that average their states: kept, reached, and the wrong theorems refused."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest

from tests.theory.streams import largest_value, margin, orthonormal, radius_squared, separable
from tests.theory.twins import Labelled, Link, additive, dot, identity, softmax
from thresher.errors import HypothesisError
from thresher.theory import (
    NormalizedWinnowRate,
    Novikoff,
    ParameterMixing,
    WinnowAnyThreshold,
    WinnowAttributeErrors,
    WinnowDisjunction,
    eta_star,
)
from thresher.theory.enclosure import Real

F = Fraction


def mixed(shards: list[list[Labelled]], d: int, link: Link, epochs: int) -> int:
    """Mistakes of all shards when the duals are averaged after every epoch."""
    state: list[float | Fraction | int] = [F(0)] * d
    total = 0
    for _ in range(epochs):
        runs = [additive(shard, link, state) for shard in shards]
        made = sum(run.mistakes for run in runs)
        if not made:
            break
        total += made
        state = [
            sum(column, F(0)) / len(runs)
            for column in zip(*(run.dual for run in runs), strict=True)
        ]
    return total


def test_mixed_perceptrons_and_exponentiated_learners_keep_the_bound() -> None:
    for seed in range(60):
        rng = Random(seed)
        d, n = rng.randint(1, 5), rng.choice([1, 2, 4])
        stream, u = separable(rng, d, 40, signed=False)
        shards = [stream[i::n] for i in range(n)]
        gamma = margin(stream, u)
        alone = Novikoff(radius_squared(stream), dot(u, u), gamma)
        assert mixed(shards, d, identity, 20) <= ParameterMixing(alone, n).max_mistakes()
        X, norm = largest_value(stream), sum(u)
        eta = eta_star(gamma, X, norm)
        rate = NormalizedWinnowRate(d, gamma, X, norm, eta=eta)
        assert mixed(shards, d, softmax(eta), 20) <= ParameterMixing(rate, n).max_mistakes()


def mixed_winnow(
    shards: list[list[tuple[frozenset[int], int]]], d: int, factor: float, epochs: int = 60
) -> int:
    exponents, total = [0.0] * d, 0
    for _ in range(epochs):
        ends, made = [], 0
        for shard in shards:
            mine = exponents[:]
            for active, y in shard:
                score = sum(factor ** mine[i] for i in active)
                if (1 if score >= d - 1e-9 else -1) != y:
                    made += 1
                    for i in active:
                        mine[i] += y
            ends.append(mine)
        if not made:
            break
        total += made
        exponents = [sum(column) / len(ends) for column in zip(*ends, strict=True)]
    return total


def test_mixed_winnow_keeps_the_real_valued_bound() -> None:
    for seed in range(40):
        rng = Random(seed)
        d, r, n = rng.randint(4, 20), rng.randint(1, 3), rng.choice([2, 4])
        rows = [frozenset(i for i in range(d) if rng.random() < 0.3) for _ in range(80)]
        stream = [(active, 1 if any(i < r for i in active) else -1) for active in rows]
        theorem = ParameterMixing(WinnowAttributeErrors(d, r, 0, 1, d), n)
        assert mixed_winnow([stream[i::n] for i in range(n)], d, 2.0) <= theorem.max_mistakes()


@pytest.mark.parametrize("shards", [1, 4])
def test_identical_shards_reach_the_bound(shards: int) -> None:
    n = 10
    total = mixed([orthonormal(n)] * shards, n, identity, 5)
    theorem = ParameterMixing(Novikoff(1, n, 1), shards)
    assert total == shards * n == theorem.max_mistakes()
    assert shards == 1 or total > Novikoff(1, n, 1).max_mistakes()


def test_the_real_valued_bound_is_multiplied_before_rounding() -> None:
    alone = Novikoff(1, Fraction(3, 2), 1)
    assert alone.max_mistakes() == 1
    assert ParameterMixing(alone, 4).max_mistakes() == 6
    rate = NormalizedWinnowRate(100, F(1, 10), 1, eta=F(1, 10))
    assert isinstance(ParameterMixing(rate, 3).limit().value, Real)
    assert ParameterMixing(rate, 3).bound() == pytest.approx(3 * float(rate.bound()))
    assert ParameterMixing(rate, 3).max_mistakes() == math.floor(3 * float(rate.bound()))


@pytest.mark.parametrize("integer", [WinnowDisjunction(8, 2), WinnowAnyThreshold(8, 2, 1, 8)])
def test_integer_bounds_do_not_survive_averaging(integer: WinnowDisjunction) -> None:
    with pytest.raises(HypothesisError, match=f"convex potential, measured {integer.name}"):
        ParameterMixing(integer, 2).max_mistakes()


def test_a_false_hypothesis_is_refused_by_name() -> None:
    with pytest.raises(HypothesisError, match="shards >= 1, measured 0"):
        ParameterMixing(Novikoff(1, 1, 1), 0).max_mistakes()
    with pytest.raises(HypothesisError, match="margin > 0, measured 0"):
        ParameterMixing(Novikoff(1, 1, 0), 2).max_mistakes()

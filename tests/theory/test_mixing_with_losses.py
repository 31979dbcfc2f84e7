"""Shards with noise: losses recur in every epoch, and are not multiplied by the shards."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest

from tests.theory.streams import hinge, largest_value, noisy, orthonormal, radius_squared, separable
from tests.theory.test_parameter_mixing import mixed, mixed_winnow
from tests.theory.twins import Labelled, Link, additive, dot, identity, softmax
from thresher.errors import HypothesisError
from thresher.theory import (
    MixingWithLosses,
    NormalizedWinnowHinge,
    Novikoff,
    ParameterMixing,
    PerceptronHinge,
    PNormHinge,
    SignedWinnowHinge,
    WinnowAttributeErrors,
    WinnowComparator,
    eta_star,
)

F = Fraction


def mistaken(shards: list[list[Labelled]], d: int, link: Link, epochs: int) -> list[Labelled]:
    """The mistake rounds of all shards and epochs when duals are averaged after every epoch."""
    state: list[float | Fraction | int] = [F(0)] * d
    found: list[Labelled] = []
    for _ in range(epochs):
        runs = [additive(shard, link, state) for shard in shards]
        found.extend(row for run in runs for row in run.updates)
        columns = zip(*(run.dual for run in runs), strict=True)
        state = [sum(column, F(0)) / len(runs) for column in columns]
    return found


@pytest.mark.parametrize("seed", range(40))
def test_noisy_shards_keep_the_bounds(seed: int) -> None:
    rng = Random(seed)
    d, n, epochs = rng.randint(1, 4), rng.choice([1, 2, 4]), rng.choice([1, 5])
    clean, u = separable(rng, d, 24, signed=False)
    stream = noisy(rng, clean, rng.choice([0.1, 0.3, 0.5]))
    shards = [stream[i::n] for i in range(n)]
    rows = mistaken(shards, d, identity, epochs)
    assert len(rows) == mixed(shards, d, identity, epochs)
    for level in (F(1), F(4)):
        loss = sum(hinge(rows, u, level), F(0))
        alone = PerceptronHinge(radius_squared(rows), dot(u, u), level, loss)
        assert len(rows) <= MixingWithLosses(alone, n).max_mistakes()
    X, norm, level = largest_value(stream), sum(u), F(1)
    eta = eta_star(level, X, norm)
    rows = mistaken(shards, d, softmax(eta), epochs)
    loss = sum(hinge(rows, u, level), F(0))
    rate = NormalizedWinnowHinge(d, level, X, norm, eta=eta, loss=loss)
    assert len(rows) <= MixingWithLosses(rate, n).max_mistakes()
    signed: list[Labelled] = [([*x, *(-v for v in x)], y) for x, y in stream]
    rows = mistaken([signed[i::n] for i in range(n)], 2 * d, softmax(eta), epochs)
    loss = sum(hinge([(x[:d], y) for x, y in rows], u, level), F(0))
    both = SignedWinnowHinge(d, level, X, norm, eta=eta, loss=loss)
    assert len(rows) <= MixingWithLosses(both, n).max_mistakes()


def test_attribute_errors_counted_once_promise_too_little() -> None:
    """Two shards, each ({0}, +1) and ({0}, -1): 24 mistakes in six epochs, not the 20 of once."""
    shard = [(frozenset({0}), 1), (frozenset({0}), -1)]
    assert mixed_winnow([shard, shard], 2, 2.0, epochs=6) == 24
    once = WinnowAttributeErrors(n_features=2, relevant=1, errors=2, beta=1, threshold=2)
    assert math.floor(2 * float(once.bound())) == 20
    with pytest.raises(HypothesisError, match="no losses and no attribute errors, measured 2"):
        ParameterMixing(once, 2).max_mistakes()
    every = WinnowComparator(2, [1], rho=0, beta=1, threshold=2, loss=2 * 6)
    assert MixingWithLosses(every, 2).max_mistakes() == 44
    twelve = WinnowAttributeErrors(n_features=2, relevant=1, errors=12, beta=1, threshold=2)
    assert MixingWithLosses(every, 2).bound() == pytest.approx(
        float(twelve.bound()) + float(once.bound()) - 6
    )


def test_hinge_losses_counted_once_promise_too_little() -> None:
    """One vector with both labels in each shard: the state returns to 0 after every epoch."""
    shard: list[Labelled] = [([1], -1), ([1], 1)]
    made = mixed([shard, shard], 1, identity, epochs=50)
    assert made == 200
    level, u = F(1), [F(0)]
    once = PerceptronHinge(1, 0, level, sum(hinge(shard * 2, u, level), F(0)))
    assert 2 * float(once.bound()) == 8 < made
    every = PerceptronHinge(1, 0, level, sum(hinge(shard * 2, u, level), F(0)) * 50)
    assert MixingWithLosses(every, 2).bound() == 200


@pytest.mark.parametrize("shards", [1, 2, 5])
def test_identical_shards_in_one_epoch_reach_the_bound(shards: int) -> None:
    n = 9
    rows = orthonormal(n)
    made = mixed([rows] * shards, n, identity, 1)
    loss = sum(hinge(rows * shards, [-1] * n, F(2)), F(0))
    theorem = MixingWithLosses(PerceptronHinge(1, n, 2, loss), shards)
    assert made == shards * n == theorem.bound()


def test_the_formulas_of_the_perceptron_and_of_signed_winnow() -> None:
    A, L, N, gamma = 3.0, 7.0, 4, 0.5
    theorem = MixingWithLosses(PerceptronHinge(1, F(9, 4), F(1, 2), 7), N)
    by_hand = L / gamma + N * (A**2 / 2 + A * math.sqrt(L / (N * gamma) + A**2 / 4))
    assert theorem.bound() == pytest.approx(by_hand, rel=1e-12)
    signed = MixingWithLosses(SignedWinnowHinge(50, F(1, 2), 1, eta=F(1, 2), loss=7), N)
    C = 0.25 - math.log(math.cosh(0.5))
    assert signed.bound() == pytest.approx((N * math.log(100) + 0.5 * L) / C, rel=1e-12)


def test_without_losses_it_is_the_other_theorem() -> None:
    alone = Novikoff(2, 5, F(1, 3))
    hinged = PerceptronHinge(2, 5, F(1, 3), 0)
    assert MixingWithLosses(hinged, 3).bound() == ParameterMixing(alone, 3).bound() == 270
    power = PNormHinge(3, 1, 2, 1, 0)
    assert MixingWithLosses(power, 3).bound() == 12


def test_noise_is_not_multiplied_by_the_shards() -> None:
    loss = 10**6
    many = MixingWithLosses(PerceptronHinge(1, 4, 1, loss), 100).bound()
    assert loss < float(many) < 1.03 * loss


def test_a_false_hypothesis_is_refused_by_name() -> None:
    with pytest.raises(HypothesisError, match="shards >= 1, measured 0"):
        MixingWithLosses(PerceptronHinge(1, 1, 1, 0), 0).max_mistakes()
    with pytest.raises(HypothesisError, match="and a loss, measured Novikoff"):
        MixingWithLosses(Novikoff(1, 1, 1), 2).max_mistakes()  # type: ignore[arg-type]
    with pytest.raises(HypothesisError, match="margin > 0, measured 0"):
        MixingWithLosses(PerceptronHinge(1, 1, 0, 0), 2).max_mistakes()

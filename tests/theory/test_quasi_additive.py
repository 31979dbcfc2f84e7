"""The p-norm family and the argument behind it."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest

from tests.theory.streams import hinge, largest_value, margin, noisy, orthonormal, separable
from tests.theory.twins import dot, norm, p_norm, perceptron
from thresher.errors import HypothesisError, ParameterError
from thresher.theory import (
    Novikoff,
    PerceptronHinge,
    PNorm,
    PNormDimension,
    PNormHinge,
    QuasiAdditive,
    optimal_p,
    winnow_like_p,
)
from thresher.theory.theorem import MistakeBound

F = Fraction


def test_mistakes_never_exceed_the_bounds() -> None:
    for seed in range(500):
        rng = Random(seed)
        d = rng.randint(1, 6)
        p = rng.choice([2.0, 2.5, 3.0, 6.0])
        q = p / (p - 1)
        stream, u = separable(rng, d, rng.randint(1, 60))
        tau = rng.choice([0.0, 2.0])
        run = p_norm(stream * 2, d, p, thickness=tau or None)
        gamma = margin(run.updates, u)
        size = max((norm(x, p) ** 2 for x, _ in run.updates), default=0.0)
        plain = PNorm(p, size, norm(u, q) ** 2, gamma, tau)
        assert len(run.updates) <= float(plain.bound()) * (1 + 1e-12)
        if not tau:
            U1, X = sum(abs(w) for w in u), largest_value(run.updates)
            by_dimension = PNormDimension(p, d, X, U1, gamma)
            assert float(plain.bound()) <= float(by_dimension.bound()) * (1 + 1e-9)


def test_mistakes_on_noise_never_exceed_the_hinge_bound() -> None:
    for seed in range(500):
        rng = Random(seed)
        d = rng.randint(1, 6)
        p = rng.choice([2.0, 3.0, 6.0])
        stream, u = separable(rng, d, rng.randint(1, 60))
        stream = noisy(rng, stream, 0.2)
        run = p_norm(stream, d, p)
        level = F(rng.randint(1, 12))
        loss = sum(hinge(run.updates, u, level))
        size = max((norm(x, p) ** 2 for x, _ in run.updates), default=0.0)
        theorem = PNormHinge(p, size, norm(u, p / (p - 1)) ** 2, level, loss)
        assert run.mistakes <= float(theorem.bound()) * (1 + 1e-12)


def test_the_master_theorem_is_kept_by_the_perceptron_at_every_scale() -> None:
    for seed in range(1000):
        rng = Random(seed)
        d = rng.randint(1, 5)
        stream, u = separable(rng, d, rng.randint(1, 50))
        stream = noisy(rng, stream, 0.1)
        run = perceptron(stream, d)
        level, scale = F(rng.randint(1, 9)), F(rng.randint(1, 40), 3)
        half = F(max((dot(x, x) for x, _ in run.updates), default=0)) / 2
        loss = sum(hinge(run.updates, u, level))
        theorem = QuasiAdditive(scale, level, half, scale**2 * F(dot(u, u)) / 2, loss=loss)
        if theorem.applies():
            assert run.mistakes <= theorem.max_mistakes()


@pytest.mark.parametrize("n", [1, 3, 12])
@pytest.mark.parametrize("p", [2.0, 3.0, 5.0])
def test_orthonormal_rows_force_one_mistake_each(n: int, p: float) -> None:
    run = p_norm(orthonormal(n), n, p)
    assert run.mistakes == n
    size = float(n) ** (2 * (p - 1) / p)
    theorem = PNorm(p, 1, size, 1)
    assert n <= theorem.max_mistakes()
    if p == 2:
        assert PNorm(2, 1, n, 1).max_mistakes() == n


def test_two_is_the_perceptron() -> None:
    for seed in range(50):
        rng = Random(seed)
        R2, U2, g, L = (F(rng.randint(1, 50), rng.randint(1, 9)) for _ in range(4))
        assert PNorm(2, R2, U2, g).bound() == Novikoff(R2, U2, g).bound()
        assert PNormHinge(2, R2, U2, g, L).bound() == PerceptronHinge(R2, U2, g, L).bound()
        best = QuasiAdditive(R2 / g, g, R2 / 2, (R2 / g) ** 2 * U2 / 2).bound()
        assert best == Novikoff(R2, U2, g).bound()
        for other in (F(9, 10), F(11, 10)):
            a = other * R2 / g
            assert QuasiAdditive(a, g, R2 / 2, a**2 * U2 / 2).bound() > best


def test_the_master_theorem_gives_the_thick_bound_too() -> None:
    R2, U2, g, tau = F(2), F(3), F(1, 2), F(5)
    a = (R2 + 2 * tau) / g
    master = QuasiAdditive(a, g, R2 / 2, a**2 * U2 / 2, thickness=tau).bound()
    assert master == PNorm(2, R2, U2, g, tau).bound() == (R2 + 2 * tau) * U2 / g**2


def test_the_winnow_like_exponent_needs_no_tuning_and_the_best_is_better() -> None:
    for d in (10, 1000, 10**6):
        like = PNormDimension(winnow_like_p(d), d, 1, 1, F(1, 10)).bound()
        expected = math.e * (2 * math.log(d) - 1) * 100
        assert float(like) == pytest.approx(expected, rel=1e-12)
        best = optimal_p(d)
        at_best = float(PNormDimension(best, d, 1, 1, F(1, 10)).bound())
        assert at_best <= float(like)
        for other in (best * 0.98, best * 1.02):
            assert float(PNormDimension(other, d, 1, 1, F(1, 10)).bound()) > at_best
    assert winnow_like_p(2) == 2
    with pytest.raises(ParameterError, match="n_features must be at least 8"):
        optimal_p(7)


def test_scales_and_values() -> None:
    assert PNorm(3, 1, 1, 1).bound() == 2
    assert PNorm(3, 1, 1, 1, thickness=2).bound() == 6
    assert PNorm(5, F(1, 4), 9, F(3, 2)).bound() == 4
    assert PNormHinge(3, 1, 2, 1, 0).bound() == PNorm(3, 1, 2, 1).bound() == 4
    assert PNormHinge(3, 1, 2, 1, 5).bound() == PerceptronHinge(2, 2, 1, 5).bound()
    assert PNormDimension(4, 16, 2, 3, 6).bound() == pytest.approx(12)
    assert PNormDimension(2, 1, 1, 1, 1).bound() == pytest.approx(1)
    assert QuasiAdditive(2, 3, 1, 4, thickness=1, loss=6).bound() == 4


REFUSED: list[tuple[MistakeBound, str]] = [
    (PNorm(F(3, 2), 1, 1, 1), "p >= 2"),
    (PNorm(2, 1, 1, 0), "margin > 0"),
    (PNormHinge(1, 1, 1, 1, 0), "p >= 2"),
    (PNormHinge(2, 1, 1, 0, 0), "margin > 0"),
    (PNormDimension(2, 0, 1, 1, 1), "n_features >= 1"),
    (PNormDimension(1, 4, 1, 1, 1), "p >= 2"),
    (QuasiAdditive(0, 1, 1, 1), "scale > 0"),
    (QuasiAdditive(1, 1, 1, 1), "scale * margin > thickness + smoothness"),
]


@pytest.mark.parametrize(("theorem", "hypothesis"), REFUSED)
def test_a_false_hypothesis_is_refused_by_name(theorem: MistakeBound, hypothesis: str) -> None:
    with pytest.raises(HypothesisError) as caught:
        theorem.max_mistakes()
    assert caught.value.hypothesis == hypothesis


def test_wrong_formulas_are_caught_by_a_concrete_stream() -> None:
    """The orthonormal stream forces n; with half the smoothness fewer would be allowed."""
    n = 9
    forced = perceptron(orthonormal(n), n).mistakes
    a = F(1)
    assert forced > QuasiAdditive(a, 1, F(1, 4), a**2 * n / 2).bound()  # half the smoothness

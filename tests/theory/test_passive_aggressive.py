"""Passive-Aggressive: kept on random streams, reached, exact values, and by the learner itself."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

import thresher as learners
from tests.theory.gradient_twins import PassiveAggressiveRun, passive_aggressive
from tests.theory.streams import hinge, margin, noisy, orthonormal, radius_squared, separable
from tests.theory.twins import Labelled, Vector, dot, perceptron
from thresher.errors import HypothesisError, ParameterError
from thresher.theory import (
    MistakeBound,
    Novikoff,
    PassiveAggressiveCapped,
    PassiveAggressiveSeparable,
    PassiveAggressiveSoftened,
    PassiveAggressiveSquaredHinge,
)

F = Fraction
AGGRESSIVENESS = [F(1, 20), F(1, 2), F(1), F(7)]


def with_losses(
    variant: str, run: PassiveAggressiveRun, u: Vector, level: F, C: F, radius: F
) -> MistakeBound:
    """The theorem that speaks about a variant on any stream."""
    size = F(dot(u, u))
    losses = hinge(run.updates, u, level)
    if variant == "PA":
        off = [
            loss**2 / F(dot(x, x)) for loss, (x, _) in zip(losses, run.updates, strict=True) if loss
        ]
        return PassiveAggressiveSquaredHinge(radius, size, level, sum(off, F(0)))
    if variant == "PA-I":
        return PassiveAggressiveCapped(radius, size, level, sum(losses, F(0)), C)
    squared = sum((loss**2 for loss in losses), F(0))
    return PassiveAggressiveSoftened(radius, size, level, squared, C)


@pytest.mark.parametrize("seed", range(60))
def test_pa_keeps_its_bound_on_separable_streams(seed: int) -> None:
    rng = Random(seed)
    d = rng.randint(1, 5)
    stream, u = separable(rng, d, 40)
    run = passive_aggressive(stream, d, "PA")
    size, gamma = dot(u, u), margin(run.updates, u)
    losses = PassiveAggressiveSeparable(radius_squared(run.updates), size, gamma)
    assert run.squared_losses <= F(losses.bound())
    mistakes = PassiveAggressiveSeparable(radius_squared(run.mistaken), size, gamma)
    assert run.mistakes <= mistakes.max_mistakes() <= losses.max_mistakes()
    assert F(losses.bound()) == Novikoff(radius_squared(run.updates), size, gamma).bound()


@pytest.mark.parametrize("variant", ["PA", "PA-I", "PA-II"])
@pytest.mark.parametrize("seed", range(25))
def test_every_variant_keeps_its_bound_whatever_the_labels(variant: str, seed: int) -> None:
    rng = Random(seed)
    d, C = rng.randint(1, 4), rng.choice(AGGRESSIVENESS)
    stream, u = separable(rng, d, 30)
    if variant != "PA":
        stream.append(([0] * d, -1))
    run = passive_aggressive(noisy(rng, stream, rng.choice([0.0, 0.2, 0.5])), d, variant, C)
    for level in (F(1, 2), F(1), F(5)):
        mistakes = with_losses(variant, run, u, level, C, radius_squared(run.mistaken))
        assert run.mistakes <= mistakes.max_mistakes()
        if variant != "PA-I":
            losses = with_losses(variant, run, u, level, C, radius_squared(run.updates))
            assert float(run.squared_losses) <= float(losses.bound()) * (1 + 1e-12)


def contradicted(variant: str, C: F, rounds: int) -> list[Labelled]:
    """One example of length 1 that always gets the label that is not predicted."""
    stream: list[Labelled] = []
    weight = F(0)
    for _ in range(rounds):
        y = -1 if weight >= 0 else 1
        stream.append(([1], y))
        # Numerators would double in every round; the labels are all that matters.
        whole = passive_aggressive(stream[-1:], 1, variant, C) if not weight else None
        loss = 1 - y * weight
        step = {"PA": loss, "PA-I": min(C, loss), "PA-II": loss / (1 + 1 / (2 * C))}[variant]
        assert whole is None or whole.weights == [step * y]
        weight = (weight + step * y).limit_denominator(10**9)
    return stream


@pytest.mark.parametrize(
    ("variant", "C", "mistakes", "squares"),
    [
        ("PA", F(1), 0.25, 0.99),
        ("PA-I", F(1), 0.5, None),
        ("PA-I", F(1, 100), 0.5, None),
        ("PA-II", F(1, 10), 0.83, 0.98),
    ],
)
def test_a_contradicted_example_comes_as_near_as_said(
    variant: str, C: F, mistakes: float, squares: float | None
) -> None:
    rounds = 200 if variant == "PA" else 60
    run = passive_aggressive(contradicted(variant, C, rounds), 1, variant, C)
    bound = float(with_losses(variant, run, [0], F(1), C, F(1)).bound())
    assert mistakes * bound <= run.mistakes == rounds <= bound
    if squares:
        assert squares * bound <= float(run.squared_losses) <= bound


@pytest.mark.parametrize("n", [1, 4, 9])
def test_orthonormal_examples_reach_the_bounds(n: int) -> None:
    stream = orthonormal(n)
    assert passive_aggressive(stream, n, "PA").mistakes == n
    assert PassiveAggressiveSeparable(1, n, 1).bound() == n
    assert PassiveAggressiveSquaredHinge(1, n, 1, 0).bound() == n
    assert passive_aggressive(stream, n, "PA-I", 1).mistakes == n
    assert PassiveAggressiveCapped(1, n, 1, 0, 1).bound() == n
    assert passive_aggressive(stream, n, "PA-II", 10**6).mistakes == n
    assert PassiveAggressiveSoftened(1, n, 1, 0, 10**6).max_mistakes() == n


def test_a_step_may_repair_what_the_perceptron_must_err_on_again() -> None:
    """The same bound, not the same run: PA makes its whole step at once."""
    stream: list[Labelled] = [([1, 0], -1), ([F(1, 10), 0], -1), ([9, F(1, 10)], 1)]
    assert perceptron(stream[:1], 2).dual == [-1, 0]
    assert passive_aggressive([([F(1, 10), 0], -1)], 2, "PA").weights == [-10, 0]


def test_scaling_comparator_and_level_together_changes_nothing() -> None:
    for k in (F(1, 3), F(7)):
        assert (
            PassiveAggressiveSquaredHinge(3, 5 * k**2, 2 * k, 4 * k**2).bound()
            == PassiveAggressiveSquaredHinge(3, 5, 2, 4).bound()
        )
        assert (
            PassiveAggressiveCapped(3, 5 * k**2, 2 * k, 4 * k, F(1, 2)).bound()
            == PassiveAggressiveCapped(3, 5, 2, 4, F(1, 2)).bound()
            == 3 * (F(5, 4) + 2)
        )
        assert (
            PassiveAggressiveSoftened(3, 5 * k**2, 2 * k, 4 * k**2, F(1, 2)).bound()
            == PassiveAggressiveSoftened(3, 5, 2, 4, F(1, 2)).bound()
            == 9
        )
    # D^2 = 9, ||u||^2 = 7: (3 + 4)^2.
    assert PassiveAggressiveSquaredHinge(1, 7, 1, 9).bound() == 49


def test_a_small_step_makes_the_cap_the_price() -> None:
    assert PassiveAggressiveCapped(1, 5, 1, 0, F(1, 100)).bound() == 500
    assert PassiveAggressiveCapped(1, 5, 1, 3, F(1, 100)).bound() == 500 + 6


@pytest.mark.parametrize("variant", ["PA", "PA-I", "PA-II"])
@pytest.mark.parametrize("bias", [False, True])
def test_the_learner_keeps_the_bounds(variant: str, bias: bool) -> None:
    for seed in range(12):
        rng = Random(seed)
        stream, u = separable(rng, 4, 60)
        stream = noisy(rng, stream, 0.1)
        learner = learners.PassiveAggressive(4, variant=variant, C=0.5, bias=bias)
        rounds = learner.learn(np.array([x for x, _ in stream], float), [y for _, y in stream])
        seen: list[Labelled] = [([*x, 1], y) if bias else (x, y) for x, y in stream]
        against = [*u, 0] if bias else u
        every = PassiveAggressiveRun(updates=seen)
        for level in (F(1), F(4)):
            theorem = with_losses(variant, every, against, level, F(1, 2), radius_squared(seen))
            assert rounds.mistakes <= theorem.max_mistakes()


def test_a_false_hypothesis_is_refused_by_name() -> None:
    for theorem in (
        PassiveAggressiveSeparable(1, 1, 0),
        PassiveAggressiveSquaredHinge(1, 1, 0, 1),
        PassiveAggressiveCapped(1, 1, -1, 0, 1),
        PassiveAggressiveSoftened(1, 1, 0, 0, 1),
    ):
        with pytest.raises(HypothesisError, match="margin > 0"):
            theorem.max_mistakes()
    for kind in (PassiveAggressiveCapped, PassiveAggressiveSoftened):
        with pytest.raises(HypothesisError, match="aggressiveness > 0, measured 0"):
            kind(1, 1, 1, 0, 0).max_mistakes()
        with pytest.raises(ParameterError):
            kind(1, 1, 1, -1, 1)

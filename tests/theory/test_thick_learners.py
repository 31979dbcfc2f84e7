"""The learners with a margin are those that the theorems about thick margins speak of."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

import thresher as th
from tests.theory.streams import margin, orthonormal, radius_squared, separable
from tests.theory.twins import dot, norm, perceptron
from thresher.theory import PerceptronThickMargin, PNorm

F = Fraction


@pytest.mark.parametrize("tau", [0.5, 2.0, 40.0])
@pytest.mark.parametrize("seed", range(8))
def test_the_updates_of_a_thick_perceptron_keep_the_bound(seed: int, tau: float) -> None:
    stream, u = separable(Random(seed), 4, 60)
    learner = th.Perceptron(4, margin=tau)
    learner.learn(np.array([x for x, _ in stream], float), [y for _, y in stream])
    twin = perceptron(stream, 4, thickness=tau)
    assert learner.weights.tolist() == twin.dual
    bound = PerceptronThickMargin(
        radius_squared(twin.updates), dot(u, u), margin(twin.updates, u), tau
    )
    assert learner.mistakes <= len(learner.journal) <= bound.max_mistakes()


def test_a_thick_perceptron_that_settles_has_the_margin_it_was_promised() -> None:
    stream, u = separable(Random(3), 3, 30)
    X, y = np.array([x for x, _ in stream], float), [label for _, label in stream]
    tau = 20.0
    learner = th.Perceptron(3, margin=tau)
    updates = -1
    while updates != len(learner.journal):
        updates = len(learner.journal)
        learner.learn(X, y)
    theorem = PerceptronThickMargin(radius_squared(stream), dot(u, u), margin(stream, u), tau)
    assert updates <= theorem.max_mistakes()
    reached = th.proofs.geometric_margin(learner.weights.tolist(), th.Batch.of(X, y))
    assert F(reached.geometric) ** 2 > theorem.margin_reached_squared()


def test_repeated_orthonormal_rows_are_updates_until_the_margin_is_passed() -> None:
    n, tau = 4, 2
    learner = th.Perceptron(n, margin=tau)
    rows = [x for x, _ in orthonormal(n)]
    for _ in range(6):
        learner.learn(rows, [-1] * n)
    assert len(learner.journal) == n * (tau + 1)
    assert len(learner.journal) <= PerceptronThickMargin(1, n, 1, tau).max_mistakes() == n * 5


@pytest.mark.parametrize("p", [2.0, 3.0, 6.0])
@pytest.mark.parametrize("seed", range(8))
def test_the_updates_of_a_thick_p_norm_perceptron_keep_the_bound(seed: int, p: float) -> None:
    tau = 5.0
    stream, u = separable(Random(seed), 4, 60)
    learner = th.PNormPerceptron(4, p, margin=tau)
    learner.learn(np.array([x for x, _ in stream], float), [y for _, y in stream])
    q = p / (p - 1)
    bound = PNorm(
        p,
        max(norm(x, p) for x, _ in stream) ** 2 * (1 + 1e-12),
        norm(u, q) ** 2 * (1 + 1e-12),
        margin(stream, u),
        tau,
    )
    assert learner.mistakes <= len(learner.journal) <= bound.max_mistakes()
    thin = PNorm(p, bound.radius_squared, bound.comparator_norm_squared, bound.margin)
    assert thin.max_mistakes() < bound.max_mistakes()

"""What the docstrings claim of the learners with margins, on the learners themselves."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import thresher as th
from thresher.theory import PNorm

#: Losses and bounds are sums of doubles.
ROUNDING = 1 + 1e-9
seeds = st.integers(0, 2**32 - 1)
scales = st.sampled_from([0.01, 0.5, 1.0, 30.0])


def noisy(seed: int) -> tuple[Any, Any, Any]:
    """Whole rows, none of zeros; labels of which some are wrong; a vector to compare with."""
    random = np.random.default_rng(seed)
    d = int(random.integers(1, 6))
    X = random.integers(-3, 4, (40, d)).astype(float)
    X[~X.any(axis=1), 0] = 1.0
    u = random.normal(size=d) * random.choice([0.1, 1.0, 3.0])
    y = np.where(X @ u + random.normal(size=40) * random.choice([0.0, 1.0]) >= 0, 1, -1)
    return X, y, u


def hinge(X: Any, y: Any, u: Any) -> NDArray[np.float64]:
    return np.asarray(np.maximum(0.0, 1.0 - y * (X @ u)))


def losses(learner: Any, X: Any, y: Any) -> NDArray[np.float64]:
    return np.asarray(np.maximum(0.0, 1.0 - y * learner.learn(X, y).scores))


def new_each_time(n: int) -> tuple[Any, Any, Any]:
    """Unit vectors of label -1, which a score of 0 does not predict; u has margin 1."""
    return np.eye(n), -np.ones(n, int), -np.ones(n)


# ---- Passive-Aggressive: Crammer et al. 2006, Theorems 2, 4 and 5 ------------------------------


@given(seeds)
def test_squared_losses_of_pa_stay_below_the_bound_where_some_u_has_margin_1(seed: int) -> None:
    X, _, u = noisy(seed)
    X = X[np.abs(X @ u) > 1e-6]
    if not len(X):
        return
    u = u / np.abs(X @ u).min()
    y = np.where(X @ u > 0, 1, -1)
    learner = th.PassiveAggressive(X.shape[1], "PA")
    squares = float((losses(learner, np.tile(X, (3, 1)), np.tile(y, 3)) ** 2).sum())
    bound = float((X * X).sum(axis=1).max() * (u @ u))
    assert learner.mistakes <= squares * ROUNDING
    assert squares <= bound * ROUNDING


@given(seeds, scales)
def test_mistakes_of_pa_1_stay_below_the_bound_against_any_u(seed: int, c: float) -> None:
    X, y, u = noisy(seed)
    learner = th.PassiveAggressive(X.shape[1], "PA-I", c)
    learner.learn(X, y)
    radius = float((X * X).sum(axis=1).max())
    bound = max(radius, 1 / c) * (u @ u + 2 * c * hinge(X, y, u).sum())
    assert learner.mistakes <= bound * ROUNDING


@given(seeds, scales)
def test_squared_losses_of_pa_2_stay_below_the_bound_against_any_u(seed: int, c: float) -> None:
    X, y, u = noisy(seed)
    learner = th.PassiveAggressive(X.shape[1], "PA-II", c)
    radius = float((X * X).sum(axis=1).max())
    bound = (radius + 1 / (2 * c)) * (u @ u + 2 * c * (hinge(X, y, u) ** 2).sum())
    assert (losses(learner, X, y) ** 2).sum() <= bound * ROUNDING


@pytest.mark.parametrize("n", [1, 2, 17])
def test_unit_vectors_reach_the_bounds_of_pa_and_pa_1(n: int) -> None:
    """The bounds are R^2 |u|^2 = n, and so are the losses; half the radius would be a lie."""
    X, y, u = new_each_time(n)
    for learner in (th.PassiveAggressive(n, "PA"), th.PassiveAggressive(n, "PA-I", 1.0)):
        assert (losses(learner, X, y) ** 2).sum() == learner.mistakes == u @ u == n
        assert learner.mistakes > u @ u / 2


@pytest.mark.parametrize("c", [2.0, 50.0])
def test_repeated_unit_vectors_come_near_the_bound_of_pa_2(c: float) -> None:
    """Each visit leaves a share a/(1 + a) of the loss, a = 1/(2C); the squares sum to a series."""
    X, y, u = new_each_time(5)
    learner = th.PassiveAggressive(5, "PA-II", c)
    squares = (losses(learner, np.tile(X, (60, 1)), np.tile(y, 60)) ** 2).sum()
    a = 1 / (2 * c)
    assert squares == pytest.approx(5 * (1 + a) ** 2 / (1 + 2 * a), rel=1e-12)
    assert (1 - a) * (1 + a) * (u @ u) <= squares <= (1 + a) * (u @ u)
    # Without the 1/(2C) it would be broken.
    assert squares > u @ u


@given(seeds, st.sampled_from([0.25, 2.0, 1024.0]), st.sampled_from(["PA", "PA-I", "PA-II"]))
def test_the_unit_of_the_rows_changes_no_score(seed: int, unit: float, variant: str) -> None:
    """As the bounds say: R^2 |u|^2 is the same in any unit, where C is in units as well."""
    X, y, _ = noisy(seed)
    plain = th.PassiveAggressive(X.shape[1], variant, 0.5)
    other = th.PassiveAggressive(X.shape[1], variant, 0.5 / unit**2)
    assert plain.learn(X, y).scores.tolist() == other.learn(unit * X, y).scores.tolist()


# ---- AdaGrad: Duchi, Hazan and Singer 2011, Theorem 5 ------------------------------------------


def regret_and_bound(learner: Any, X: Any, y: Any, u: Any, rate: float) -> tuple[float, float]:
    """Loss above that of u; (D^2/(2 eta) + eta) sum sqrt(G), the claim at eta = D/sqrt(2)."""
    weights, own, squares = [], 0.0, np.zeros(X.shape[1])
    for x, label in zip(X, y, strict=True):
        w = learner.weights
        margin = label * (w @ x)
        squares += x * x if margin < 1.0 else 0.0
        own += max(0.0, 1.0 - margin)
        weights.append(w)
        learner.learn([x], [label])
    distance = float(np.abs(np.array(weights) - u).max())
    bound = (distance**2 / (2 * rate) + rate) * np.sqrt(squares).sum()
    return own - float(hinge(X, y, u).sum()), float(bound)


@given(seeds, scales)
def test_the_regret_of_adagrad_stays_below_the_bound_against_any_u(seed: int, rate: float) -> None:
    X, y, u = noisy(seed)
    learner = th.AdaGrad(X.shape[1], rate=rate)
    regret, bound = regret_and_bound(learner, X, y, u, rate)
    assert regret <= bound + 1e-9 * (1 + abs(bound))


def test_a_teacher_who_contradicts_adagrad_costs_it_more_than_half_the_bound() -> None:
    rate, rounds = 0.5, 400
    learner: Any = th.AdaGrad(1, rate=rate)
    probe = learner.copy()
    y = []
    for _ in range(rounds):
        y.append(-1 if probe.predict([[1.0]])[0] > 0 else 1)
        probe.learn([[1.0]], y[-1:])
    X = np.ones((rounds, 1))
    regret, bound = regret_and_bound(learner, X, np.array(y), np.zeros(1), rate)
    assert learner.mistakes == rounds
    assert bound == pytest.approx(1.5 * rate * sqrt(rounds), rel=1e-12)
    assert bound / 2 < regret <= bound


# ---- the p-norm Perceptron -----------------------------------------------------------------------


@given(seeds, st.sampled_from([2.0, 3.0, 8.0]), st.sampled_from([0.0, 2.0]))
def test_updates_of_the_p_norm_perceptron_stay_below_the_bound(
    seed: int, p: float, margin: float
) -> None:
    X, _, u = noisy(seed)
    X = X[np.abs(X @ u) > 1e-3]
    if not len(X):
        return
    y = np.where(X @ u > 0, 1, -1)
    learner = th.PNormPerceptron(X.shape[1], p, margin=margin)
    learner.learn(np.tile(X, (4, 1)), np.tile(y, 4))
    sizes = (np.abs(X) ** p).sum(axis=1) ** (2 / p)
    q = p / (p - 1)
    u_squared = float((np.abs(u) ** q).sum() ** (2 / q))
    theorem = PNorm(p, float(sizes.max()), u_squared, float((y * (X @ u)).min()), margin)
    assert len(learner.journal) <= float(theorem.bound()) * ROUNDING

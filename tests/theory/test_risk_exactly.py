"""How often the risk bounds fail: never more often than delta, and for some nearly as often."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from tests.theory.exact_failures import (
    anytime_risks,
    at_most,
    failure_at_some_time,
    failure_of_prior,
    failure_of_streaks,
    worst_failure,
)
from thresher.theory import (
    MeanRiskAnytime,
    MeanRiskHoeffding,
    MeanRiskKl,
    MeanRiskKlPrior,
    StreakRisk,
)

DELTAS = [0.5, 0.2, 0.05]
SIX = 6 / math.pi**2


def share(delta: float) -> Callable[[int], float]:
    return lambda s: SIX * delta / (s + 1) ** 2


def bounds_of(
    kind: type[MeanRiskHoeffding] | type[MeanRiskKl], T: int, delta: float
) -> list[float]:
    return [float(kind(m, T, delta).bound()) for m in range(T + 1)]


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("T", [1, 2, 10])
def test_no_risk_makes_a_fixed_time_bound_fail_more_often_than_delta(T: int, delta: float) -> None:
    for kind in (MeanRiskHoeffding, MeanRiskKl):
        failure, _ = worst_failure(bounds_of(kind, T, delta).__getitem__, T)
        assert failure <= delta


def test_the_simplest_bound_fails_with_82_percent_of_delta_in_one_round() -> None:
    delta = 0.57
    failure, p = worst_failure(lambda m: float(MeanRiskHoeffding(m, 1, delta).bound()), 1)
    assert failure == pytest.approx(1 - p)
    assert 0.82 * delta < failure <= delta
    halved, _ = worst_failure(lambda m: float(MeanRiskHoeffding(m, 1, delta).bound()) / 2, 1)
    assert halved > delta


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("T", [2, 12])
def test_the_kl_bound_fails_with_61_percent_of_delta(T: int, delta: float) -> None:
    """No mistake at all at a risk just above the bound: (1 - p)^T = 6 delta/pi^2, exactly."""
    risk = float(MeanRiskKl(0, T, delta).bound())
    assert at_most(0, T, risk) == pytest.approx(SIX * delta, rel=1e-9)
    bounds = bounds_of(MeanRiskKl, T, delta)
    failure, p = worst_failure(bounds.__getitem__, T)
    assert failure == pytest.approx(SIX * delta, rel=1e-6)
    assert p == pytest.approx(risk)
    halved, _ = worst_failure(lambda m: bounds[m] / 2, T)
    assert halved > delta


@pytest.mark.parametrize(
    ("B", "T", "delta", "least"),
    [(1, 2, 0.5, 0.29), (20, 40, 0.5, 0.24), (5, 40, 0.2, 0.14), (5, 40, 0.05, 0.1)],
)
def test_a_bound_known_beforehand_fails_with_up_to_29_percent_of_delta(
    B: int, T: int, delta: float, least: float
) -> None:
    risk = float(MeanRiskKlPrior(B, T, delta).bound())
    assert least * delta <= failure_of_prior(risk, B, T) <= delta
    assert failure_of_prior(risk / 2, B, T) > delta


def test_the_anytime_bound_fails_with_22_percent_of_delta_within_600_rounds() -> None:
    delta, p = 0.2, 0.5
    budget = math.log(12 / delta)
    for m, t in [(0, 1), (3, 10), (40, 100)]:
        theorem = MeanRiskAnytime(m, t, Fraction(1, 5))
        assert anytime_risks(t, budget)[m] == pytest.approx(float(theorem.bound()), rel=1e-12)
    failure = failure_at_some_time(lambda t: anytime_risks(t, budget), p, 600)
    assert 0.21 * delta < failure <= delta
    assert failure_at_some_time(lambda t: anytime_risks(t, budget) / 2, p, 600) > delta
    once = failure_at_some_time(lambda t: anytime_risks(t, budget) + (t < 600), p, 600)
    assert once < failure / 2


@pytest.mark.parametrize("p", [0.01, 0.1, 0.3, 0.8])
@pytest.mark.parametrize("delta", DELTAS)
def test_no_risk_makes_the_anytime_bound_fail_more_often(p: float, delta: float) -> None:
    budget = math.log(12 / delta)
    assert failure_at_some_time(lambda t: anytime_risks(t, budget), p, 300) <= delta


def test_a_bound_for_a_time_fixed_beforehand_fails_when_looked_at_again_and_again() -> None:
    """Hoeffding's bound at every T up to 1000: the failure is no longer delta but above it."""
    delta, p = 0.2, 0.5

    def peeking(t: int) -> np.ndarray:
        return np.arange(t + 1) / t + math.sqrt(math.log(1 / delta) / (2 * t))

    assert peeking(7)[3] == pytest.approx(float(MeanRiskHoeffding(3, 7, delta).bound()))
    assert failure_at_some_time(peeking, p, 1000) > 1.5 * delta


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("p", [0.5, 0.1, 0.01])
def test_streaks_of_all_versions_together_fail_no_more_often_than_delta(
    p: float, delta: float
) -> None:
    assert failure_of_streaks(share(delta), p, 2000) <= delta


def test_streaks_fail_with_98_percent_of_delta() -> None:
    """Versions of risk 1/1000 that all err sooner or later: delta is spent almost entirely."""
    delta = 0.05
    for s, n in [(0, 3), (4, 200)]:
        theorem = StreakRisk(s, n, Fraction(1, 20))
        assert float(theorem.bound()) == pytest.approx(1 - share(delta)(s) ** (1 / n), rel=1e-12)
    assert 0.98 * delta < failure_of_streaks(share(delta), 0.001, 2000) <= delta
    assert failure_of_streaks(lambda s: delta, 0.001, 2) > delta  # each version with all of delta


def test_twenty_thousand_streams_fail_as_often_as_worked_out() -> None:
    """The same failures counted in a simulation with a fixed seed."""
    rng = np.random.default_rng(7)
    T, delta = 12, 0.2
    for kind in (MeanRiskKl, MeanRiskHoeffding):
        bounds = np.array(bounds_of(kind, T, delta))
        worst, p = worst_failure(bounds.tolist().__getitem__, T)
        assert np.mean(p > bounds[rng.binomial(T, p, 20_000)]) == pytest.approx(worst, rel=0.1)

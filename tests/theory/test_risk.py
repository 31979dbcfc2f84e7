"""Risk bounds: their equations, their order, and how often they really fail."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thresher.errors import HypothesisError
from thresher.theory import (
    MeanRiskAnytime,
    MeanRiskHoeffding,
    MeanRiskKl,
    MeanRiskKlPrior,
    RiskBound,
    StreakRisk,
    guaranteed_streak,
)
from thresher.theory.enclosure import is_positive, ln, real
from thresher.theory.risk.kullback_leibler import GRID, kl, largest_risk

F = Fraction


def entropy(q: float, p: float) -> float:
    heads = q * math.log(q / p) if q else 0.0
    return heads + ((1 - q) * math.log((1 - q) / (1 - p)) if q < 1 else 0.0)


@pytest.mark.parametrize(("M", "T"), [(0, 1), (0, 500), (3, 100), (60, 100), (40, 10**5)])
@pytest.mark.parametrize("delta", [F(1, 2), F(1, 20), F(1, 10**6)])
def test_the_kl_bounds_solve_their_equations(M: int, T: int, delta: Fraction) -> None:
    union = math.log(math.pi**2 * (M + 1) ** 2 / (6 * delta))
    risk = float(MeanRiskKl(M, T, delta).bound())
    assert T * entropy(M / T, risk) == pytest.approx(union, rel=1e-6)
    prior = float(MeanRiskKlPrior(M, T, delta).bound())
    assert T * entropy(M / T, prior) == pytest.approx(-math.log(delta), rel=1e-6)
    assert M / T < prior < risk <= 1


def test_a_kl_bound_is_rounded_up_by_less_than_its_grid() -> None:
    q, budget = F(1, 10), F(1, 50)
    p = largest_risk(q, budget)
    assert math.isclose(entropy(0.1, float(p)), 0.02, rel_tol=1e-9)
    above, below = kl(q, p) - budget, kl(q, p - F(1, 2**64)) - budget
    assert above.enclose(40)[0] > 0 >= below.enclose(40)[0]
    assert largest_risk(F(1), real(1)) == 1
    assert largest_risk(F(0), ln(2)) == pytest.approx(0.5)


@given(st.fractions(0, 1), st.fractions(0, 40))
@example(F(1, 3), F(0))
@example(F(1, 10**30), F(1, 10**30))
@example(F(10**20 - 1, 10**20), F(40))
@settings(max_examples=60)
def test_a_kl_bound_is_what_bisection_alone_finds(q: Fraction, budget: Fraction) -> None:
    low, high = q * GRID // 1, GRID
    while high - low > 1:
        middle = (low + high) // 2
        more = is_positive(kl(q, F(middle, GRID)) - budget)
        low, high = (low, middle) if more else (middle, high)
    assert largest_risk(q, budget) == F(high, GRID)


def test_without_mistakes_everything_has_a_closed_form() -> None:
    T, delta = 1000, F(1, 20)
    assert MeanRiskKlPrior(0, T, delta).max_risk() == pytest.approx(1 - 0.05 ** (1 / T))
    assert MeanRiskHoeffding(0, T, delta).max_risk() == pytest.approx(
        math.sqrt(math.log(20) / 2000)
    )
    share = 6 * 0.05 / math.pi**2
    assert StreakRisk(0, T, delta).max_risk() == pytest.approx(1 - share ** (1 / T))
    assert StreakRisk(9, T, delta).max_risk() == pytest.approx(1 - (share / 100) ** (1 / T))
    best = min(
        (1 - math.exp(-math.log(12 / 0.05) / T)) / (1 - math.exp(-(2.0**j))) for j in range(-7, 5)
    )
    assert MeanRiskAnytime(0, T, delta).max_risk() == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize("kind", [MeanRiskHoeffding, MeanRiskAnytime, MeanRiskKl, MeanRiskKlPrior])
def test_more_mistakes_more_risk_more_rounds_less_more_doubt_less(kind: type[RiskBound]) -> None:
    def at(M: int, T: int, delta: float) -> float:
        return kind(M, T, delta).max_risk()  # type: ignore[call-arg]

    assert at(5, 100, 0.1) < at(6, 100, 0.1)
    assert at(5, 100, 0.1) > at(5, 101, 0.1)
    assert at(5, 100, 0.1) > at(5, 100, 0.2)
    assert at(100, 100, 0.1) == 1.0


def test_few_mistakes_are_where_the_sharper_bounds_pay() -> None:
    M, T, delta = 40, 10**5, F(1, 20)
    hoeffding, anytime, plain = (
        kind(M, T, delta).max_risk() for kind in (MeanRiskHoeffding, MeanRiskAnytime, MeanRiskKl)
    )
    assert anytime < plain < hoeffding / 5


def test_streaks() -> None:
    assert StreakRisk(3, 200, F(1, 20)).max_risk() < StreakRisk(4, 200, F(1, 20)).max_risk()
    assert StreakRisk(3, 200, F(1, 20)).max_risk() > StreakRisk(3, 201, F(1, 20)).max_risk()
    for T in range(30):
        for M in range(T + 1):
            expected = math.ceil((T - M) / (M + 1))
            assert guaranteed_streak(T, M) == expected


def learned_risks(rng: Random, T: int) -> tuple[list[float], list[bool]]:
    """An eliminator of 6 fair bits with target {0, 1}: true risk before each round, and errors."""
    kept = set(range(6))
    risks, wrong = [], []
    for _ in range(T):
        # Wrong exactly when both relevant bits are off and some kept irrelevant bit is on.
        risks.append(0.25 * (1 - 0.5 ** (len(kept) - 2)))
        active = {i for i in range(6) if rng.random() < 0.5}
        y = bool(active & {0, 1})
        wrong.append(bool(active & kept) != y)
        if wrong[-1]:
            kept -= active
    return risks, wrong


def test_the_statements_fail_no_more_often_than_they_say() -> None:
    T, runs, delta = 40, 400, F(1, 5)
    fixed = {M: MeanRiskKl(M, T, delta).max_risk() for M in range(5)}
    simple = {M: MeanRiskHoeffding(M, T, delta).max_risk() for M in range(5)}
    prior = MeanRiskKlPrior(4, T, delta).max_risk()
    moments = (1, 5, 20, 40)
    anytime = {
        (M, t): MeanRiskAnytime(min(M, t), t, delta).max_risk() for M in range(5) for t in moments
    }
    streaks = {(s, n): StreakRisk(s, n, delta).max_risk() for s in range(5) for n in (5, 15, 30)}
    failures = [0] * 5
    for seed in range(runs):
        risks, wrong = learned_risks(Random(seed), T)
        mean, M = sum(risks) / T, sum(wrong)
        failures[0] += mean > fixed[M]
        failures[1] += mean > simple[M]
        failures[2] += mean > prior
        failures[3] += any(sum(risks[:t]) / t > anytime[sum(wrong[:t]), t] for t in moments)
        broken, version, streak = False, 0, 0
        for risk, erred in zip(risks, wrong, strict=True):
            version, streak = (version + 1, 0) if erred else (version, streak + 1)
            # The streak speaks about the hypothesis that made it, which is still in use.
            broken |= (version, streak) in streaks and risk > streaks[version, streak]
        failures[4] += broken
    assert all(count <= runs * delta for count in failures)


def test_a_bound_known_beforehand_is_worth_more_than_the_same_count_afterwards() -> None:
    """The price of not knowing M is ln(pi^2 (M + 1)^2 / 6) in the budget, and it is paid."""
    for M, T in [(0, 1000), (10, 1000), (40, 10**5)]:
        known = MeanRiskKlPrior(M, T, F(1, 20)).max_risk()
        counted = MeanRiskKl(M, T, F(1, 20)).max_risk()
        assert known < counted
        share = F(1, 20) * F(6 / math.pi**2) / (M + 1) ** 2
        assert MeanRiskKlPrior(M, T, share).max_risk() == pytest.approx(counted, rel=1e-12)


REFUSED: list[tuple[RiskBound, str]] = [
    (MeanRiskHoeffding(0, 0, F(1, 2)), "rounds >= 1"),
    (MeanRiskHoeffding(5, 4, F(1, 2)), "mistakes <= rounds"),
    (MeanRiskHoeffding(1, 4, 0), "0 < delta < 1"),
    (MeanRiskAnytime(1, 4, 1), "0 < delta < 1"),
    (MeanRiskAnytime(5, 4, F(1, 2)), "mistakes <= rounds"),
    (MeanRiskKl(5, 4, F(1, 2)), "mistakes <= rounds"),
    (MeanRiskKlPrior(5, 4, F(1, 2)), "mistakes <= rounds"),
    (StreakRisk(1, 0, F(1, 2)), "streak >= 1"),
    (StreakRisk(1, 1, 2), "0 < delta < 1"),
]


@pytest.mark.parametrize(("theorem", "hypothesis"), REFUSED)
def test_a_false_hypothesis_is_refused_by_name(theorem: RiskBound, hypothesis: str) -> None:
    with pytest.raises(HypothesisError) as caught:
        theorem.max_risk()
    assert caught.value.hypothesis == hypothesis

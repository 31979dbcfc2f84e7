"""Risk against an expert, risk of averaged forecasts, and mistakes from logarithmic losses."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as learners
from tests.theory.exact_failures import at_most
from thresher.errors import HypothesisError
from thresher.theory import (
    AverageForecastRisk,
    LogarithmicLoss,
    MeanRiskHoeffding,
    MixtureOfExperts,
    RiskDifference,
)

F = Fraction
SURE = math.log1p(math.exp(8))


def failure_of_difference(T: int, delta: float, shrink: float = 1.0) -> float:
    """The worst probability of failure when learner and expert always disagree.

    The learner errs in M of T rounds, the expert in the others; the difference of the risks is
    2p - 1, and fails to be bounded for few mistakes: worst for a p just above a bound.
    """
    worst = 0.0
    for m in range(T + 1):
        bound = float(RiskDifference(m, T - m, T, delta).bound())
        deviation = bound - (2 * m - T) / T
        p = ((2 * m - T) / T + deviation * shrink + 1) / 2 * (1 + 1e-12)
        if p < 1:
            worst = max(worst, at_most(m, T, p))
    return worst


@pytest.mark.parametrize("delta", [0.57, 0.2, 0.05])
@pytest.mark.parametrize("T", [1, 3, 20])
def test_the_difference_fails_no_more_often_than_delta(T: int, delta: float) -> None:
    assert failure_of_difference(T, delta) <= delta
    assert failure_of_difference(T, delta, shrink=0.0) > delta


def test_the_difference_fails_with_82_percent_of_delta_in_one_round() -> None:
    assert 0.82 * 0.57 < failure_of_difference(1, 0.57) <= 0.57


def test_a_learner_and_its_expert_that_disagree_are_one_coin() -> None:
    """Mistakes of the one are successes of the other: twice the bound for the learner alone."""
    for m, T in [(3, 10), (0, 5), (7, 7)]:
        alone = float(MeanRiskHoeffding(m, T, F(1, 20)).bound())
        both = float(RiskDifference(m, T - m, T, F(1, 20)).bound())
        assert both == pytest.approx(2 * alone - 1)


def test_values_of_the_difference_by_hand() -> None:
    assert RiskDifference(3, 5, 8, math.exp(-4)).bound() == pytest.approx(-0.25 + 1)
    ten = RiskDifference(3, 5, 8, F(1, 2), experts=10)
    assert ten.bound() == RiskDifference(3, 5, 8, F(1, 20)).bound()
    assert RiskDifference(0, 9000, 10_000, F(1, 2)).max_risk() < 0


def test_ten_experts_at_once_fail_no_more_often_than_delta() -> None:
    rng = np.random.default_rng(3)
    T, N, delta = 40, 10, 0.3
    wrong = rng.random((4000, T, N + 1)) < np.linspace(0.2, 0.6, N + 1)
    errors = wrong.sum(axis=1)
    slack = float(RiskDifference(0, 0, T, delta, N).bound())
    true = np.linspace(0.2, 0.6, N + 1)
    failed = (true[0] - true[1:] > (errors[:, :1] - errors[:, 1:]) / T + slack).any(axis=1)
    assert failed.mean() <= delta


def failure_of_average(T: int, delta: float, largest: float, shrink: float = 1.0) -> float:
    """The worst failure for a forecaster as sure as it may be, wrong with probability p."""
    least = -math.log1p(-math.exp(-largest))
    worst = 0.0
    for m in range(T + 1):
        loss = m * largest + (T - m) * least
        bound = float(AverageForecastRisk(loss, T, delta, largest).bound())
        reached = loss / T + (bound - loss / T) * shrink
        p = (reached - least) / (largest - least) * (1 + 1e-12)
        if p < 1:
            worst = max(worst, at_most(m, T, p))
    return worst


@pytest.mark.parametrize("delta", [0.57, 0.2, 0.05])
@pytest.mark.parametrize("T", [1, 3, 20])
def test_averaged_forecasts_fail_no_more_often_than_delta(T: int, delta: float) -> None:
    assert failure_of_average(T, delta, 8.0) <= delta
    assert failure_of_average(T, delta, 8.0, shrink=0.0) > delta


def test_a_sure_forecaster_fails_with_82_percent_of_delta_in_one_round() -> None:
    assert 0.82 * 0.57 < failure_of_average(1, 0.57, 8.0) <= 0.57


@given(st.lists(st.floats(0.01, 0.99), min_size=1, max_size=20), st.floats(0, 1))
def test_the_average_forecast_has_at_most_the_average_loss(said: list[float], p: float) -> None:
    """Jensen, on a coin that shows +1 with probability p."""
    mean = math.fsum(said) / len(said)

    def risk(q: float) -> float:
        return -p * math.log(q) - (1 - p) * math.log(1 - q)

    assert risk(mean) <= math.fsum(map(risk, said)) / len(said) + 1e-12
    # The likelier label of the average is wrong with at most 1/ln 2 times that probability.
    error = 1 - p if mean >= 0.5 else p
    assert error <= risk(mean) / math.log(2) + 1e-12


def test_values_of_averaged_forecasts_by_hand() -> None:
    theorem = AverageForecastRisk(12, 8, math.exp(-4), 3)
    assert theorem.bound() == pytest.approx(1.5 + 3 * 0.5)
    assert theorem.max_risk() == pytest.approx(3.0)
    assert theorem.max_error() == 1.0
    small = AverageForecastRisk(0, 1, F(1, 2), F(1, 100))
    assert small.max_error() == pytest.approx(0.01 * math.sqrt(math.log(2) / 2) / math.log(2))


def test_a_committee_never_loses_more_than_its_bound_says_a_round_can() -> None:
    """Log-odds are kept within 8, so that no loss exceeds ln(1 + e^8) < 8.000336."""
    assert SURE < 8.000336
    rng = np.random.default_rng(1)
    learner = learners.Committee(3)
    before = 0.0
    largest = 0.0
    for t in range(600):
        x = rng.choice([0.0, 1.0], 3)
        y = 1 if x[0] else -1
        learner.learn([x], [-y if t % 200 == 199 else y])
        largest = max(largest, learner.log_loss - before)
        before = learner.log_loss
    assert 3 < largest <= SURE + 1e-9
    theorem = AverageForecastRisk(learner.log_loss, 600, F(1, 20), 8.000336)
    assert learner.log_loss / 600 < theorem.max_risk() < 1


def test_mistakes_are_at_most_the_loss_in_bits() -> None:
    assert LogarithmicLoss(0).max_mistakes() == 0
    assert LogarithmicLoss(math.nextafter(3 * math.log(2), 9)).max_mistakes() == 3
    assert LogarithmicLoss(math.nextafter(3 * math.log(2), 0)).max_mistakes() == 2
    assert LogarithmicLoss(7.5).bound() == pytest.approx(7.5 / math.log(2), rel=1e-15)


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.sampled_from([-1, 1])), max_size=30))
def test_no_forecaster_errs_more_often_than_its_loss_allows(
    rounds: list[tuple[float, int]],
) -> None:
    mistakes = sum((1 if p >= 0.5 else -1) != y for p, y in rounds)
    loss = math.fsum(-math.log(p if y > 0 else 1 - p) for p, y in rounds)
    assert mistakes <= LogarithmicLoss(loss * (1 + 1e-12)).max_mistakes()


def test_the_chain_of_a_committee() -> None:
    """M ln 2 <= L_mix <= L_e + ln(1/prior) + ln T, with every step rounded the safe way."""
    rng = np.random.default_rng(2)
    x = rng.normal(size=(300, 3))
    y = np.where(x[:, 0] + 0.5 * rng.normal(size=300) > 0, 1, -1)
    learner = learners.Committee(3)
    mistakes = learner.learn(x, y).mistakes
    own = LogarithmicLoss(learner.log_loss).max_mistakes()
    for expert in learner.members:
        theorem = MixtureOfExperts(expert.log_loss, expert.prior, 300)
        assert mistakes <= own <= theorem.max_mistakes()
        assert learner.log_loss <= theorem.max_loss()
        exact = F(expert.log_loss) + F(math.log(300 / expert.prior))
        assert F(theorem.max_loss()) == pytest.approx(exact, rel=1e-15)


def test_a_false_hypothesis_is_refused_by_name() -> None:
    with pytest.raises(HypothesisError, match="expert_mistakes <= rounds"):
        RiskDifference(1, 9, 5, 0.1).max_risk()
    with pytest.raises(HypothesisError, match="experts >= 1"):
        RiskDifference(1, 1, 5, 0.1, experts=0).max_risk()
    with pytest.raises(HypothesisError, match="loss <= rounds"):
        AverageForecastRisk(9, 2, 0.1, 4).max_risk()
    with pytest.raises(HypothesisError, match="0 < delta < 1"):
        AverageForecastRisk(1, 2, 0, 4).max_risk()

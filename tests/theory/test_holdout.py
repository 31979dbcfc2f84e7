"""Held-out rows: the binomial tail enclosed, its inverse, and how often the bound fails."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from tests.theory.exact_failures import at_most, worst_failure
from thresher.errors import HypothesisError
from thresher.theory import HoldoutRisk, MeanRiskHoeffding, MeanRiskKl
from thresher.theory.risk.binomial_tail import at_most as enclosed
from thresher.theory.risk.binomial_tail import ln_factorial

F = Fraction
DELTAS = [F(1, 2), F(1, 5), F(1, 20)]


def exactly_at_most(k: int, n: int, p: F) -> F:
    return sum((math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1)), F(0))


@pytest.mark.parametrize("digits", [40, 80])
@pytest.mark.parametrize("n", [0, 1, 255, 256, 257, 1000, 5000])
def test_the_logarithm_of_a_factorial_is_enclosed(n: int, digits: int) -> None:
    low, high = ln_factorial(n).enclose(digits)
    terms = [math.log(i) for i in range(2, n + 1)]
    assert float(low) == pytest.approx(math.fsum(terms), rel=1e-14)
    assert low <= high
    assert high - low < 10**-30
    if n > 0:
        # (n + 1)! = (n + 1) n!: neighbours on both sides of where the series begins agree.
        above, below = ln_factorial(n + 1).enclose(digits), ln_factorial(n).enclose(digits)
        step = F(above[1]) - F(below[0]), F(above[0]) - F(below[1])
        assert step[1] <= F(math.log(n + 1)) + F(1, 10**12)
        assert step[0] >= F(math.log(n + 1)) - F(1, 10**12)


@pytest.mark.parametrize(
    ("k", "n", "p"),
    [(1, 4, F(1, 2)), (0, 3, F(1, 3)), (20, 40, F(3, 10)), (300, 700, F(1, 2)), (6, 7, F(9, 10))],
)
def test_the_tail_encloses_the_exact_sum(k: int, n: int, p: F) -> None:
    exact = exactly_at_most(k, n, p)
    for digits in (40, 80):
        low, high = enclosed(k, n, p).enclose(digits)
        assert F(low) <= exact <= F(high)
        assert F(high) - F(low) <= exact / 10**30


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("T", [1, 2, 9, 30])
def test_it_fails_with_delta_and_not_more(T: int, delta: F) -> None:
    bounds = [float(HoldoutRisk(m, T, delta).bound()) for m in range(T + 1)]
    failure, _ = worst_failure(bounds.__getitem__, T)
    assert failure <= delta * F(1 + 1e-9)
    for m in range(T):
        assert at_most(m, T, bounds[m]) == pytest.approx(float(delta), rel=1e-9)
    halved, _ = worst_failure(lambda m: bounds[m] / 2, T)
    assert halved > delta


@pytest.mark.parametrize("delta", [F(1, 100), F(1, 2), F(9, 10)])
def test_the_value_is_the_smallest_on_its_grid_that_is_refuted(delta: F) -> None:
    for m, T in [(1, 2), (3, 12), (11, 12)]:
        bound = F(HoldoutRisk(m, T, delta).bound())
        assert exactly_at_most(m, T, bound) < delta
        assert exactly_at_most(m, T, bound - F(1, 2**64)) >= delta


def test_values_by_hand() -> None:
    assert HoldoutRisk(0, 1, F(1, 20)).bound() == pytest.approx(0.95)
    assert HoldoutRisk(0, 2, F(1, 4)).bound() == pytest.approx(0.5)
    assert HoldoutRisk(5, 5, F(1, 20)).bound() == 1
    # 1 - p^2 = 1/4 and, by symmetry of the coin, 1/2 for one of two at p = sqrt(1/2).
    assert HoldoutRisk(1, 2, F(1, 4)).max_risk() == pytest.approx(math.sqrt(3) / 2, rel=1e-15)
    # Quantiles of the beta distribution, as R's binom.test gives them.
    assert HoldoutRisk(5019, 32561, F(1, 20)).max_risk() == pytest.approx(0.1574710474909404)
    assert HoldoutRisk(160_000, 10**6, F(1, 20)).max_risk() == pytest.approx(0.16060424036330645)


def test_it_is_below_every_bound_for_a_stream() -> None:
    for m, T in [(0, 50), (5, 50), (300, 2000), (49, 50)]:
        held = HoldoutRisk(m, T, F(1, 20)).max_risk()
        assert held < MeanRiskKl(m, T, F(1, 20)).max_risk()
        assert held < MeanRiskHoeffding(m, T, F(1, 20)).max_risk()


def test_more_mistakes_mean_more_risk_and_more_rows_less() -> None:
    risks = [HoldoutRisk(m, 20, F(1, 10)).max_risk() for m in range(21)]
    assert risks == sorted(risks)
    longer = [HoldoutRisk(2, T, F(1, 10)).max_risk() for T in range(2, 30)]
    assert longer == sorted(longer, reverse=True)


@pytest.mark.parametrize(
    ("m", "T", "delta", "says"),
    [(0, 0, 0.1, "rounds >= 1"), (3, 2, 0.1, "mistakes <= rounds"), (0, 2, 1, "0 < delta < 1")],
)
def test_a_false_hypothesis_is_refused_by_name(m: int, T: int, delta: float, says: str) -> None:
    with pytest.raises(HypothesisError, match=says):
        HoldoutRisk(m, T, delta).max_risk()

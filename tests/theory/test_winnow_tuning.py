"""The steps and thresholds that make Winnow's guarantee smallest."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from thresher.errors import ParameterError
from thresher.theory import WinnowAnyThreshold, optimal_beta, optimal_threshold
from thresher.theory.winnow.tuning import BEST_FACTOR_FOR_MANY_FEATURES

F = Fraction


@pytest.mark.parametrize(("d", "by_two", "best"), [(100, 19, 16), (1024, 28, 24), (10**6, 58, 49)])
def test_the_best_step_saves_what_it_should(d: int, by_two: int, best: int) -> None:
    beta = optimal_beta(d)
    assert WinnowAnyThreshold(d, 1, 1, d).max_mistakes() == by_two
    assert WinnowAnyThreshold(d, 1, beta, d).max_mistakes() == best
    for hundredths in range(5, 600, 5):
        other = WinnowAnyThreshold(d, 1, F(hundredths, 100), d).max_mistakes()
        assert best <= other


@pytest.mark.parametrize(
    ("d", "r", "plain", "known", "best", "at"),
    [
        (1024, 4, 112, 91, 75, (3, 64)),
        (1024, 16, 448, 273, 223, (3, 16)),
        (10**5, 10, 484, 396, 322, (F(5, 2), 6250)),
    ],
)
def test_a_known_number_of_relevant_features_saves_what_it_should(
    d: int, r: int, plain: int, known: int, best: int, at: tuple[Fraction, int]
) -> None:
    theta = optimal_threshold(d, r, 1)
    assert theta == pytest.approx(0.4621 * d / r, rel=1e-4)
    assert WinnowAnyThreshold(d, r, 1, d).max_mistakes() == plain
    assert WinnowAnyThreshold(d, r, 1, theta).max_mistakes() == known
    assert WinnowAnyThreshold(d, r, *at).max_mistakes() == best


def test_the_best_factor_solves_its_equation() -> None:
    alpha = BEST_FACTOR_FOR_MANY_FEATURES
    assert alpha * math.log(alpha) == pytest.approx(1 + alpha, rel=1e-15)
    assert (1 + alpha) / math.log(alpha) == pytest.approx(alpha, rel=1e-15)


def test_tuning_needs_something_to_tune() -> None:
    with pytest.raises(ParameterError, match="threshold must be above 1"):
        optimal_beta(8, 1, threshold=1)
    with pytest.raises(ParameterError, match="relevant must be at least 1"):
        optimal_threshold(8, 0)

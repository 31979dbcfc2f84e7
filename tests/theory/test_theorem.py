"""What all theorems share: exact quantities, refusal, rounding."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from thresher.errors import HypothesisError, ParameterError, ThresherError
from thresher.theory import (
    MeanRiskHoeffding,
    NormalizedWinnowRate,
    Novikoff,
    ParameterMixing,
    WinnowComparator,
    WinnowDisjunction,
)
from thresher.theory.enclosure import ln
from thresher.theory.theorem import at_most, below, shown


def test_a_float_is_kept_as_the_fraction_it_denotes() -> None:
    half = np.float32(0.5)
    theorem = Novikoff(radius_squared=0.1, comparator_norm_squared=half, margin=1)  # type: ignore[arg-type]
    assert theorem.radius_squared == Fraction(0.1) != Fraction(1, 10)
    assert theorem.comparator_norm_squared == Fraction(1, 2)
    assert type(theorem.margin) is Fraction


def test_numpy_integers_become_plain_ones_that_cannot_overflow() -> None:
    large = np.int64(2**62)
    assert Novikoff(large, large, 1).bound() == 2**124  # type: ignore[arg-type]
    assert type(WinnowDisjunction(np.int32(8), 2).n_features) is int  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-1, "Novikoff: radius_squared must be a finite number, at least 0, found -1."),
        (float("nan"), "Novikoff: radius_squared must be a finite number, at least 0, found nan."),
        (float("inf"), "Novikoff: radius_squared must be a finite number, at least 0, found inf."),
    ],
)
def test_a_quantity_that_cannot_be_is_refused_by_name(value: float, message: str) -> None:
    with pytest.raises(ParameterError) as caught:
        Novikoff(value, 1, 1)
    assert str(caught.value) == message


@pytest.mark.parametrize("count", [-1, 1.5, float("nan")])
def test_a_count_is_a_whole_number(count: float) -> None:
    with pytest.raises(ParameterError, match="relevant must be a whole number, at least 0"):
        WinnowDisjunction(8, count)  # type: ignore[arg-type]


def test_weights_are_sorted_cleaned_and_never_negative() -> None:
    theorem = WinnowComparator(4, [0, 0.5, 1], rho=0, beta=1, threshold=4)
    assert theorem.comparator == (Fraction(1), Fraction(1, 2))
    with pytest.raises(ParameterError, match="comparator must be finite numbers, each at least 0"):
        WinnowComparator(4, [1, -1], rho=0, beta=1, threshold=4)


def test_a_theorem_cannot_be_changed_and_equal_ones_are_equal() -> None:
    theorem = Novikoff(1, 5, 1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        theorem.margin = 2  # type: ignore[misc]
    assert theorem == Novikoff(Fraction(1), 5.0, 1)
    assert hash(theorem) == hash(Novikoff(1, 5, 1))
    assert dataclasses.replace(theorem, margin=2).bound() == Fraction(5, 4)


def test_a_false_hypothesis_is_refused_with_its_name_and_the_measured_value() -> None:
    theorem = Novikoff(1, 5, Fraction(-1, 4))
    assert [h.holds for h in theorem.hypotheses()] == [False]
    assert not theorem.applies()
    for asked in (theorem.bound, theorem.max_mistakes, theorem.limit):
        with pytest.raises(HypothesisError) as caught:
            asked()
        assert str(caught.value) == "Novikoff does not apply: it needs margin > 0, measured -1/4."
        assert caught.value.hypothesis == "margin > 0"
        assert caught.value.measured == "-1/4"
        assert isinstance(caught.value, ThresherError)


def test_long_fractions_are_shown_as_decimals() -> None:
    assert shown(Fraction(-0.1)) == "-0.1"
    assert shown(Fraction(1, 3)) == "1/3"
    assert shown(7) == "7"


def test_rounding_distinguishes_may_be_reached_from_may_not() -> None:
    assert at_most(Fraction(4)).largest_integer() == 4
    assert below(Fraction(4)).largest_integer() == 3
    assert at_most(Fraction(9, 2)).largest_integer() == 4
    assert below(Fraction(9, 2)).largest_integer() == 4
    assert at_most(ln(100)).largest_integer() == 4
    assert below(ln(100)).largest_integer() == 4
    assert at_most(Fraction(-3)).largest_integer() == 0
    assert below(Fraction(0)).largest_integer() == 0


def test_rational_bounds_are_fractions_and_irrational_ones_floats_from_above() -> None:
    assert Novikoff(1, 5, 2).bound() == Fraction(5, 4)
    irrational = NormalizedWinnowRate(n_features=100, margin=0.1, radius=1, eta=0.1)
    assert isinstance(irrational.bound(), float)
    assert irrational.limit().largest_integer() <= irrational.bound()


def test_what_was_measured_can_be_quoted() -> None:
    theorem = NormalizedWinnowRate(8, Fraction(1, 4), 1, eta=Fraction(1, 4))
    assert theorem.measured() == {
        "n_features": 8,
        "margin": Fraction(1, 4),
        "radius": 1,
        "comparator_norm": 1,
        "comparator": (),
        "eta": Fraction(1, 4),
    }
    assert set(theorem.quantities()) == set(theorem.measured())
    assert type(theorem)(**theorem.measured()) == theorem  # type: ignore[arg-type]
    mixed = ParameterMixing(sequential=Novikoff(1, 5, 1), shards=2)
    assert mixed.measured() == {
        "shards": 2,
        "sequential": "Novikoff",
        "radius_squared": 1,
        "comparator_norm_squared": 5,
        "margin": 1,
    }


def test_a_risk_is_never_above_one() -> None:
    assert MeanRiskHoeffding(mistakes=5, rounds=5, delta=0.5).bound() > 1
    assert MeanRiskHoeffding(mistakes=5, rounds=5, delta=0.5).max_risk() == 1.0


@pytest.mark.parametrize("wrong", ["2", "0.5", "1/2", True, False, None, 1j])
def test_a_text_or_a_truth_value_is_no_quantity(wrong: Any) -> None:
    with pytest.raises(ParameterError, match="n_features must be a whole number"):
        WinnowDisjunction(wrong, 1)
    with pytest.raises(ParameterError, match="margin must be a finite number"):
        Novikoff(1, 1, wrong)
    with pytest.raises(ParameterError, match="radius_squared must be a finite number, at least 0"):
        Novikoff(wrong, 1, 1)

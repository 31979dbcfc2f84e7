"""Enclosures contain the number, shrink, and round to the integer that is proven."""

from __future__ import annotations

import math
from decimal import Decimal, Inexact, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.theory.enclosure import (
    Real,
    StraddlesZeroError,
    ceil,
    exp,
    float_above,
    floor,
    is_positive,
    ln,
    log2,
    pi,
    real,
    sqrt,
    total,
)

positive = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6)
any_fraction = st.fractions(min_value=-(10**6), max_value=10**6)


def contains(value: Real, exact: Fraction, digits: int = 40) -> bool:
    low, high = value.enclose(digits)
    return Fraction(low) <= exact <= Fraction(high)


@given(any_fraction, any_fraction)
def test_arithmetic_encloses_the_exact_result(a: Fraction, b: Fraction) -> None:
    assert contains(real(a) + b, a + b)
    assert contains(real(a) - b, a - b)
    assert contains(a - real(b), a - b)
    assert contains(real(a) * b, a * b)
    if b:
        assert contains(real(a) / b, a / b)
        assert contains(a / real(b), a / b)


@given(positive)
def test_functions_enclose_what_floats_approximate(x: Fraction) -> None:
    for enclosed, approximate in [
        (ln(x), math.log(x)),
        (real(1) * sqrt(x), math.sqrt(x)),
        (exp(-x / 10**4), math.exp(-x / 10**4)),
    ]:
        low, high = enclosed.enclose(40)
        assert float(low) == pytest.approx(approximate, rel=1e-12, abs=1e-14)
        assert float(high) == pytest.approx(approximate, rel=1e-12, abs=1e-14)


@given(positive)
def test_exp_undoes_ln_and_a_root_squares_back(x: Fraction) -> None:
    assert contains(exp(ln(x)), x)
    root = sqrt(x)
    assert contains(real(root) * root, x)


@given(positive)
def test_more_digits_never_leave_the_wider_enclosure(x: Fraction) -> None:
    wide, narrow = ln(x).enclose(40), ln(x).enclose(80)
    assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]


def test_squares_of_fractions_have_exact_roots_and_others_do_not() -> None:
    assert sqrt(Fraction(9, 4)) == Fraction(3, 2)
    assert isinstance(sqrt(2), Real)
    assert isinstance(sqrt(Fraction(4, 3)), Real)


def test_the_logarithm_of_one_and_of_powers_of_two_is_exact() -> None:
    assert ln(1).enclose(40) == (Decimal(0), Decimal(0))
    assert log2(2**70) == 70
    assert isinstance(log2(2**70 + 1), Real)


def test_pi_lies_between_archimedes_and_better_bounds() -> None:
    low, high = pi().enclose(40)
    assert float(low) == float(high) == math.pi
    assert Fraction(high) - Fraction(low) == Fraction(1, 10**80)


def test_floor_decides_where_a_float_cannot() -> None:
    """10^17 - 1/2 plus an irrational epsilon: the float is 10^17."""
    value = ln(2) / 10**20 + (10**17 - Fraction(1, 2))
    assert math.floor(10**17 - 0.5 + math.log(2) / 10**20) == 10**17
    assert floor(value) == 10**17 - 1
    assert ceil(value) == 10**17


def test_a_value_just_beside_an_integer_is_rounded_to_the_right_side() -> None:
    nearly = 3 - ln(2) / 10**100
    assert floor(nearly) == 2
    assert ceil(nearly) == 3
    above = 3 + ln(2) / 10**100
    assert floor(above) == 3
    assert ceil(above) == 4


def test_an_undecidable_tie_is_rounded_so_that_an_upper_bound_stays_true() -> None:
    assert floor(ln(8) / ln(2)) == 3
    assert ceil(ln(8) / ln(2)) >= 3


@given(any_fraction)
def test_a_float_above_is_above_and_near(x: Fraction) -> None:
    for value in (x, real(x)):
        above = Fraction(float_above(value))
        assert above >= x
        assert above <= x + 4 * Fraction(math.ulp(float(x)))


def test_signs_are_proven_and_zero_is_not_positive() -> None:
    assert is_positive(ln(2) - Fraction(693147, 10**6))
    assert not is_positive(ln(2) - Fraction(693148, 10**6))
    assert not is_positive(ln(2) - ln(2))
    assert is_positive(Fraction(1, 10**400))
    assert not is_positive(0)
    assert not is_positive(1 / (ln(2) - ln(2)))


def test_a_divisor_that_may_be_zero_is_refused() -> None:
    with pytest.raises(StraddlesZeroError):
        (real(1) / (ln(2) - ln(2))).enclose(40)
    with pytest.raises(StraddlesZeroError):
        ln(ln(2) - ln(2)).enclose(40)


def test_cancellation_is_answered_with_more_digits() -> None:
    tiny = exp(Fraction(1, 10**60)) - 1
    assert floor(tiny * 10**60) == 1
    assert floor(1 / tiny) == 10**60 - 1
    assert float_above(tiny) == pytest.approx(1e-60, rel=1e-15)


def test_sums_add_everything_and_a_real_shows_its_value() -> None:
    assert contains(total([Fraction(1, 3)] * 3), Fraction(1))
    assert contains(-real(Fraction(1, 3)), Fraction(-1, 3))
    assert repr(real(Fraction(1, 2))) == "Real(0.5)"
    assert total([]).enclose(40) == (Decimal(0), Decimal(0))


def test_the_callers_decimal_settings_change_nothing() -> None:
    def values() -> list[object]:
        real_numbers = (pi(), ln(3) / ln(7), exp(Fraction(1, 3)), -pi() + 3)
        return [(r.enclose(40), floor(r), ceil(r), float_above(r)) for r in real_numbers]

    expected = values()
    with localcontext() as context:
        context.prec = 2
        context.traps[Inexact] = True
        assert values() == expected

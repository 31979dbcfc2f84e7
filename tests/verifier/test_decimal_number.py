from __future__ import annotations

import math
import random
import struct
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import decimal_number as reference
from thresher.verifier.compiled.decimal_number import read_decimal

finite = st.floats(allow_nan=False, allow_infinity=False)
digits = st.text("0123456789", max_size=30)


def assert_read_alike(text: str) -> None:
    value, length = read_decimal(text.encode())
    expected, whole = reference.read_decimal(text.encode())
    assert value is not None
    assert expected is not None
    assert length == whole
    assert struct.pack("d", value) == struct.pack("d", expected), text


@given(st.text("0123456789.+-eE_ naifx\0", max_size=30).map(str.encode))
def test_what_is_a_number_and_where_it_ends_is_as_in_the_slow_twin(text: bytes) -> None:
    assert read_decimal(text) == reference.read_decimal(text)


@given(st.binary(max_size=12))
def test_any_bytes_are_read_as_the_slow_twin_reads_them(text: bytes) -> None:
    assert read_decimal(text) == reference.read_decimal(text)


@given(finite, st.integers(0, 25))
@settings(max_examples=300)
def test_floats_are_read_back_and_any_number_of_their_digits_is_rounded_once(
    value: float, n: int
) -> None:
    assert read_decimal(repr(value).encode()) == (value, len(repr(value)))
    assert_read_alike(f"{value:.{n}e}")


@given(st.sampled_from(["", "+", "-"]), digits, digits, st.integers(-60, 60))
@settings(max_examples=500)
def test_digits_and_a_power_of_ten_are_rounded_once(
    sign: str, whole: str, part: str, power: int
) -> None:
    assert_read_alike(f"{sign}{whole or '0'}.{part}e{power}")


@given(st.integers(1, 2**64 - 1), st.integers(-30, 30))
@settings(max_examples=1000)
def test_nineteen_digits_and_small_powers_are_rounded_once(whole: int, power: int) -> None:
    assert_read_alike(f"{whole}e{power}")


@pytest.mark.parametrize("power", [-27, -26, -25, -20, 20, 27])
def test_a_division_that_leaves_a_rest_is_not_taken_for_the_middle(power: int) -> None:
    """One quotient in 4,096 ends like a middle; only the rest tells that it lies above it."""
    chance = random.Random(power)
    for _ in range(20_000):
        text = f"{chance.randrange(10**18, 10**19)}e{power}"
        assert read_decimal(text.encode())[0] == float(text), text


@given(st.integers(2**53, 2**62), st.integers(0, 8), st.integers(-1, 1))
@settings(max_examples=500)
def test_the_middle_between_two_doubles_goes_to_the_even_one(n: int, places: int, off: int) -> None:
    """Written with few digits, so that whole numbers of 128 bits decide."""
    value = float(n)
    middle = (Fraction(value) + Fraction(math.nextafter(value, math.inf))) / 2
    assert middle.denominator == 1
    shifted = int(middle) + off
    assert_read_alike(f"{shifted}")
    assert_read_alike(f"{shifted}{'0' * places}e-{places}")


@pytest.mark.parametrize(
    "text",
    [
        *("0", "-0", "0e999999999999999999999", "1e-400", "1e400", "-1e400", "4.9e-324"),
        *("2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308"),
        *("1.7976931348623157e308", "1.7976931348623159e308", "9007199254740992"),
        *("9007199254740993", "9007199254740993.0000000000000000000000001", "8.5e22", "1e23"),
        *("18446744073709551615", "18446744073709551616", "9999999999999999999e27", "1e27", "1e28"),
        *("1e-27", "1e-28", "9999999999999999999e-27", "0." + "0" * 400 + "1e401", "0" * 50 + "1"),
        *(
            "1" + "0" * 400 + "e-400",
            "1." + "0" * 60,
            "6929495644600919.5",
            "7.3177701707893310e15",
        ),
    ],
)
def test_hard_cases_are_read_as_the_slow_twin_reads_them(text: str) -> None:
    assert_read_alike(text)


@pytest.mark.parametrize("text", [b"", b"+", b".", b"-.", b"e5", b"inf", b"nan", b"x1", b" 1"])
def test_what_is_no_number_is_refused(text: bytes) -> None:
    assert read_decimal(text) == (None, 0)


def test_the_number_of_digits_has_no_limit() -> None:
    third = b"0." + b"3" * 100_000
    assert read_decimal(third) == (1 / 3, len(third))

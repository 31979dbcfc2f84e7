from __future__ import annotations

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.reference import number as reference
from thresher.kernels.scanning.number import read_number

finite = st.floats(allow_nan=False, allow_infinity=False)
digits = st.text("0123456789", max_size=45)


def bits(value: float) -> bytes:
    return struct.pack("d", value)


def assert_read_like_python(text: str) -> None:
    value, length = read_number(text.encode())
    assert value is not None
    assert length == len(text)
    assert bits(value) == bits(float(text)), text


@given(st.text("0123456789.+-eE_ naifx\0", max_size=30).map(str.encode))
def test_what_is_a_number_and_where_it_stops_is_as_in_the_slow_twin(text: bytes) -> None:
    assert read_number(text) == reference.read_number(text)


@given(st.binary(max_size=12))
def test_any_bytes_are_read_as_the_slow_twin_reads_them(text: bytes) -> None:
    assert read_number(text) == reference.read_number(text)


@given(finite)
def test_the_shortest_form_of_a_float_is_read_back(value: float) -> None:
    assert_read_like_python(repr(value))


@given(finite, st.integers(0, 40))
def test_any_number_of_digits_is_rounded_as_python_rounds_them(value: float, n: int) -> None:
    assert_read_like_python(f"{value:.{n}e}")


@given(st.sampled_from(["", "+", "-"]), digits, digits, st.integers(-400, 400))
@settings(max_examples=300)
def test_any_digits_and_exponent_are_read_as_python_reads_them(
    sign: str, whole: str, part: str, exponent: int
) -> None:
    assert_read_like_python(f"{sign}{whole or '0'}.{part}e{exponent}")


@given(st.floats(min_value=5e-324, max_value=1e308, allow_nan=False))
@settings(max_examples=300)
def test_the_middle_between_two_doubles_and_its_neighbours_go_where_python_sends_them(
    value: float,
) -> None:
    middle = (Fraction(value) + Fraction(math.nextafter(value, math.inf))) / 2
    # A middle is a whole number over a power of two, so it has a last decimal digit.
    power = middle.denominator.bit_length() - 1
    whole = middle.numerator * 5**power
    for near in (whole - 1, whole, whole + 1):
        assert_read_like_python(f"{near}e-{power}")
        assert_read_like_python(f"{near}00e-{power + 2}")


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "-0",
        "0e999999999999999999999",
        "1e-400",
        "1e400",
        "-1e400",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "4.9e-324",
        "2.4703282292062327e-324",
        "2.4703282292062328e-324",
        "2.2250738585072011e-308",
        "2.2250738585072014e-308",
        "1.7976931348623157e308",
        "1.7976931348623158e308",
        "1.7976931348623159e308",
        "9007199254740992",
        "9007199254740993",
        "9007199254740993.0000000000000000000000000000000001",
        "9007199254740992.9999999999999999999999999999999999",
        "8.5e22",
        "1e23",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999999999999999",
        "0." + "0" * 400 + "1e401",
        "1" + "0" * 400 + "e-400",
        "0" * 50 + "1",
        "1." + "0" * 60,
        "123456789012345678901234567890e-20",
        "7.3177701707893310e15",
        "6929495644600919.5",
        "3.5844466002796428e298",
    ],
)
def test_hard_cases_are_read_as_python_reads_them(text: str) -> None:
    assert_read_like_python(text)


@pytest.mark.parametrize("text", [b"", b"+", b".", b"-.", b"e5", b"inf", b"nan", b"x1", b" 1"])
def test_what_is_no_number_is_refused(text: bytes) -> None:
    assert read_number(text) == (None, 0)


@pytest.mark.parametrize(
    ("text", "value", "length"),
    [(b"1_0", 1.0, 1), (b"0x10", 0.0, 1), (b"1e", 1.0, 1), (b"1e+", 1.0, 1), (b"1.5.5", 1.5, 3)],
)
def test_a_number_stops_where_something_else_begins(text: bytes, value: float, length: int) -> None:
    assert read_number(text) == (value, length)


@example(100_000)
@given(st.integers(20, 2000))
@settings(max_examples=20)
def test_the_number_of_digits_has_no_limit(n: int) -> None:
    assert_read_like_python("1." + "3" * n)
    assert_read_like_python("0." + "0" * n + "7" * 25 + f"e{n}")

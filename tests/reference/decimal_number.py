"""Decimal numbers as the verifier reads them: fractions, rounded to the nearest double."""

from __future__ import annotations

import re
from fractions import Fraction
from math import copysign, inf

NUMBER = re.compile(rb"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?")


def read_decimal(text: bytes) -> tuple[float | None, int]:
    """The number at the start of some bytes and how long it is; (None, 0) if there is none."""
    found = NUMBER.match(text)
    assert found
    sign, whole, part, exponent = found.groups(b"")
    if not whole + part:
        return None, 0
    digits = int(b"0" + (whole + part).lstrip(b"0"))
    power = int(exponent or b"0") - len(part)
    return copysign(nearest(digits, power), -1.0 if sign == b"-" else 1.0), found.end()


def nearest(digits: int, power: int) -> float:
    """The double nearest to digits * 10^power; the division of fractions rounds once."""
    if not digits or len(str(digits)) + power < -330:
        return 0.0
    if len(str(digits)) + power > 330:
        return inf
    exact = digits * Fraction(10) ** power
    try:
        return exact.numerator / exact.denominator
    except OverflowError:
        return inf

"""Shares in words, rounded to the side on which a statement stays true."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

UP, DOWN = ROUND_CEILING, ROUND_FLOOR


def percent(share: float | Fraction, rounding: str) -> str:
    """A share in three digits.

    >>> percent(0.07311, UP), percent(Fraction(999999, 1000000), DOWN), percent(0.0, UP)
    ('7.32 %', '99.9 %', '0 %')
    """
    return f"{rounded(Fraction(share) * 100, rounding)} %"


def rounded(number: Fraction, rounding: str) -> str:
    """A number in three digits."""
    context = Context(prec=3, rounding=rounding)
    found = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{found.normalize():f}"

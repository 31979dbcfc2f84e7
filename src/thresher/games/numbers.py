"""Exact numbers: what a caller may write for a rational, and the fraction it means."""

from __future__ import annotations

from fractions import Fraction

from thresher.errors import ParameterError
from thresher.parameters import as_written

Number = int | float | Fraction | str


def exact(whose: str, name: str, number: Number) -> Fraction:
    """The fraction that `number` is, with no rounding.

    A float means its binary value, which for 0.1 is slightly more than one tenth; write
    ``Fraction(1, 10)``, ``"0.1"`` or ``"1/10"`` to mean one tenth.

    >>> exact("a game", "margin", "0.1"), exact("a game", "margin", 0.25)
    (Fraction(1, 10), Fraction(1, 4))
    >>> exact("a game", "margin", 0.1) > Fraction(1, 10)
    True
    """
    # A text with nine digits in its exponent is a number that no memory holds.
    value = as_written(number)
    try:
        if isinstance(value, str):
            raise ValueError
        return Fraction(value)
    except (ValueError, OverflowError, TypeError, ZeroDivisionError):
        raise ParameterError(whose, name, "a finite number", number) from None


def positive(whose: str, name: str, number: Number) -> Fraction:
    """The fraction that `number` is, refused unless it is above zero."""
    fraction = exact(whose, name, number)
    if fraction <= 0:
        raise ParameterError(whose, name, "above 0", number)
    return fraction


def whole(whose: str, name: str, number: int, least: int, most: int | None = None) -> int:
    """The integer `number`, refused unless it lies between `least` and `most`."""
    if number < least or (most is not None and number > most):
        limits = f"at least {least}" if most is None else f"between {least} and {most}"
        raise ParameterError(whose, name, limits, number)
    return number


def promotions(factor: Fraction, threshold: Fraction) -> int:
    """The smallest K >= 0 with ``factor**K >= threshold``, by multiplication, not logarithms.

    >>> promotions(Fraction(2), Fraction(8)), promotions(Fraction(2), Fraction(9))
    (3, 4)
    """
    count, weight = 0, Fraction(1)
    while weight < threshold:
        weight *= factor
        count += 1
    return count

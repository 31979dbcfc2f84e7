"""Signs of sums of powers, exactly: how the slow twins compare a score with a threshold.

A sum of x * b**e, with x and e fractions, is zero only if it is zero after terms with equal
exponents are joined, when b is e (Lindemann and Weierstrass). A rational b with exponents
that differ by whole numbers is a matter of fractions. What is left, a rational b under
fractional exponents, is taken for zero when 1,200 digits show nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction

Term = tuple[Fraction, Fraction]


def sign_of_sum(base: Fraction | None, terms: Iterable[Term]) -> int:
    """-1, 0 or 1: the sign of the sum of x * base**e over pairs (x, e); None stands for e."""
    joined: dict[Fraction, Fraction] = {}
    for x, e in terms:
        joined[e] = joined.get(e, Fraction(0)) + x
    left = {e: x for e, x in joined.items() if x}
    if not left:
        return 0
    for digits in (70, 1200):
        sign = _sign_in_decimals(base, left, digits)
        if sign or digits == 1200:
            return sign
        total = None if base is None else _polynomial(base, left)
        if total is not None:
            return (total > 0) - (total < 0)
    raise AssertionError("not reached")


def _polynomial(base: Fraction, terms: dict[Fraction, Fraction]) -> Fraction | None:
    """The sum divided by its lowest power, where exponents differ by modest whole numbers."""
    total = Fraction(0)
    above = max(terms)
    for e in sorted(terms, reverse=True):
        gap = above - e
        if total and (gap.denominator != 1 or gap * base.numerator.bit_length() > 10**6):
            return None
        total = total * base ** int(gap) + terms[e] if total else terms[e]
        above = e
    return total


def _sign_in_decimals(base: Fraction | None, terms: dict[Fraction, Fraction], digits: int) -> int:
    """The sign if it shows in so many digits, or 0."""
    with localcontext(Context(prec=digits + 30, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        rate = Decimal(1) if base is None else _decimal(base).ln()
        highest = max(terms)
        parts = [_decimal(x) * (rate * _decimal(e - highest)).exp() for e, x in terms.items()]
        total = sum(parts, Decimal(0))
        if abs(total) < sum(map(abs, parts), Decimal(0)).scaleb(-digits):
            return 0
        return 1 if total > 0 else -1


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)

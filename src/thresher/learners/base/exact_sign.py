"""Which side of the threshold a sum of powers is on, in exact arithmetic.

A multiplicative learner's score is a sum of terms x * b**z. Floating point decides almost
every comparison with the threshold; the kernels bring the others here. Values x and duals
z are doubles, hence exact fractions, and so are base and threshold:

* where all exponents differ by whole numbers and the base is rational, the sum is a
  polynomial with rational coefficients, evaluated exactly;
* powers of e with distinct rational exponents are linearly independent over the rationals
  (Lindemann 1882, Weierstrass 1885): such a sum is zero only if every coefficient is, so
  more digits always decide;
* a rational base under fractional exponents is evaluated to 1,000 digits. A sum that is
  still within them of the threshold is taken to be equal to it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from math import log, log1p
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

DIGITS = (50, 200, 1000)
LARGEST_EXACT_BITS = 4_000_000


@dataclass(frozen=True, slots=True)
class PowerBase:
    """The number whose powers are the weights: ``value ** per``, or ``e ** per``.

    >>> PowerBase(Fraction(3), Fraction(1, 2)).reaches([(1.0, 2.0), (-3.0, 0.0)], Fraction(0))
    True
    """

    value: Fraction | None
    per: Fraction = Fraction(1)

    def as_double(self) -> float | None:
        """The base as the nearest double; None for one with a root in it, or for a power of e."""
        return None if self.value is None or self.per != 1 else float(self.value)

    def reaches(self, terms: Iterable[tuple[float, float]], threshold: Fraction) -> bool:
        """Whether the sum of x * base**z over the terms (x, z) is at least the threshold."""
        coefficient: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        for x, z in terms:
            coefficient[Fraction(z) * self.per] += Fraction(x)
        coefficient[Fraction(0)] -= threshold
        ordered = [(e, c) for e, c in sorted(coefficient.items(), reverse=True) if c]
        return self._sign(ordered) >= 0

    def _sign(self, terms: list[tuple[Fraction, Fraction]]) -> int:
        """The sign of the sum of c * value**e, for terms (e, c) with e decreasing."""
        if not terms:
            return 0
        whole = all((e - terms[0][0]).denominator == 1 for e, _ in terms)
        if self.value is not None and whole:
            sign = _polynomial_sign(terms, self.value)
            if sign is not None:
                return sign
        for digits in DIGITS:
            sign = self._sign_to(terms, digits)
            if sign:
                return sign
        return 0

    def _sign_to(self, terms: list[tuple[Fraction, Fraction]], digits: int) -> int:
        """The sign of the sum if `digits` digits show it, otherwise 0."""
        with localcontext(Context(prec=digits + 40, Emax=MAX_EMAX, Emin=MIN_EMIN)):
            rate = Decimal(1) if self.value is None else _decimal(self.value).ln()
            top = terms[0][0]
            total = magnitude = Decimal(0)
            for e, c in terms:
                term = _decimal(c) * (rate * _decimal(e - top)).exp()
                total += term
                magnitude += abs(term)
            if abs(total) <= magnitude.scaleb(-digits):
                return 0
            return 1 if total > 0 else -1


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def _polynomial_sign(terms: list[tuple[Fraction, Fraction]], base: Fraction) -> int | None:
    """Horner's rule from the highest power down, stopping once the rest cannot matter.

    None when the numbers would grow past any use, which takes a base within 10^-6 of 1.
    """
    sum_so_far = Fraction(0)
    exponent = terms[0][0]
    rest = sum((abs(c) for _, c in terms), Fraction(0))
    for e, c in terms:
        gap = int(exponent - e)
        if sum_so_far:
            if gap * _log2(base) > _log2(rest) - _log2(abs(sum_so_far)) + 1:
                break
            if gap * base.numerator.bit_length() > LARGEST_EXACT_BITS:
                return None
            sum_so_far *= base**gap
        sum_so_far += c
        rest -= abs(c)
        exponent = e
    return (sum_so_far > 0) - (sum_so_far < 0)


def _log2(number: Fraction) -> float:
    """log2 of a positive fraction of any size, good to a few ulps; minus infinity for 0."""
    if number == 0:
        return float("-inf")
    shift = number.numerator.bit_length() - number.denominator.bit_length()
    scaled = number / Fraction(2) ** shift
    # log1p keeps the digits of a base just above 1.
    return shift + log1p(float(scaled - 1)) / log(2.0)

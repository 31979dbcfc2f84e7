"""The sign of a sum of powers, decided for certain.

A multiplicative learner compares a sum of x * b^z with a threshold; b is e or a fraction,
the x, the z and the threshold are fractions. Terms with equal exponents are added first.
What remains is decided as follows.

* Powers of e with distinct rational exponents are linearly independent over the rationals
  (Lindemann and Weierstrass), so the sum is zero only if no term remains.
* For a fraction u > 0 that is no perfect power, x^q - u has no factor over the rationals
  (Capelli), so 1, u^(1/q), ..., u^((q-1)/q) are linearly independent. Every b is u^k for
  such a u, and the sum is zero only if, for each fractional part of the exponents, the
  terms that share it sum to zero; that is a sum of fractions.
* A sum that is not zero is decided by digits, as many as it takes, with a bound on the
  rounding.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from functools import cached_property, lru_cache

#: Powers with more digits than this are left to the decimals, unless a tie is possible.
FEW_BITS = 20_000
#: Primes: a sum of fractions that is not zero modulo one of them is not zero.
PRIMES = (2**89 - 1, 2**127 - 1)


@dataclass(frozen=True)
class WeightBase:
    """The number whose powers are the weights: ``value ** per``, or ``e ** per``.

    >>> half = WeightBase(Fraction(4), Fraction(1, 2))
    >>> half.sign([(Fraction(1), Fraction(1)), (Fraction(-2), Fraction(0))])
    0
    >>> WeightBase(None).sign([(Fraction(1), Fraction(1)), (Fraction(-2), Fraction(0))])
    1
    """

    value: Fraction | None
    per: Fraction = Fraction(1)

    @cached_property
    def rate(self) -> float:
        """The natural logarithm of the base, to double precision."""
        return float(self.per) * (1.0 if self.value is None else _ln(self.value))

    def sign(self, terms: Iterable[tuple[Fraction, Fraction]]) -> int:
        """-1, 0 or +1: the sign of the sum of x * base**z over the terms (x, z)."""
        root, power = (None, 1) if self.value is None else primitive_root(self.value)
        scale = self.per * power
        coefficient: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        for x, z in terms:
            coefficient[z * scale] += x
        left = sorted((e, c) for e, c in coefficient.items() if c)
        if not left:
            return 0
        if all(c > 0 for _, c in left) or all(c < 0 for _, c in left):
            return 1 if left[0][1] > 0 else -1
        if root is not None:
            whole = all((e - left[0][0]).denominator == 1 for e, _ in left)
            gap = left[-1][0] - left[0][0]
            bits = root.numerator.bit_length() + root.denominator.bit_length()
            if whole and gap * bits <= FEW_BITS:
                total = _rational_sum(left, root)
                return (total > 0) - (total < 0)
            if _is_zero(left, root):
                return 0
        return _by_digits(left, root)


def _is_zero(terms: list[tuple[Fraction, Fraction]], root: Fraction) -> bool:
    """Whether the terms of every fractional part sum to zero by themselves."""
    classes: defaultdict[Fraction, list[tuple[Fraction, Fraction]]] = defaultdict(list)
    for e, c in terms:
        classes[e - e.__floor__()].append((e, c))
    return all(
        _may_be_zero(members, root) and _rational_sum(members, root) == 0
        for members in classes.values()
    )


def _may_be_zero(terms: list[tuple[Fraction, Fraction]], root: Fraction) -> bool:
    """Whether a sum is zero modulo the primes; if not, its digits need not be worked out.

    >>> _may_be_zero([(Fraction(0), Fraction(-2)), (Fraction(10**9), Fraction(1))], Fraction(3))
    False
    """
    return all(_residue(terms, root, prime) in (0, None) for prime in PRIMES)


def _residue(terms: list[tuple[Fraction, Fraction]], root: Fraction, prime: int) -> int | None:
    """The sum of c * root**(e - lowest e) modulo a prime; None if the prime divides below a bar."""
    lowest, total = terms[0][0], 0
    for e, c in terms:
        bottom = c.denominator * pow(root.denominator, int(e - lowest), prime) % prime
        if not bottom:
            return None
        top = c.numerator * pow(root.numerator, int(e - lowest), prime)
        total += top * pow(bottom, -1, prime)
    return total % prime


def _rational_sum(terms: list[tuple[Fraction, Fraction]], root: Fraction) -> Fraction:
    """Sum of c * root**(e - lowest e), by Horner's rule from the highest power down."""
    total, exponent = Fraction(0), terms[-1][0]
    for e, c in reversed(terms):
        total = total * root ** int(exponent - e) + c
        exponent = e
    return total


def _by_digits(terms: list[tuple[Fraction, Fraction]], root: Fraction | None) -> int:
    """The sign of a sum that is not zero."""
    digits = 30
    while True:
        with localcontext(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)):
            rate = Decimal(1) if root is None else _decimal(root).ln()
            top = terms[-1][0]
            total = size = reach = Decimal(0)
            span = _decimal(top - terms[0][0])
            for e, c in terms:
                exponent = rate * _decimal(e - top)
                term = _decimal(c) * exponent.exp()
                total += term
                size += abs(term)
                reach = max(reach, abs(exponent))
            # Each operation is off by at most half a unit of its last digit, 10^(1 - digits) / 2
            # of its size. An error in an exponent is relative to the power; the rate may be
            # that far off in absolute terms, because the root was rounded.
            error = size * (len(terms) + 10 + 4 * reach + 2 * span) * Decimal(10).scaleb(-digits)
            if abs(total) > error:
                return 1 if total > 0 else -1
        digits *= 2


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)


def _ln(number: Fraction) -> float:
    # With the digits of the number and some, one next to 1 keeps its distance from 1.
    digits = 40 + number.numerator.bit_length() + number.denominator.bit_length()
    with localcontext(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)):
        return float(_decimal(number).ln())


@lru_cache
def primitive_root(value: Fraction) -> tuple[Fraction, int]:
    """(u, k) with u**k equal to the value and u no perfect power; k >= 1.

    >>> primitive_root(Fraction(64, 729)), primitive_root(Fraction(6))
    ((Fraction(2, 3), 6), (Fraction(6, 1), 1))
    """
    if value == 1:
        return value, 1
    longest = max(value.numerator.bit_length(), value.denominator.bit_length())
    for k in range(longest, 1, -1):
        a, b = _whole_root(value.numerator, k), _whole_root(value.denominator, k)
        if a is not None and b is not None:
            return Fraction(a, b), k
    return value, 1


def _whole_root(n: int, k: int) -> int | None:
    """The whole number whose k-th power is n, if there is one."""
    if n == 1:
        return 1
    if k > n.bit_length():
        return None
    low, high = 1, 1 << -(-n.bit_length() // k)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**k <= n:
            low = middle
        else:
            high = middle - 1
    return low if low**k == n else None

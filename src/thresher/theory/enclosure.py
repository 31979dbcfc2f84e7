"""Real numbers known through enclosures, so that rounding to an integer is proven.

A bound such as ``ln(d) / g`` is irrational, but the number of mistakes it allows is an
integer, and a float one unit off in the last place can be on the wrong side of it. A `Real`
therefore never holds a value; it holds a way to enclose the value between two decimals as
closely as asked. `floor` asks for more digits until both ends round alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from decimal import (
    MAX_EMAX,
    MIN_EMIN,
    ROUND_CEILING,
    ROUND_FLOOR,
    Context,
    Decimal,
    DivisionByZero,
    InvalidOperation,
)
from fractions import Fraction
from functools import lru_cache, reduce
from typing import TypeAlias

Interval: TypeAlias = tuple[Decimal, Decimal]

# Each rung doubles the work. Values that still straddle an integer on the last rung are equal
# to it, or closer to it than 10^-300; rounding then goes the way that keeps the bound true.
DIGITS = (40, 80, 160, 320)

PI_DIGITS = "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"

RELATIVE_WIDTH = Decimal("1e-25")


class StraddlesZeroError(ArithmeticError):
    """A divisor, or the argument of a logarithm or root, could not be told from zero."""

    def __str__(self) -> str:
        return "a number could not be told from zero"


@lru_cache
def _contexts(digits: int) -> tuple[Context, Context]:
    down, up = (
        Context(
            prec=digits,
            rounding=rounding,
            Emin=MIN_EMIN,
            Emax=MAX_EMAX,
            traps=[InvalidOperation, DivisionByZero],
        )
        for rounding in (ROUND_FLOOR, ROUND_CEILING)
    )
    return down, up


class Real:
    """A real number that can be enclosed as closely as wanted.

    >>> third = real(Fraction(1, 3))
    >>> floor(ln(8) / ln(2)), floor(sqrt(2) * 1000), floor(third * 100)
    (3, 1414, 33)
    """

    __slots__ = ("enclose",)

    def __init__(self, enclose: Callable[[int], Interval]) -> None:
        self.enclose = enclose

    def __add__(self, other: Number) -> Real:
        """The sum, each end rounded outwards."""
        return _combine(self, real(other), _add)

    def __mul__(self, other: Number) -> Real:
        """The product: the extremes of the four products of ends."""
        return _combine(self, real(other), _multiply)

    def __truediv__(self, other: Number) -> Real:
        """The quotient, by a divisor that must show its sign."""
        return _combine(self, real(other), _divide)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Real:
        """The negative: the ends change places."""

        def enclose(digits: int) -> Interval:
            low, high = self.enclose(digits)
            return high.copy_negate(), low.copy_negate()

        return Real(enclose)

    def __sub__(self, other: Number) -> Real:
        """The difference."""
        return self + -real(other)

    def __rsub__(self, other: Number) -> Real:
        """The difference, from a number."""
        return real(other) + -self

    def __rtruediv__(self, other: Number) -> Real:
        """The quotient of a number by this one."""
        return real(other) / self

    def __repr__(self) -> str:
        return f"Real({float_above(self)!r})"


Number: TypeAlias = Real | Fraction | int


def _combine(a: Real, b: Real, rule: Callable[[Interval, Interval, int], Interval]) -> Real:
    return Real(lambda digits: rule(a.enclose(digits), b.enclose(digits), digits))


def _add(a: Interval, b: Interval, digits: int) -> Interval:
    down, up = _contexts(digits)
    return down.add(a[0], b[0]), up.add(a[1], b[1])


def _multiply(a: Interval, b: Interval, digits: int) -> Interval:
    down, up = _contexts(digits)
    ends = [(p, q) for p in a for q in b]
    return min(down.multiply(p, q) for p, q in ends), max(up.multiply(p, q) for p, q in ends)


def _divide(a: Interval, b: Interval, digits: int) -> Interval:
    if b[0] <= 0 <= b[1]:
        raise StraddlesZeroError
    down, up = _contexts(digits)
    ends = [(p, q) for p in a for q in b]
    return min(down.divide(p, q) for p, q in ends), max(up.divide(p, q) for p, q in ends)


def real(value: Number) -> Real:
    """The number as a `Real`; an exact fraction is enclosed by its rounded quotients."""
    if isinstance(value, Real):
        return value
    exact = Fraction(value)
    numerator, denominator = Decimal(exact.numerator), Decimal(exact.denominator)

    def enclose(digits: int) -> Interval:
        down, up = _contexts(digits)
        return down.divide(numerator, denominator), up.divide(numerator, denominator)

    return Real(enclose)


def ln(value: Number) -> Real:
    """The natural logarithm of a positive number; exactly 0 at 1."""
    if not isinstance(value, Real) and value == 1:
        return real(0)
    return _monotone(value, lambda context, x: context.ln(x), domain_above=True)


def exp(value: Number) -> Real:
    """The exponential function."""
    return _monotone(value, lambda context, x: context.exp(x))


def sqrt(value: Number) -> Real | Fraction:
    """The square root of a non-negative number; a fraction for squares of fractions."""
    if not isinstance(value, Real):
        exact = Fraction(value)
        root = Fraction(math.isqrt(exact.numerator), math.isqrt(exact.denominator))
        if root * root == exact:
            return root
    return _monotone(value, lambda context, x: context.sqrt(x), domain_above=True)


def _monotone(
    value: Number, function: Callable[[Context, Decimal], Decimal], domain_above: bool = False
) -> Real:
    """An increasing function, correctly rounded by `decimal`, then widened by one unit."""
    inner = real(value)

    def enclose(digits: int) -> Interval:
        down, up = _contexts(digits)
        low, high = inner.enclose(digits)
        if domain_above and low <= 0:
            raise StraddlesZeroError
        return down.next_minus(function(down, low)), up.next_plus(function(up, high))

    return Real(enclose)


def log2(n: int) -> Real | Fraction:
    """The binary logarithm of a positive integer; a fraction when it is whole.

    >>> log2(1024)
    Fraction(10, 1)
    """
    if n & (n - 1) == 0:
        return Fraction(n.bit_length() - 1)
    return ln(n) / ln(2)


def pi() -> Real:
    """The circle constant, to eighty digits."""
    low = Decimal(PI_DIGITS)
    _, up = _contexts(len(PI_DIGITS) - 1)
    return Real(lambda digits: (low, up.next_plus(low)))


def total(terms: Iterable[Number]) -> Real:
    """The sum of any number of terms.

    >>> total(ln(2) for _ in range(5000))
    Real(3465.735902799727)
    """
    # One after another: sums of sums of sums would be too deep for the interpreter.
    summands = [real(term) for term in terms]

    def enclose(digits: int) -> Interval:
        enclosed = (term.enclose(digits) for term in summands)
        return reduce(lambda a, b: _add(a, b, digits), enclosed, (Decimal(0), Decimal(0)))

    return Real(enclose)


def is_positive(value: Number) -> bool:
    """Whether the number is proven to be above zero. Undecided counts as no."""
    if not isinstance(value, Real):
        return value > 0
    for digits in DIGITS:
        try:
            low, high = value.enclose(digits)
        except StraddlesZeroError:
            continue
        if low > 0:
            return True
        if high <= 0:
            return False
    return False


def floor(value: Number, least: int | None = None) -> int:
    """The largest integer not above the number, never too small (see `DIGITS`).

    With ``least``, nothing below it is told apart, nor worked for.
    """
    return _round(value, math.floor, least)


def ceil(value: Number, least: int | None = None) -> int:
    """The smallest integer not below the number, never too small (see `DIGITS`)."""
    return _round(value, math.ceil, least)


def _round(value: Number, rounding: Callable[[Decimal | Fraction], int], least: int | None) -> int:
    def rounded(end: Decimal | Fraction) -> int:
        return rounding(end) if least is None else max(least, rounding(end))

    if not isinstance(value, Real):
        return rounded(Fraction(value))
    for digits in DIGITS:
        try:
            low, high = value.enclose(digits)
        except StraddlesZeroError:
            continue
        if rounded(low) == rounded(high):
            return rounded(high)
    _, high = value.enclose(DIGITS[-1])
    return rounded(high)


def float_above(value: Number) -> float:
    """A float not below the number and at most two units in the last place above it."""
    if isinstance(value, Real):
        for digits in DIGITS:
            try:
                low, high = value.enclose(digits)
            except StraddlesZeroError:
                continue
            _, up = _contexts(digits)
            if up.subtract(high, low) <= up.multiply(high.copy_abs(), RELATIVE_WIDTH):
                break
        else:
            _, high = value.enclose(DIGITS[-1])
        value = Fraction(high)
    nearest = float(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)

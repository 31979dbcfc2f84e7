"""The probability of few heads in many throws, enclosed.

The largest term comes from Stirling's series, whose partial sums lie on alternating sides of
the truth; the others from the ratio of neighbours. Terms fall geometrically, so a few times the
standard deviation of them is enough, whatever the number of throws.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from thresher.errors import BeyondReachError
from thresher.theory.enclosure import Interval, Real, exp, ln, pi, real

# B_{2k} / (2k (2k - 1)) for k = 1, 2, ...: the coefficients of Stirling's series.
STIRLING = tuple(
    Fraction(numerator, denominator)
    for numerator, denominator in [
        (1, 12),
        (-1, 360),
        (1, 1260),
        (-1, 1680),
        (1, 1188),
        (-691, 360360),
        (1, 156),
        (-3617, 122400),
        (43867, 244188),
    ]
)
# From here on the last two partial sums of the series agree to 36 digits.
LARGE = 256
#: Throws of which anybody asks: as many rows as nobody holds out.
MOST_THROWS = 2**30
#: Terms that are added up. Of 20,000,000 throws 34,000 are enough, wherever the sum ends.
MOST_TERMS = 2**16


def ln_factorial(n: int) -> Real:
    """The logarithm of n!.

    >>> ln_factorial(1000)
    Real(5912.128178488164)
    """
    if n < LARGE:
        return ln(factorial(n))
    terms = [c / Fraction(n) ** (2 * k + 1) for k, c in enumerate(STIRLING)]
    over = sum(terms, Fraction(0))
    under = over - terms[-1]
    middle = (Fraction(1, 2) + n) * ln(n) - n + ln(2 * pi()) / 2
    return Real(lambda digits: _between(middle + under, middle + over, digits))


def _between(low: Real, high: Real, digits: int) -> Interval:
    return low.enclose(digits)[0], high.enclose(digits)[1]


def at_most(k: int, n: int, p: Fraction) -> Real:
    """The probability of at most k heads in n throws of a coin with 0 < p < 1.

    >>> at_most(1, 4, Fraction(1, 2))
    Real(0.31250000000000006)
    """
    if n > MOST_THROWS:
        raise BeyondReachError(f"{n} throws of a coin, of which {MOST_THROWS} are worked out")
    if n - k < MOST_TERMS < k:
        # There are few tails: a coin that is turned over has few heads.
        return 1 - (at_most(n - k - 1, n, 1 - p) if k < n else real(0))
    q = 1 - p
    first = exp(
        ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k) + k * ln(p) + (n - k) * ln(q)
    )
    return first * Real(lambda digits: _ratios(k, n, p / q, digits))


def _ratios(k: int, n: int, odds: Fraction, digits: int) -> Interval:
    """All terms up to the k-th, over the k-th, in integers scaled by a power of ten."""
    negligible = 10**10
    scale = 10**digits * negligible
    up, down = odds.denominator, odds.numerator
    low = high = scale  # the term, rounded down and up
    sum_low = sum_high = scale
    for i in range(k, max(0, k - MOST_TERMS), -1):
        above, below = i * up, (n - i + 1) * down
        low = low * above // below
        high = -(-high * above // below)
        sum_low += low
        sum_high += high
        if above < below and high < negligible:
            # What is left is a geometric series with a ratio below above/below.
            sum_high += -(-high * above // (below - above))
            break
    else:
        if k > MOST_TERMS:
            raise BeyondReachError(f"a sum of more than {MOST_TERMS} probabilities")
    return _between(real(Fraction(sum_low, scale)), real(Fraction(sum_high, scale)), digits)

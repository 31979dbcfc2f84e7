"""How often a weight can be promoted before it reaches the threshold."""

from __future__ import annotations

from fractions import Fraction
from math import log, log1p

from thresher.errors import BeyondReachError
from thresher.theory.quantities import Given, exactly

#: Exact powers of more than this many factors take too long to be of use.
MOST_PROMOTIONS = 20_000
#: So do powers with more binary digits than this.
MOST_BITS = 2**22


def within_reach(factor: Fraction, threshold: Fraction) -> bool:
    """Whether about `MOST_PROMOTIONS` promotions, or fewer, lift a weight of 1 to the threshold.

    >>> within_reach(Fraction(2), Fraction(1024)), within_reach(1 + Fraction(1, 2**39), Fraction(9))
    (True, False)
    """
    if threshold <= 1:
        return True
    bits = threshold.numerator.bit_length() - threshold.denominator.bit_length() + 1
    most = min(MOST_PROMOTIONS, MOST_BITS // _length(factor))
    return bits * log(2) <= most * log1p(factor - 1)


def _length(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def promotions(factor: Given, threshold: Given) -> int:
    """K(alpha, theta): the smallest K >= 0 with alpha^K >= theta, by exact powers.

    A quotient of logarithms is where to look; it would be wrong at exact powers, where the
    bounds are tight.

    >>> promotions(2, 1024), promotions(2, 1025), promotions(Fraction(3, 2), 1)
    (10, 11, 0)
    """
    alpha, theta = exactly(factor), exactly(threshold)
    if theta <= 1:
        return 0
    digits = log(theta.numerator) - log(theta.denominator)
    count = max(1, round(digits / log1p(alpha - 1)))
    if count * _length(alpha) > 2 * MOST_BITS:
        raise BeyondReachError(f"a power of {count} factors with {_length(alpha)} binary digits")
    while alpha**count < theta:
        count += 1
    while count > 1 and alpha ** (count - 1) >= theta:
        count -= 1
    return count


def surplus(n_features: int, factor: Fraction, threshold: Fraction) -> Fraction:
    """A = (alpha d / theta - 1) / (alpha - 1): false positives the initial weight pays for.

    >>> surplus(8, Fraction(2), Fraction(8))
    Fraction(1, 1)
    """
    return (factor * n_features / threshold - 1) / (factor - 1)

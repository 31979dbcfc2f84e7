"""The two functions behind every exponentiated bound, and the steps they recommend."""

from __future__ import annotations

import math
from fractions import Fraction

from thresher.errors import ParameterError
from thresher.theory.enclosure import Real, exp, is_positive, ln, real
from thresher.theory.quantities import Given, exactly

# Beyond eta X = 20 the step -> infinity limit is reached to 14 digits.
LARGEST_STEP_TIMES_RADIUS = 20.0


def coin_relative_entropy(bias: Given) -> Real:
    """(1+e)/2 ln(1+e) + (1-e)/2 ln(1-e) for a bias e from 0 to 1; the theorems call it g(e).

    It is the relative entropy of a coin with bias e to a fair one: at least e^2/2, and ln 2 at 1.

    >>> coin_relative_entropy(1)
    Real(0.6931471805599454)
    """
    e = exactly(bias)
    if not 0 <= e <= 1:
        raise ParameterError("coin_relative_entropy", "bias", "from 0 to 1", bias)
    if e == 1:
        return ln(2)
    return (1 + e) / 2 * ln(1 + e) + (1 - e) / 2 * ln(1 - e)


def lncosh(z: Fraction) -> Real:
    """ln(cosh(z)) = |z| + ln((1 + exp(-2|z|))/2)."""
    return real(abs(z)) + ln((1 + exp(-2 * abs(z))) / 2)


def eta_star(margin: Given, radius: Given = 1, comparator_norm: Given = 1) -> float:
    """The step atanh(g'/X)/X that makes the guarantee smallest, g' = gamma/||u||_1.

    At g' = X the best step is infinite; it is capped where the difference is below 1e-14.

    >>> round(eta_star(0.1), 6), eta_star(1)
    (0.100335, 20.0)
    """
    ratio, X = _ratio("eta_star", margin, radius, comparator_norm)
    if ratio == 1:
        return LARGEST_STEP_TIMES_RADIUS / X
    return min(math.atanh(ratio), LARGEST_STEP_TIMES_RADIUS) / X


def eta_max(margin: Given, radius: Given = 1, comparator_norm: Given = 1) -> float:
    """The step from which on there is no guarantee: the root of eta g' = ln cosh(eta X).

    The value returned is proven to be below the root, so it can be used itself. It is about
    twice `eta_star`, and infinite at g' = X, where every step has a guarantee.

    >>> round(eta_max(0.1), 4), round(eta_max(0.5), 4), eta_max(1)
    (0.2013, 1.2188, inf)
    """
    ratio, X = _ratio("eta_max", margin, radius, comparator_norm)
    if ratio == 1:
        return math.inf
    low, high = math.atanh(ratio), 2 * math.log(2) / (1 - ratio)
    while low < (middle := (low + high) / 2) < high:
        if is_positive(Fraction(middle) * Fraction(ratio) - lncosh(Fraction(middle))):
            low = middle
        else:
            high = middle
    return math.nextafter(low / X, 0)


def _ratio(whose: str, margin: Given, radius: Given, norm: Given) -> tuple[float, float]:
    X, U1 = exactly(radius), exactly(norm)
    if X <= 0 or U1 <= 0:
        raise ParameterError(whose, "radius and comparator_norm", "above 0", (radius, norm))
    ratio = exactly(margin) / (X * U1)
    if not 0 < ratio <= 1:
        raise ParameterError(
            whose, "margin", "above 0 and at most radius * comparator_norm", margin
        )
    return float(ratio), float(X)

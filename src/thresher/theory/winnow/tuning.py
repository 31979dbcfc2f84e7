"""Which step and which threshold make Winnow's guarantee smallest."""

from __future__ import annotations

import math
from fractions import Fraction

from thresher.errors import ParameterError
from thresher.theory.quantities import Given, exactly
from thresher.theory.winnow.any_threshold import WinnowAnyThreshold

# The root of alpha ln(alpha) = 1 + alpha minimises (1 + alpha)/ln(alpha), the leading factor.
BEST_FACTOR_FOR_MANY_FEATURES = 3.5911214766686222


def optimal_beta(n_features: int, relevant: int = 1, threshold: Given | None = None) -> Fraction:
    """The step with the smallest guarantee among those that reach the threshold exactly.

    K is an integer, so the good factors are the smallest alpha with alpha^K >= theta, one for
    each K. They are tried in thousandths, rounded up so that alpha^K >= theta stays true.
    The default threshold is the number of features.

    >>> beta = optimal_beta(1024)
    >>> beta, WinnowAnyThreshold(1024, 1, beta=beta, threshold=1024).max_mistakes()
    (Fraction(87, 40), 24)
    """
    theta = exactly(n_features if threshold is None else threshold)
    if theta <= 1:
        raise ParameterError("optimal_beta", "threshold", "above 1", threshold or n_features)

    def allowed(beta: Fraction) -> tuple[int, Fraction | float]:
        theorem = WinnowAnyThreshold(n_features, relevant, beta, theta)
        return theorem.max_mistakes(), theorem.bound()

    most = 2 * math.ceil(math.log2(theta))
    return min((_smallest_step(theta, K) for K in range(1, most + 1)), key=allowed)


def _smallest_step(theta: Fraction, K: int) -> Fraction:
    """The smallest beta in thousandths with (1 + beta)^K >= theta."""
    thousandths = max(1, math.floor(1000 * float(theta) ** (1 / K)) - 1001)
    while (1 + Fraction(thousandths, 1000)) ** K < theta:
        thousandths += 1
    return Fraction(thousandths, 1000)


def optimal_threshold(n_features: int, relevant: int, beta: Given = 1) -> float:
    """The threshold d alpha ln(alpha) / ((alpha^2 - 1) r) that suits a known r.

    With factor 2 it is 0.4621 d/r, and the guarantee takes the information-theoretic shape
    r log2(d/r); not knowing r (threshold d) costs a term r log2(r).

    >>> round(optimal_threshold(1024, 4), 2)
    118.3
    """
    if relevant < 1:
        raise ParameterError("optimal_threshold", "relevant", "at least 1", relevant)
    alpha = 1 + float(beta)
    return n_features * alpha * math.log(alpha) / ((alpha**2 - 1) * relevant)

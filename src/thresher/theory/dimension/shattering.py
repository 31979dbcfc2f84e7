"""How many points linear separators shatter with a margin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count, Exact, Size
from thresher.theory.theorem import DimensionBound, Hypothesis, Limit, at_most


@dataclass(frozen=True)
class MarginShattering(DimensionBound):
    """Points of a ball that separators through its centre shatter with margin gamma.

    **Theorem** (see Bartlett and Shawe-Taylor 1999; also follows from Novikoff 1962). Let n points
    with ||x_i|| <= R be such that for every choice of signs s some u with ||u|| <= U has
    s_i u.x_i >= gamma > 0 for all i. Then

        n <= R^2 U^2 / gamma^2,

    and n <= d in d dimensions. This bounds the VC dimension of separators with that margin on
    any set of points of the ball, and their fat-shattering dimension at scale gamma with the
    threshold 0.

    **Hypotheses.** gamma > 0.

    **Proof idea.** Averaged over all signs, the squared length of the sum of s_i x_i is the sum of
    ||x_i||^2, at most n R^2; so for some signs it is not above that. But u.(sum) >= n gamma makes
    the length at least n gamma/U. More than d points are linearly dependent, and the signs of the
    dependence cannot be realised. Alternatively, answer the Perceptron on each point with the
    opposite of its prediction; it then errs n times: `Novikoff`.

    **How tight.** Reached by orthonormal points: n = 1/gamma^2 with R = U = 1, the same points as
    in `MarginLower`.

    **What it does not say.** Nothing about separators with a threshold other than 0: give the
    points a constant feature, which makes R larger. It involves no distribution and no labels.

    >>> MarginShattering(radius_squared=1, comparator_norm_squared=1, margin=0.1).max_points()
    99
    >>> MarginShattering(1, 1, Fraction(1, 10), n_features=64).max_points()
    64
    """

    radius_squared: Size = Size("R^2: the largest ||x||^2 of a point")
    comparator_norm_squared: Size = Size("U^2: the largest ||u||^2 of a separator")
    margin: Exact = Exact("gamma: y u.x >= gamma at every point")
    n_features: Count = Count("d: the number of features; 0: any number", default=0)

    statement: ClassVar[str] = "n <= min(d, R^2 U^2 / gamma^2)"
    reference: ClassVar[str] = "bartlettshawetaylor1999"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The margin must be positive."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)

    def right_hand_side(self) -> Limit:
        """R^2 U^2 / gamma^2, or the dimension if that is smaller."""
        points = self.radius_squared * self.comparator_norm_squared / self.margin**2
        return at_most(min(points, Fraction(self.n_features)) if self.n_features else points)

"""What no deterministic learner can beat at a given margin."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import ClassVar

from thresher.theory.quantities import Count, Exact
from thresher.theory.theorem import Hypothesis, Limit, LowerBound, at_most


@dataclass(frozen=True)
class MarginLower(LowerBound):
    """Mistakes forced at geometric margin gamma in the unit ball.

    **Theorem** (after Novikoff 1962; see Shalev-Shwartz and Ben-David 2014). For
    n = floor(1/gamma^2) <= d, every deterministic learner can be made to err

        M >= n

    times on a stream of unit vectors that some u with ||u|| <= 1 separates with margin gamma.

    **Hypotheses.** 0 < gamma <= 1 and n <= d.

    **Proof idea.** Show e_1, ..., e_n and answer the opposite of each prediction; u = gamma y
    has norm gamma sqrt(n) <= 1. With `Novikoff` the Perceptron is optimal here.

    **How tight.** Reached by the Perceptron.

    **What it does not say.** A randomised learner can be made to err n/2 times on average.

    >>> MarginLower(margin_squared=Fraction(1, 10), n_features=64).min_mistakes()
    10
    """

    margin_squared: Exact = Exact("gamma^2: the squared geometric margin")
    n_features: Count = Count("d: the number of features")

    statement: ClassVar[str] = "M >= floor(1/gamma^2), if that many features exist"
    reference: ClassVar[str] = "shalevshwartzbendavid2014"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A margin that unit vectors can have, and enough features."""
        gamma2 = self.margin_squared
        yield Hypothesis("0 < margin^2 <= 1", gamma2, 0 < gamma2 <= 1)
        yield Hypothesis(
            "floor(1/margin^2) <= n_features",
            self.n_features,
            gamma2 > 0 and floor(1 / gamma2) <= self.n_features,
        )

    def right_hand_side(self) -> Limit:
        """floor(1/gamma^2)."""
        return at_most(Fraction(floor(1 / self.margin_squared)))

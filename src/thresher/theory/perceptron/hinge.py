"""The Perceptron on any stream, through the hinge loss of a comparator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.enclosure import Real, sqrt
from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


def hinge_limit(loss_per_margin: Fraction, a_squared: Real | Fraction) -> Limit:
    """The larger root M of ``M - l = A sqrt(M)``: l + A^2/2 + A sqrt(l + A^2/4)."""
    inner = a_squared * (a_squared / 4 + loss_per_margin)
    return at_most(a_squared / 2 + loss_per_margin + sqrt(inner))


@dataclass(frozen=True)
class PerceptronHinge(MistakeBound):
    """Mistakes of the Perceptron on any stream, separable or not.

    **Theorem** (Gentile 2003; after Freund and Schapire 1999). For every u and every level
    gamma > 0, let L be the sum of max(0, gamma - y_t u.x_t) over the mistake rounds, or over
    all rounds, ||x_t|| <= R in the mistake rounds, and A = R ||u|| / gamma. Then

        M <= L/gamma + A^2/2 + A sqrt(L/gamma + A^2/4).

    **Hypotheses.** gamma > 0. Any u will do.

    **Proof idea.** gamma M - L <= u.w <= ||u|| R sqrt(M): a quadratic in sqrt(M).

    **How tight.** Reached with losses in every round by orthonormal examples at a level above
    1, and on a spiral in the plane that no u separates.

    **What it does not say.** With L summed over mistake rounds only, choosing u after the run
    is vacuous: u = 0 gives the bound M. Such an L checks a comparator declared beforehand; a
    comparator found afterwards must be quoted with its loss over all rounds.

    >>> PerceptronHinge(
    ...     radius_squared=1, comparator_norm_squared=1, margin=Fraction(1, 10), loss=0
    ... ).max_mistakes()
    100
    """

    radius_squared: Size = Size("R^2: the largest ||x||^2 of a mistake round")
    comparator_norm_squared: Size = Size("||u||^2 of the comparator")
    margin: Exact = Exact("gamma: the level at which the hinge loss is taken")
    loss: Size = Size("L: the summed hinge loss of u, over the mistake rounds or over all")

    statement: ClassVar[str] = "M <= L/gamma + A^2/2 + A sqrt(L/gamma + A^2/4), A = R ||u|| / gamma"
    reference: ClassVar[str] = "gentile2003"
    learners: ClassVar[frozenset[str]] = frozenset({"Perceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The level must be positive."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)

    def right_hand_side(self) -> Limit:
        """The larger root of the quadratic."""
        a_squared = self.radius_squared * self.comparator_norm_squared / self.margin**2
        return hinge_limit(self.loss / self.margin, a_squared)

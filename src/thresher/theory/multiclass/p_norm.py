"""The p-norm Perceptron with several classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.enclosure import Number, exp, ln
from thresher.theory.quantities import Exact, Size
from thresher.theory.quasi_additive.p_norm import p_norm_hypotheses
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class MulticlassPNorm(MistakeBound):
    """Mistakes of the multiclass p-norm Perceptron on a separable stream.

    **Theorem** (Kesler's construction over Grove, Littlestone and Schuurmans 2001). Let p >= 2,
    1/p + 1/q = 1, u_y.x_t - u_r.x_t >= gamma > 0 for the label y and every other class r, and
    ||x_t||_p <= X_p, in every mistake round. Then

        M <= (p - 1) 2^(2/p) X_p^2 ||u||_q^2 / gamma^2.

    **Hypotheses.** p >= 2, gamma > 0.

    **Proof idea.** `PNorm` on block vectors, whose p-norm is 2^(1/p) ||x||_p. p = 2 is
    `MulticlassNovikoff`.

    **How tight.** Reached at p = 2; with two classes it is `PNorm`, and as tight.

    **What it does not say.** Which p to choose: 2 ln(k d) has the role that 2 ln d has in
    `PNormDimension`.

    >>> MulticlassPNorm(2, radius_squared=1, comparator_norm_squared=3, margin=1).bound()
    Fraction(6, 1)
    """

    p: Exact = Exact("p: the norm's exponent, at least 2")
    radius_squared: Size = Size("X_p^2: the largest ||x||_p^2 of a mistake round")
    comparator_norm_squared: Size = Size("||u||_q^2 over all classes, 1/p + 1/q = 1")
    margin: Exact = Exact("gamma: the smallest lead of u for the label over another class")

    statement: ClassVar[str] = "M <= (p - 1) 2^(2/p) X_p^2 ||u||_q^2 / gamma^2"
    reference: ClassVar[str] = "grovelittlestoneschuurmans2001"
    learners: ClassVar[frozenset[str]] = frozenset()
    variants: ClassVar[frozenset[str]] = frozenset({"MulticlassPNormPerceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """P at least 2 and a positive margin."""
        yield from p_norm_hypotheses(self.p, self.margin)

    def right_hand_side(self) -> Limit:
        """(p - 1) 2^(2/p) X_p^2 ||u||_q^2 / gamma^2; 2^(2/p) is exact at p = 2."""
        doubled: Number = Fraction(2) if self.p == 2 else exp(2 * ln(2) / self.p)
        size = self.radius_squared * self.comparator_norm_squared / self.margin**2
        return at_most((self.p - 1) * size * doubled)

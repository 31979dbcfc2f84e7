"""The p-norm Perceptron on any stream, through the hinge loss of a comparator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.perceptron.hinge import hinge_limit
from thresher.theory.quantities import Exact, Size
from thresher.theory.quasi_additive.p_norm import p_norm_hypotheses
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound


@dataclass(frozen=True)
class PNormHinge(MistakeBound):
    """Mistakes of the p-norm Perceptron on any stream, separable or not.

    **Theorem** (Gentile 2003). In the setting of `PNorm` with tau = 0, for every u and level
    gamma > 0, with L the hinge loss of u summed over the mistake rounds, or over all, and
    A = sqrt(p - 1) X_p ||u||_q / gamma,

        M <= L/gamma + A^2/2 + A sqrt(L/gamma + A^2/4).

    **Hypotheses.** p >= 2, gamma > 0. Any u will do.

    **Proof idea.** gamma M - L <= u.dual <= ||u||_q ||dual||_p, and
    ||dual||_p^2 <= (p - 1) X_p^2 M: the quadratic of `PerceptronHinge`.

    **How tight.** Streams in which large duals fall and small ones rise reach 0.98 to 0.998 of the
    bound for p from 2 to 8, with most of the level lost.

    **What it does not say.** A u chosen after the run must be quoted with its loss over all
    rounds.

    >>> PNormHinge(3, radius_squared=1, comparator_norm_squared=2, margin=1, loss=0).bound()
    Fraction(4, 1)
    """

    p: Exact = Exact("p: the norm's exponent, at least 2")
    radius_squared: Size = Size("X_p^2: the largest ||x||_p^2 of a mistake round")
    comparator_norm_squared: Size = Size("||u||_q^2 of the comparator, 1/p + 1/q = 1")
    margin: Exact = Exact("gamma: the level at which the hinge loss is taken")
    loss: Size = Size("L: the summed hinge loss of u, over the mistake rounds or over all")

    statement: ClassVar[str] = (
        "M <= L/gamma + A^2/2 + A sqrt(L/gamma + A^2/4), A = sqrt(p - 1) X_p ||u||_q / gamma"
    )
    reference: ClassVar[str] = "gentile2003"
    learners: ClassVar[frozenset[str]] = frozenset({"PNormPerceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """P at least 2 and a positive level."""
        yield from p_norm_hypotheses(self.p, self.margin)

    def right_hand_side(self) -> Limit:
        """The larger root of the quadratic."""
        size = (self.p - 1) * self.radius_squared * self.comparator_norm_squared
        return hinge_limit(self.loss / self.margin, size / self.margin**2)

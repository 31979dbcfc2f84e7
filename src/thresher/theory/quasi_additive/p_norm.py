"""The p-norm Perceptron on a separable stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


def p_norm_hypotheses(p: Fraction, margin: Fraction) -> Iterator[Hypothesis]:
    """P at least 2 and a positive margin."""
    yield Hypothesis("p >= 2", p, p >= 2)
    yield Hypothesis("margin > 0", margin, margin > 0)


@dataclass(frozen=True)
class PNorm(MistakeBound):
    """Updates of the p-norm Perceptron on a separable stream.

    **Theorem** (Grove, Littlestone and Schuurmans 2001; Gentile 2003). Let p >= 2 and
    1/p + 1/q = 1. If y_t u.x_t >= gamma > 0 and ||x_t||_p <= X_p in every update round, the
    p-norm Perceptron that updates when y w.x <= tau, started at 0, makes at most

        U <= ((p - 1) X_p^2 + 2 tau) ||u||_q^2 / gamma^2

    updates, hence mistakes. The usual learner has tau = 0.

    **Hypotheses.** p >= 2, gamma > 0, tau >= 0.

    **Proof idea.** `QuasiAdditive` with F = ||.||_p^2/2, whose smoothness is
    (p - 1) X_p^2/2, and F*(u) = ||u||_q^2/2. p = 2 is `Novikoff`.

    **How tight.** Reached at p = 2 by orthonormal examples; for p = 2 ln d the best ratio found
    is 0.85 (d = 512, gamma = 0.3).

    **What it does not say.** Which p to choose: see `PNormDimension`.

    >>> PNorm(p=2, radius_squared=1, comparator_norm_squared=5, margin=1).max_mistakes()
    5
    """

    p: Exact = Exact("p: the norm's exponent, at least 2")
    radius_squared: Size = Size("X_p^2: the largest ||x||_p^2 of an update round")
    comparator_norm_squared: Size = Size("||u||_q^2 of the comparator, 1/p + 1/q = 1")
    margin: Exact = Exact("gamma: the smallest y u.x of an update round")
    thickness: Size = Size("tau: updates happen when y w.x <= tau", default=0)

    statement: ClassVar[str] = "U <= ((p - 1) X_p^2 + 2 tau) ||u||_q^2 / gamma^2"
    reference: ClassVar[str] = "grovelittlestoneschuurmans2001"
    learners: ClassVar[frozenset[str]] = frozenset({"PNormPerceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """P at least 2 and a positive margin."""
        yield from p_norm_hypotheses(self.p, self.margin)

    def right_hand_side(self) -> Limit:
        """((p - 1) X_p^2 + 2 tau) ||u||_q^2 / gamma^2."""
        growth = (self.p - 1) * self.radius_squared + 2 * self.thickness
        return at_most(growth * self.comparator_norm_squared / self.margin**2)

"""PA-II, whose step is softened by 1/(2C), on any stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class PassiveAggressiveSoftened(MistakeBound):
    """Mistakes, and squared losses, of PA-II on any stream.

    **Theorem** (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006, Theorem 5). PA-II starts
    at w = 0 and, in every round with the loss l_t = 1 - y_t w.x_t > 0, adds
    l_t/(||x_t||^2 + 1/(2C)) y_t x_t. For every u and every level gamma > 0, let D^2 be the sum of
    max(0, gamma - y_t u.x_t)^2 over the rounds with a loss, or over all rounds, and ||x_t|| <= R
    in the rounds with a loss. Then

        M <= sum of l_t^2 <= (R^2 + 1/(2C)) (||u||^2 + 2 C D^2) / gamma^2.

    For the mistakes alone R may be the largest norm of a mistake round.

    **Hypotheses.** gamma > 0 and C > 0; every row with importance 1. A row of zeros has the loss
    gamma of every u and changes nothing.

    **Proof idea.** With v = u/gamma and its losses k_t at level 1, a step lowers
    ||w - v||^2 by at least tau (2 l_t - tau ||x_t||^2 - 2 k_t), which is at least
    l_t^2/(||x_t||^2 + 1/(2C)) - 2 C k_t^2: the square (sqrt(1/(2C)) tau - sqrt(2C) k_t)^2 is not
    negative. A mistake has l_t >= 1.

    **How tight.** Without losses and for large C it is `PassiveAggressiveSeparable`, which is
    reached. One unit vector whose label is always the opposite of the prediction reaches 0.83 of
    the bound at C = 1/10, and squared losses of 0.99 of it.

    **What it does not say.** It bounds the squared losses of all rounds; mistakes are those whose
    loss is at least 1. A u chosen after the run must be quoted with its losses over all rounds.

    >>> PassiveAggressiveSoftened(
    ...     radius_squared=1, comparator_norm_squared=5, margin=1, deviation_squared=3,
    ...     aggressiveness=1,
    ... ).bound()
    Fraction(33, 2)
    """

    radius_squared: Size = Size("R^2: the largest ||x||^2 of a round with a loss (or a mistake)")
    comparator_norm_squared: Size = Size("||u||^2 of the comparator")
    margin: Exact = Exact("gamma: the level at which the hinge loss is taken")
    deviation_squared: Size = Size(
        "D^2: the summed squared hinge loss of u over the rounds with a loss, or over all"
    )
    aggressiveness: Exact = Exact("C: steps are divided by ||x||^2 + 1/(2C)")

    statement: ClassVar[str] = "M <= sum of l^2 <= (R^2 + 1/(2C)) (||u||^2 + 2 C D^2) / gamma^2"
    reference: ClassVar[str] = "crammerdekel2006"
    learners: ClassVar[frozenset[str]] = frozenset({"PassiveAggressive"})
    setting: ClassVar[str] = 'variant="PA-II", every row with importance 1'

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The level and the aggressiveness must be positive."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)
        yield Hypothesis("aggressiveness > 0", self.aggressiveness, self.aggressiveness > 0)

    def right_hand_side(self) -> Limit:
        """The distance from 0 to u and the losses, over the least progress of a mistake."""
        twice = 2 * self.aggressiveness
        paid = self.comparator_norm_squared + twice * self.deviation_squared
        return at_most((self.radius_squared + 1 / twice) * paid / self.margin**2)

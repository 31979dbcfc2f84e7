"""PA-I, whose step is cut off at C, on any stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class PassiveAggressiveCapped(MistakeBound):
    """Mistakes of PA-I on any stream, separable or not.

    **Theorem** (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006, Theorem 4). PA-I starts
    at w = 0 and, in every round with the loss l_t = 1 - y_t w.x_t > 0, adds
    min(C, l_t/||x_t||^2) y_t x_t. For every u and every level gamma > 0, let L be the sum of
    max(0, gamma - y_t u.x_t) over the rounds with a loss, or over all rounds, and ||x_t|| <= R in
    the mistake rounds. Then

        M <= max(R^2, 1/C) (||u||^2/gamma^2 + 2 C L/gamma).

    **Hypotheses.** gamma > 0 and C > 0; every row with importance 1. A row of zeros has the loss
    gamma of every u and changes nothing.

    **Proof idea.** With v = u/gamma a step tau lowers ||w - v||^2 by at least tau (l_t - 2 (loss
    of v)), and tau <= C. A mistake has l_t >= 1, so tau l_t >= min(1/R^2, C).

    **How tight.** Reached by orthonormal examples, all labelled -1, at C = 1. One unit vector
    whose label is always the opposite of the prediction reaches exactly half of the bound, for C
    from 0 to 1.

    **What it does not say.** It bounds mistakes, not losses. Losses cost at least 2 each: with
    C = 1/R^2 the bound is R^2 ||u||^2/gamma^2 + 2 L/gamma, where `PerceptronHinge` has L/gamma
    and a root. A u chosen after the run must be quoted with its losses over all rounds.

    >>> PassiveAggressiveCapped(
    ...     radius_squared=1, comparator_norm_squared=5, margin=1, loss=3, aggressiveness=1
    ... ).max_mistakes()
    11
    """

    radius_squared: Size = Size("R^2: the largest ||x||^2 of a mistake round")
    comparator_norm_squared: Size = Size("||u||^2 of the comparator")
    margin: Exact = Exact("gamma: the level at which the hinge loss is taken")
    loss: Size = Size("L: the summed hinge loss of u over the rounds with a loss, or over all")
    aggressiveness: Exact = Exact("C: the largest step")

    statement: ClassVar[str] = "M <= max(R^2, 1/C) (||u||^2/gamma^2 + 2 C L/gamma)"
    reference: ClassVar[str] = "crammerdekel2006"
    learners: ClassVar[frozenset[str]] = frozenset({"PassiveAggressive"})
    setting: ClassVar[str] = 'variant="PA-I", every row with importance 1'

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The level and the largest step must be positive."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)
        yield Hypothesis("aggressiveness > 0", self.aggressiveness, self.aggressiveness > 0)

    def right_hand_side(self) -> Limit:
        """The distance from 0 to u and the losses, over the least progress of a mistake."""
        distance = self.comparator_norm_squared / self.margin**2
        paid = 2 * self.aggressiveness * self.loss / self.margin
        return at_most(max(self.radius_squared, 1 / self.aggressiveness) * (distance + paid))

"""PA, which takes the whole step, on a separable stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class PassiveAggressiveSeparable(MistakeBound):
    """Mistakes, and squared losses, of PA on a separable stream.

    **Theorem** (Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006, Theorem 2). PA starts at
    w = 0 and, in every round with the loss l_t = 1 - y_t w.x_t > 0, adds (l_t/||x_t||^2) y_t x_t.
    Let y_t u.x_t >= gamma > 0 and ||x_t|| <= R in all these rounds. Then

        M <= sum of l_t^2 <= R^2 ||u||^2 / gamma^2.

    For the mistakes alone R may be the largest norm of a mistake round.

    **Hypotheses.** gamma > 0. The margin is needed in every round with a loss, even if the
    prediction was right: those rounds change the weights, too.

    **Proof idea.** With v = u/gamma, whose loss is 0, a step lowers ||w - v||^2 by at least
    l_t^2/||x_t||^2. It starts at ||v||^2 and never falls below 0. A mistake has l_t >= 1.

    **How tight.** Reached by orthonormal examples, all labelled -1.

    **What it does not say.** Nothing about the number of updates, whose losses may be arbitrarily
    small, and nothing with noise: see `PassiveAggressiveSquaredHinge`.

    >>> PassiveAggressiveSeparable(
    ...     radius_squared=1, comparator_norm_squared=5, margin=1
    ... ).max_mistakes()
    5
    """

    radius_squared: Size = Size("R^2: the largest ||x||^2 of a round with a loss (or a mistake)")
    comparator_norm_squared: Size = Size("||u||^2 of the comparator")
    margin: Exact = Exact("gamma: the smallest y u.x of a round with a loss")

    statement: ClassVar[str] = "M <= sum of l^2 <= R^2 ||u||^2 / gamma^2"
    reference: ClassVar[str] = "crammerdekel2006"
    learners: ClassVar[frozenset[str]] = frozenset({"PassiveAggressive"})
    setting: ClassVar[str] = 'variant="PA"'

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The margin must be positive."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)

    def right_hand_side(self) -> Limit:
        """R^2 ||u||^2 / gamma^2."""
        return at_most(self.radius_squared * self.comparator_norm_squared / self.margin**2)

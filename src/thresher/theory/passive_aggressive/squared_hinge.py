"""PA, which takes the whole step, on any stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.enclosure import sqrt
from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class PassiveAggressiveSquaredHinge(MistakeBound):
    """Mistakes, and squared losses, of PA on any stream.

    **Theorem** (after Crammer, Dekel, Keshet, Shalev-Shwartz and Singer 2006, Theorem 3). PA as in
    `PassiveAggressiveSeparable`. For every u and every level gamma > 0, let D^2 be the sum of
    (max(0, gamma - y_t u.x_t)/||x_t||)^2 over the rounds with a loss, or over all rounds, and
    ||x_t|| <= R in the rounds with a loss. Then

        M <= sum of l_t^2 <= R^2 (D + sqrt(D^2 + ||u||^2))^2 / gamma^2.

    For the mistakes alone R may be the largest norm of a mistake round.

    **Hypotheses.** gamma > 0, and no row of zeros: PA cannot learn from one.

    **Proof idea.** With v = u/gamma and its losses k_t at level 1, a step lowers ||w - v||^2 by at
    least (l_t^2 - 2 l_t k_t)/||x_t||^2. By Cauchy-Schwarz the root of the sum of l_t^2/||x_t||^2,
    call it S, satisfies S^2 - 2 S D/gamma <= ||v||^2. A mistake has l_t >= 1.

    **How tight.** Without deviations it is `PassiveAggressiveSeparable`, which is reached. One
    example whose label is always the opposite of the prediction reaches squared losses of 0.99 of
    the bound in 200 rounds, and mistakes of 1/4 of it: its losses are 2.

    **What it does not say.** One short row that u gets wrong is expensive, because PA makes a
    large step for it: the bound divides each deviation by ||x_t||. A u chosen after the run must
    be quoted with its deviations over all rounds.

    >>> PassiveAggressiveSquaredHinge(
    ...     radius_squared=1, comparator_norm_squared=5, margin=1, relative_deviation_squared=4
    ... ).max_mistakes()
    25
    """

    radius_squared: Size = Size("R^2: the largest ||x||^2 of a round with a loss (or a mistake)")
    comparator_norm_squared: Size = Size("||u||^2 of the comparator")
    margin: Exact = Exact("gamma: the level at which the hinge loss is taken")
    relative_deviation_squared: Size = Size(
        "D^2: the sum of (hinge loss of u / ||x||)^2 over the rounds with a loss, or over all"
    )

    statement: ClassVar[str] = "M <= sum of l^2 <= R^2 (D + sqrt(D^2 + ||u||^2))^2 / gamma^2"
    reference: ClassVar[str] = "crammerdekel2006"
    learners: ClassVar[frozenset[str]] = frozenset({"PassiveAggressive"})
    setting: ClassVar[str] = 'variant="PA"'

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The level must be positive."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)

    def right_hand_side(self) -> Limit:
        """The square, multiplied out so that one root is left."""
        off, size = self.relative_deviation_squared, self.comparator_norm_squared
        square = size + 2 * off + 2 * sqrt(off * (off + size))
        return at_most(self.radius_squared / self.margin**2 * square)

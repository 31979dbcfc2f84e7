"""The Perceptron on any stream, through the squared hinge loss of a comparator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.enclosure import sqrt
from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class PerceptronSquaredHinge(MistakeBound):
    """Mistakes of the Perceptron on any stream, from squared deviations.

    **Theorem** (Freund and Schapire 1999). For every u and gamma > 0, let D^2 be the sum of
    max(0, gamma - y_t u.x_t)^2 over the mistake rounds, or over all rounds, and ||x_t|| <= R
    in the mistake rounds. Then

        M <= ((R ||u|| + D) / gamma)^2.

    **Hypotheses.** gamma > 0. Any u will do.

    **Proof idea.** The losses of M rounds sum to at most D sqrt(M) (Cauchy-Schwarz), so
    gamma M - D sqrt(M) <= u.w <= R ||u|| sqrt(M); divide by sqrt(M).

    **How tight.** Reached when all deviations are equal: orthonormal examples at a level above
    1.

    **What it does not say.** Few large deviations cost more here than in `PerceptronHinge`,
    many small ones less; neither bound is always the better. A u chosen after the run must be
    quoted with its losses over all rounds.

    >>> PerceptronSquaredHinge(
    ...     radius_squared=1, comparator_norm_squared=1, margin=1, deviation_squared=4
    ... ).max_mistakes()
    9
    """

    radius_squared: Size = Size("R^2: the largest ||x||^2 of a mistake round")
    comparator_norm_squared: Size = Size("||u||^2 of the comparator")
    margin: Exact = Exact("gamma: the level at which the hinge loss is taken")
    deviation_squared: Size = Size("D^2: the summed squared hinge loss of u")

    statement: ClassVar[str] = "M <= ((R ||u|| + D) / gamma)^2"
    reference: ClassVar[str] = "freundschapire1999"
    learners: ClassVar[frozenset[str]] = frozenset({"Perceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The level must be positive."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)

    def right_hand_side(self) -> Limit:
        """The square, multiplied out so that one root is left."""
        size = self.radius_squared * self.comparator_norm_squared
        cross = 2 * sqrt(size * self.deviation_squared)
        return at_most((size + self.deviation_squared + cross) / self.margin**2)

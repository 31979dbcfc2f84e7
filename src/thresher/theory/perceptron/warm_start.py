"""The Perceptron from any starting weights: suffixes, chunks and resumed runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.enclosure import sqrt
from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class PerceptronWarmStart(MistakeBound):
    """Further mistakes of a Perceptron that starts at w0.

    **Theorem.** Let the Perceptron start at w0. For every u and gamma > 0, the number K of its
    further mistakes satisfies

        gamma K + u.w0 - L <= ||u|| sqrt(||w0||^2 + K R^2),

    with L the hinge loss of u at level gamma and R the largest norm over those mistakes. The
    bound is the largest K for which this is true.

    **Hypotheses.** gamma > 0, and (u.w0)^2 <= ||u||^2 ||w0||^2, which every true measurement
    satisfies (Cauchy-Schwarz).

    **Proof idea.** u.w rises by at least gamma - loss per mistake from u.w0, and ||w||^2 by at
    most R^2 per mistake from ||w0||^2. Squaring leaves a quadratic in K; its larger root counts.

    **How tight.** Reached by the second half of an orthonormal stream.

    **What it does not say.** Nothing about the mistakes made before w0 was reached: add them.

    >>> cold = PerceptronWarmStart(
    ...     start_norm_squared=0, start_alignment=0, radius_squared=1,
    ...     comparator_norm_squared=5, margin=1, loss=0,
    ... )
    >>> cold.max_mistakes()
    5
    """

    start_norm_squared: Size = Size("||w0||^2 of the starting weights")
    start_alignment: Exact = Exact("u.w0")
    radius_squared: Size = Size("R^2: the largest ||x||^2 of a further mistake round")
    comparator_norm_squared: Size = Size("||u||^2 of the comparator")
    margin: Exact = Exact("gamma: the level at which the hinge loss is taken")
    loss: Size = Size("L: the hinge loss of u summed over the further rounds", default=0)

    statement: ClassVar[str] = "gamma K + u.w0 - L <= ||u|| sqrt(||w0||^2 + K R^2)"
    reference: ClassVar[str] = "novikoff1962"
    learners: ClassVar[frozenset[str]] = frozenset({"Perceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The level must be positive, the alignment possible."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)
        possible = self.comparator_norm_squared * self.start_norm_squared
        yield Hypothesis(
            "(u.w0)^2 <= ||u||^2 ||w0||^2",
            f"{self.start_alignment**2} > {possible}",
            self.start_alignment**2 <= possible,
        )

    def right_hand_side(self) -> Limit:
        """The larger root K of the squared inequality."""
        margin, size = self.margin, self.comparator_norm_squared
        ahead = self.start_alignment - self.loss
        linear = size * self.radius_squared - 2 * margin * ahead
        constant = size * self.start_norm_squared - ahead**2
        root = sqrt(linear**2 + 4 * margin**2 * constant)
        return at_most((root + linear) / (2 * margin**2))

"""The Perceptron on a separable stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class Novikoff(MistakeBound):
    """Mistakes of the Perceptron on a separable stream.

    **Theorem** (Block 1962, Novikoff 1962). Let some u satisfy y_t u.x_t >= gamma > 0 in every
    mistake round, and let ||x_t|| <= R there. The Perceptron started at w = 0 makes at most

        M <= R^2 ||u||^2 / gamma^2

    mistakes, whatever the order and the length of the stream.

    **Hypotheses.** gamma > 0. It is the functional margin: for a geometric margin put
    ||u|| = 1. Separation and radius hold by measurement.

    **Proof idea.** Each mistake raises u.w by at least gamma and ||w||^2 by at most R^2, so
    gamma M <= u.w <= ||u|| ||w|| <= ||u|| R sqrt(M).

    **How tight.** Reached by orthonormal examples, and in three dimensions for every value of the
    bound.

    **What it does not say.** Nothing about a stream that no u separates (use
    `PerceptronHinge`), and nothing about a start other than w = 0 (use `PerceptronWarmStart`).
    One update need not repair the example that caused it.

    >>> Novikoff(radius_squared=1, comparator_norm_squared=5, margin=1).max_mistakes()
    5
    >>> Novikoff(radius_squared=1, comparator_norm_squared=5, margin=0).max_mistakes()
    Traceback (most recent call last):
    thresher.errors.HypothesisError: Novikoff does not apply: it needs margin > 0, measured 0.
    """

    radius_squared: Size = Size("R^2: the largest ||x||^2 of a mistake round")
    comparator_norm_squared: Size = Size("||u||^2 of the comparator")
    margin: Exact = Exact("gamma: the smallest y u.x of a mistake round")

    statement: ClassVar[str] = "M <= R^2 ||u||^2 / gamma^2"
    reference: ClassVar[str] = "novikoff1962"
    learners: ClassVar[frozenset[str]] = frozenset({"Perceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The margin must be positive."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)

    def right_hand_side(self) -> Limit:
        """R^2 ||u||^2 / gamma^2."""
        return at_most(self.radius_squared * self.comparator_norm_squared / self.margin**2)

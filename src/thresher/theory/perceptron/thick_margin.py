"""The Perceptron that also updates on narrow successes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class PerceptronThickMargin(MistakeBound):
    """Updates of the Perceptron that updates whenever y w.x <= tau, and the margin it reaches.

    **Theorem** (Krauth and Mezard 1987; Li, Zaragoza, Herbrich, Shawe-Taylor, Kandola 2002).
    Let y_t u.x_t >= gamma > 0 and ||x_t|| <= R in every update round. Started at w = 0, the
    number of updates, hence of mistakes, is at most

        U <= (R^2 + 2 tau) ||u||^2 / gamma^2.

    If a pass over a fixed set ends without an update, w separates that set with geometric
    margin above tau g / (R^2 + 2 tau), where g = gamma / ||u||.

    **Hypotheses.** gamma > 0 and tau >= 0.

    **Proof idea.** As `Novikoff`, with ||w||^2 growing by at most R^2 + 2 tau per update. Then
    ||w|| <= (R^2 + 2 tau) ||u|| / gamma, and y w.x > tau on the whole set.

    **How tight.** A stream in three dimensions, each example with y w.x = tau, reaches 0.99 of the
    bound.

    **What it does not say.** The margin reached stays below g / 2 in this statement, however
    large tau is.

    >>> PerceptronThickMargin(
    ...     radius_squared=1, comparator_norm_squared=1, margin=1, thickness=2
    ... ).max_mistakes()
    5
    """

    radius_squared: Size = Size("R^2: the largest ||x||^2 of an update round")
    comparator_norm_squared: Size = Size("||u||^2 of the comparator")
    margin: Exact = Exact("gamma: the smallest y u.x of an update round")
    thickness: Exact = Exact("tau: updates happen when y w.x <= tau")

    statement: ClassVar[str] = "U <= (R^2 + 2 tau) ||u||^2 / gamma^2"
    reference: ClassVar[str] = "krauthmezard1987"
    learners: ClassVar[frozenset[str]] = frozenset({"Perceptron"})
    setting: ClassVar[str] = "margin given"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The margin must be positive, the thickness not negative."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)
        yield Hypothesis("thickness >= 0", self.thickness, self.thickness >= 0)

    def right_hand_side(self) -> Limit:
        """(R^2 + 2 tau) ||u||^2 / gamma^2."""
        growth = self.radius_squared + 2 * self.thickness
        return at_most(growth * self.comparator_norm_squared / self.margin**2)

    def margin_reached_squared(self) -> Fraction:
        """The square of the geometric margin exceeded after a pass without update.

        >>> PerceptronThickMargin(1, 1, 1, thickness=2).margin_reached_squared()
        Fraction(4, 25)
        """
        self.limit()
        growth = self.radius_squared + 2 * self.thickness
        return (self.thickness * self.margin / growth) ** 2 / self.comparator_norm_squared

"""The Perceptron on a separable stream, with the norms that really occurred."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.enclosure import sqrt
from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class NovikoffBySum(MistakeBound):
    """Mistakes of the Perceptron, from the summed squared norms of its mistake rounds.

    **Theorem** (the middle of Novikoff's chain). Let y_t u.x_t >= gamma > 0 in every mistake
    round, and let S be the sum of ||x_t||^2 over the mistake rounds. Started at w = 0,

        M <= ||u|| sqrt(S) / gamma.

    **Hypotheses.** gamma > 0.

    **Proof idea.** gamma M <= u.w <= ||u|| ||w|| and ||w||^2 <= S. Since S <= R^2 M, this is
    never above the bound of `Novikoff`, and below it when the norms differ.

    **How tight.** Reached by orthonormal examples.

    **What it does not say.** It is not known before the run: S is measured on the mistakes
    themselves. It certifies a finished run; it promises nothing about the next round.

    >>> NovikoffBySum(norm_squared_sum=9, comparator_norm_squared=4, margin=2).bound()
    Fraction(3, 1)
    """

    norm_squared_sum: Size = Size("S: the sum of ||x||^2 over the mistake rounds")
    comparator_norm_squared: Size = Size("||u||^2 of the comparator")
    margin: Exact = Exact("gamma: the smallest y u.x of a mistake round")

    statement: ClassVar[str] = "M <= ||u|| sqrt(S) / gamma"
    reference: ClassVar[str] = "novikoff1962"
    learners: ClassVar[frozenset[str]] = frozenset({"Perceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The margin must be positive."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)

    def right_hand_side(self) -> Limit:
        """sqrt(S ||u||^2 / gamma^2)."""
        squared = self.norm_squared_sum * self.comparator_norm_squared / self.margin**2
        return at_most(sqrt(squared))

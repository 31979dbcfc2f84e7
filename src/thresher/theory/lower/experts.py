"""What no deterministic learner can beat among experts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis, Limit, LowerBound, at_most


@dataclass(frozen=True)
class ExpertsLower(LowerBound):
    """Mistakes forced among N experts one of whom is perfect.

    **Theorem** (folklore; Littlestone and Warmuth 1994). Every deterministic learner can be
    made to err at least

        M >= floor(log2 N)

    times among N experts while one of them never errs.

    **Hypotheses.** N >= 1, and the adversary chooses the experts' predictions.

    **Proof idea.** Let 2^m of the experts be all sign patterns of m rounds and answer the
    opposite of each prediction: the pattern that results is one of the experts. Halving and
    `NormalizedWinnowTuned` at full margin reach it.

    **How tight.** Reached by Halving.

    **What it does not say.** Nothing about experts whose predictions are given.

    >>> ExpertsLower(n_experts=1000).min_mistakes()
    9
    """

    n_experts: Count = Count("N: the number of experts")

    statement: ClassVar[str] = "M >= floor(log2 N)"
    reference: ClassVar[str] = "littlestonewarmuth1994"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """At least one expert."""
        yield Hypothesis("n_experts >= 1", self.n_experts, self.n_experts >= 1)

    def right_hand_side(self) -> Limit:
        """floor(log2 N), from the length of the number."""
        return at_most(Fraction(self.n_experts.bit_length() - 1))

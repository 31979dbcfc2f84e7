"""What no deterministic learner can beat on monotone disjunctions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis, Limit, LowerBound, at_most


@dataclass(frozen=True)
class DisjunctionLower(LowerBound):
    """Mistakes forced on monotone disjunctions of r of d features.

    **Theorem** (Littlestone 1988). Every deterministic learner can be made to err at least

        M >= r floor(log2(d/r))

    times by labels that agree with a monotone disjunction of r of d binary features.

    **Hypotheses.** 1 <= r <= d.

    **Proof idea.** Split 2^b r features into r blocks, b = floor(log2(d/r)); search for one
    relevant feature in each block by bisection, answering the opposite of each prediction.

    **How tight.** Reached by Halving for r = 1.

    **What it does not say.** That Winnow is optimal: it is within a constant factor, and its
    threshold must know r to have the same shape (`optimal_threshold`).

    >>> DisjunctionLower(n_features=1024, relevant=8).min_mistakes()
    56
    """

    n_features: Count = Count("d: the number of features")
    relevant: Count = Count("r: how many features the disjunction names")

    statement: ClassVar[str] = "M >= r floor(log2(d/r))"
    reference: ClassVar[str] = "littlestone1988"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """At least one relevant feature, and no more than features."""
        yield Hypothesis("relevant >= 1", self.relevant, self.relevant >= 1)
        yield Hypothesis("relevant <= n_features", self.relevant, self.relevant <= self.n_features)

    def right_hand_side(self) -> Limit:
        """R times the length of the whole quotient, less one."""
        bisections = (self.n_features // self.relevant).bit_length() - 1
        return at_most(Fraction(self.relevant * bisections))

"""Weighted Majority that flips a coin instead of voting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.finite.weighted_majority import expert_hypotheses, price_of_best
from thresher.theory.quantities import Count, Exact
from thresher.theory.theorem import ExpectedMistakes, Hypothesis, Limit, at_most


@dataclass(frozen=True)
class RandomizedMajorityBest(ExpectedMistakes):
    """Expected mistakes of randomised Weighted Majority against its best expert.

    **Theorem** (Littlestone and Warmuth 1994). With N experts, the best of which errs m* times
    on a stream fixed in advance, the learner that follows expert i with probability
    proportional to its weight, and multiplies the weight of every wrong expert by b, has

        E[M] <= (ln N + m* ln(1/b)) / (1 - b).

    **Hypotheses.** N >= 1 and 0 <= b < 1; b = 0 needs m* = 0. The labels do not depend on the
    learner's random draws.

    **Proof idea.** If a share f of the weight is wrong, the learner errs with probability f and
    the weight falls to 1 - (1 - b) f <= exp(-(1 - b) f) of itself.

    **How tight.** Experts that split the weight evenly reach 0.8 of the bound.

    **What it does not say.** Nothing about a single run: it bounds an average, so it is not
    rounded to an integer.

    >>> round(RandomizedMajorityBest(n_experts=16, best_mistakes=3, beta=0.5).bound(), 3)
    9.704
    """

    n_experts: Count = Count("N: the number of experts")
    best_mistakes: Count = Count("m*: mistakes of the best expert", default=0)
    beta: Exact = Exact("b: what a wrong expert's weight is multiplied by", default=Fraction(1, 2))

    statement: ClassVar[str] = "E[M] <= (ln N + m* ln(1/b)) / (1 - b)"
    reference: ClassVar[str] = "littlestonewarmuth1994"
    learners: ClassVar[frozenset[str]] = frozenset({"RandomizedWeightedMajority"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """There are experts, and a factor that spares the best one."""
        yield from expert_hypotheses(self.n_experts, self.best_mistakes, self.beta)

    def right_hand_side(self) -> Limit:
        """How far the weight can fall, over the factor in the exponent."""
        fall = price_of_best(self.n_experts, self.best_mistakes, self.beta)
        return at_most(fall / (1 - self.beta))

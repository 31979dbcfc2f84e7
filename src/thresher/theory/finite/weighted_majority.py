"""Weighted Majority, none of whose experts need be perfect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.enclosure import Real, ln, log2, real
from thresher.theory.quantities import Count, Exact
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


def expert_hypotheses(n_experts: int, best: int, beta: Fraction) -> Iterator[Hypothesis]:
    """There are experts, and a factor that spares the best one."""
    yield Hypothesis("n_experts >= 1", n_experts, n_experts >= 1)
    yield Hypothesis("0 <= beta < 1", beta, 0 <= beta < 1)
    yield Hypothesis("beta > 0, unless the best expert is perfect", best, beta > 0 or best == 0)


def price_of_best(n_experts: int, best: int, beta: Fraction) -> Real:
    """Ln N + m* ln(1/b): how far the total weight can fall."""
    return ln(n_experts) + (best * ln(1 / beta) if best else real(0))


@dataclass(frozen=True)
class WeightedMajorityBest(MistakeBound):
    """Mistakes of Weighted Majority against its best expert.

    **Theorem** (Littlestone and Warmuth 1994). With N experts, the best of which errs m* times,
    Weighted Majority with factor b makes at most

        M <= (ln N + m* ln(1/b)) / ln(2/(1 + b)).

    **Hypotheses.** N >= 1 and 0 <= b < 1; b = 0, which is Halving, needs m* = 0.

    **Proof idea.** At a mistake at least half of the weight was wrong, so the total falls to at
    most (1 + b)/2 of itself; the best expert keeps it at b^m* or above.

    **How tight.** Experts that split the weight evenly reach 0.9 of the bound.

    **What it does not say.** It is never better than twice the best expert: no deterministic
    learner is. For b = 1/2 it is 2.41 (log2 N + m*).

    >>> WeightedMajorityBest(n_experts=16, best_mistakes=3, beta=0.5).max_mistakes()
    16
    """

    n_experts: Count = Count("N: the number of experts")
    best_mistakes: Count = Count("m*: mistakes of the best expert", default=0)
    beta: Exact = Exact("b: what a wrong expert's weight is multiplied by", default=Fraction(1, 2))

    statement: ClassVar[str] = "M <= (ln N + m* ln(1/b)) / ln(2/(1 + b))"
    reference: ClassVar[str] = "littlestonewarmuth1994"
    learners: ClassVar[frozenset[str]] = frozenset({"WeightedMajority"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """There are experts, and a factor that spares the best one."""
        yield from expert_hypotheses(self.n_experts, self.best_mistakes, self.beta)

    def right_hand_side(self) -> Limit:
        """How far the weight can fall, over how far a mistake makes it fall."""
        if self.beta == 0:
            return at_most(log2(self.n_experts))
        fall = price_of_best(self.n_experts, self.best_mistakes, self.beta)
        return at_most(fall / ln(2 / (1 + self.beta)))

"""How much riskier a learner is than one of its experts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.enclosure import ln, sqrt
from thresher.theory.quantities import Count, Exact
from thresher.theory.risk.hoeffding import stream_hypotheses
from thresher.theory.theorem import Hypothesis, Limit, RiskBound, at_most


@dataclass(frozen=True)
class RiskDifference(RiskBound):
    """Mean risk of a learner's hypotheses less that of an expert's, in the same rounds.

    **Theorem** (Azuma 1967, Hoeffding 1963). On T independent examples of one distribution let
    the learner err M times and expert e m_e times, both predicting before the label is seen. With
    probability at least 1 - delta, for all N experts at once, the mean true risk of the learner's
    hypotheses exceeds that of the expert's by at most

        (M - m_e)/T + sqrt(2 ln(N/delta) / T).

    **Hypotheses.** T fixed before the run, M <= T, m_e <= T, N >= 1, 0 < delta < 1; independent
    examples, each predicted before its label was seen, one pass.

    **Proof idea.** The difference of the two mistakes is -1, 0 or +1; less its expectation given
    the past it is a bounded martingale difference. N experts share delta.

    **How tight.** In one round, a learner and an expert that always disagree make the bound fail
    with probability 0.82 delta.

    **What it does not say.** Nothing about risks themselves: see `MeanRiskAnytime`. A negative
    bound means that the learner is better than the expert.

    >>> difference = RiskDifference(
    ...     mistakes=400, expert_mistakes=450, rounds=10_000, delta=0.05, experts=10
    ... )
    >>> round(difference.max_risk(), 4)
    0.0276
    """

    mistakes: Count = Count("M: mistakes of the learner in the first pass")
    expert_mistakes: Count = Count("m_e: mistakes of the expert in the same rounds")
    rounds: Count = Count("T: rounds, fixed before the run")
    delta: Exact = Exact("delta: the probability with which the statement may fail")
    experts: Count = Count("N: the experts for whom it holds at once", default=1)

    statement: ClassVar[str] = "mean risk - mean risk of e <= (M - m_e)/T + sqrt(2 ln(N/delta)/T)"
    reference: ClassVar[str] = "azuma1967"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A stream that is not empty, counts that fit it, a real confidence."""
        yield from stream_hypotheses(self.mistakes, self.rounds, self.delta)
        expert = self.expert_mistakes
        yield Hypothesis("expert_mistakes <= rounds", expert, expert <= self.rounds)
        yield Hypothesis("experts >= 1", self.experts, self.experts >= 1)

    def right_hand_side(self) -> Limit:
        """The observed difference and a deviation."""
        deviation = sqrt(2 * ln(self.experts / self.delta) / self.rounds)
        return at_most(deviation + Fraction(self.mistakes - self.expert_mistakes, self.rounds))

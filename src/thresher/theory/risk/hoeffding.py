"""From mistakes to risk, by Hoeffding's inequality."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.enclosure import ln, sqrt
from thresher.theory.quantities import Count, Exact
from thresher.theory.theorem import Hypothesis, Limit, RiskBound, at_most


def stream_hypotheses(mistakes: int, rounds: int, delta: Fraction) -> Iterator[Hypothesis]:
    """A stream that is not empty, no more mistakes than rounds, a real confidence."""
    yield Hypothesis("rounds >= 1", rounds, rounds >= 1)
    yield Hypothesis("mistakes <= rounds", mistakes, mistakes <= rounds)
    yield Hypothesis("0 < delta < 1", delta, 0 < delta < 1)


@dataclass(frozen=True)
class MeanRiskHoeffding(RiskBound):
    """Mean risk of the hypotheses used in T rounds, in its simplest form.

    **Theorem** (Cesa-Bianchi, Conconi and Gentile 2004; Azuma, Hoeffding). On T independent
    examples of one distribution, with probability at least 1 - delta, the mean true risk of
    the hypotheses with which the rounds were predicted is at most

        M/T + sqrt(ln(1/delta) / (2T)).

    **Hypotheses.** T fixed before the run, M <= T, 0 < delta < 1; independent examples, each
    predicted before its label was seen, one pass.

    **Proof idea.** Mistakes minus risks are bounded martingale differences.

    **How tight.** A hypothesis of constant risk makes the bound fail with probability 0.82 delta
    for T = 1, and 0.2 to 0.4 delta for T from 10 to 40.

    **What it does not say.** Nothing about the final hypothesis, or about averaged weights.
    With few mistakes `MeanRiskKl` and `MeanRiskAnytime` are far smaller.

    >>> round(MeanRiskHoeffding(mistakes=10, rounds=1000, delta=0.05).max_risk(), 4)
    0.0487
    """

    mistakes: Count = Count("M: mistakes in the first pass")
    rounds: Count = Count("T: rounds, fixed before the run")
    delta: Exact = Exact("delta: the probability with which the statement may fail")

    statement: ClassVar[str] = "mean risk <= M/T + sqrt(ln(1/delta)/(2T))"
    reference: ClassVar[str] = "cesabianchiconconigentile2004"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A stream that is not empty, no more mistakes than rounds, a real confidence."""
        yield from stream_hypotheses(self.mistakes, self.rounds, self.delta)

    def right_hand_side(self) -> Limit:
        """The observed rate and a deviation."""
        deviation = sqrt(ln(1 / self.delta) / (2 * self.rounds))
        return at_most(deviation + Fraction(self.mistakes, self.rounds))

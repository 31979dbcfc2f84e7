"""The risk of one model, from rows that had no part in making it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.enclosure import ceil, exp, is_positive, ln, sqrt
from thresher.theory.quantities import Count, Exact
from thresher.theory.risk.binomial_tail import at_most as at_most_heads
from thresher.theory.risk.hoeffding import MeanRiskHoeffding, stream_hypotheses
from thresher.theory.theorem import Hypothesis, Limit, RiskBound, at_most

GRID = 2**64


@dataclass(frozen=True)
class HoldoutRisk(RiskBound):
    """Risk of one model that was wrong on M of T held-out rows.

    **Theorem** (Clopper and Pearson 1934). Let a model be fixed, then T independent examples of
    one distribution be drawn, and M of them be predicted wrongly. With probability at least
    1 - delta its true risk is at most the largest p with

        P(at most M heads in T throws of a coin with probability p) >= delta.

    Without a mistake that is 1 - delta^(1/T). The value is rounded up by at most 2^-64.

    **Hypotheses.** T >= 1, M <= T, 0 < delta < 1; the rows are independent, of the distribution
    the risk is about, and had no part in training or in choosing the model.

    **Proof idea.** The probability of at most M mistakes falls with the risk. A risk above the
    bound gives M or fewer mistakes with a probability below delta.

    **How tight.** A risk just above the bound for M makes the bound fail with a probability
    arbitrarily close to delta, for every M and T.

    **What it does not say.** Nothing about the models during the run: see `MeanRiskAnytime`. Rows
    that were used to choose between models are no longer held out: give each of k models delta/k.

    >>> round(HoldoutRisk(mistakes=10, rounds=1000, delta=0.05).max_risk(), 6)
    0.016903
    """

    mistakes: Count = Count("M: held-out rows predicted wrongly")
    rounds: Count = Count("T: held-out rows")
    delta: Exact = Exact("delta: the probability with which the statement may fail")

    statement: ClassVar[str] = "risk <= max p: P(Binomial(T, p) <= M) >= delta"
    reference: ClassVar[str] = "clopperpearson1934"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """Some rows, no more mistakes than rows, a real confidence."""
        yield from stream_hypotheses(self.mistakes, self.rounds, self.delta)

    def right_hand_side(self) -> Limit:
        """The largest risk that is not refuted, by bisection."""
        if self.mistakes == self.rounds:
            return at_most(1)
        if not self.mistakes:
            return at_most(1 - exp(ln(self.delta) / self.rounds))
        low, high = self._surely_possible(), self._surely_refuted()
        while high - low > 1:
            middle = (low + high) // 2
            chance = at_most_heads(self.mistakes, self.rounds, Fraction(middle, GRID))
            if is_positive(self.delta - chance):
                high = middle
            else:
                low = middle
        return at_most(Fraction(high, GRID))

    def _surely_possible(self) -> int:
        """A risk in units of the grid with which M or fewer have probability delta or more.

        M is the median at M/T; below that Hoeffding's inequality says how far to go.
        """
        rate = Fraction(self.mistakes, self.rounds)
        if self.delta < Fraction(1, 2):
            return int(rate * GRID)
        below = sqrt(ln(1 / (1 - self.delta)) / (2 * self.rounds))
        return max(0, int(rate * GRID) - ceil(below * GRID))

    def _surely_refuted(self) -> int:
        """A risk in units of the grid that Hoeffding's inequality refutes."""
        hoeffding = MeanRiskHoeffding(self.mistakes, self.rounds, self.delta)
        return min(GRID, ceil(hoeffding.right_hand_side().value * GRID))

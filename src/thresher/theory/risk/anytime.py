"""From mistakes to risk, at every moment of the stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.enclosure import Real, exp, float_above, ln
from thresher.theory.quantities import Count, Exact
from thresher.theory.risk.hoeffding import stream_hypotheses
from thresher.theory.theorem import Hypothesis, Limit, RiskBound, at_most

RATES = tuple(Fraction(2) ** j for j in range(-7, 5))


@dataclass(frozen=True)
class MeanRiskAnytime(RiskBound):
    """Mean risk of the hypotheses used so far, valid in all rounds at once.

    **Theorem** (Ville's inequality on a Chernoff martingale; see Howard, Ramdas, McAuliffe and
    Sekhon 2020). On independent examples of one distribution, with probability at least
    1 - delta, for **all** T simultaneously, the mean true risk of the hypotheses with which
    rounds 1..T were predicted is at most

        min over lambda of (1 - exp(-(lambda M_T + ln(12/delta))/T)) / (1 - exp(-lambda)),

    lambda in {2^-7, 2^-6, ..., 2^4}.

    **Hypotheses.** M <= T, 0 < delta < 1; independent examples, each predicted before its label
    was seen, one pass. T may be chosen while looking at the stream.

    **Proof idea.** exp(-lambda M - sum ln(1 - p_t(1 - exp(-lambda)))) is a martingale of mean
    1, so it stays below 12/delta except with probability delta/12; ln is concave; twelve
    values of lambda share delta.

    **How tight.** A hypothesis of constant risk 1/2 makes the bound fail within 600 rounds with
    probability 0.22 delta; twelve rates share delta.

    **What it does not say.** Nothing about the current hypothesis alone: see `StreakRisk`.

    >>> round(MeanRiskAnytime(mistakes=10, rounds=1000, delta=0.05).max_risk(), 4)
    0.0243
    """

    mistakes: Count = Count("M: mistakes so far")
    rounds: Count = Count("T: rounds so far")
    delta: Exact = Exact("delta: the probability with which the statement may ever fail")

    statement: ClassVar[str] = (
        "for all T: mean risk <= min_l (1 - exp(-(l M + ln(12/delta))/T)) / (1 - exp(-l))"
    )
    reference: ClassVar[str] = "howardramdas2020"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A stream that is not empty, no more mistakes than rounds, a real confidence."""
        yield from stream_hypotheses(self.mistakes, self.rounds, self.delta)

    def right_hand_side(self) -> Limit:
        """The smallest of the twelve; each of them is valid."""
        return at_most(min(map(self._at, RATES), key=float_above))

    def _at(self, rate: Fraction) -> Real:
        spent = ln(len(RATES) / self.delta) + rate * self.mistakes
        return (1 - exp(-spent / self.rounds)) / (1 - exp(-rate))

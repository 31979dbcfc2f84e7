"""The logarithmic risk of averaged forecasts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.enclosure import float_above, ln, real, sqrt
from thresher.theory.quantities import Count, Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, RiskBound, at_most


@dataclass(frozen=True)
class AverageForecastRisk(RiskBound):
    """Logarithmic risk of the average of all forecasters used in T rounds.

    **Theorem** (Cesa-Bianchi, Conconi and Gentile 2004, with the logarithmic loss). In round t the
    forecaster p_t gives probabilities, and on every example, whatever its label, its loss -ln
    p_t(label) is at most b. Let L be the sum of its losses on T independent examples of one
    distribution. The forecaster that gives the average of p_1(x), ..., p_T(x) has, with
    probability at least 1 - delta, an expected loss of at most

        L/T + b sqrt(ln(1/delta) / (2T)).

    **Hypotheses.** T and b fixed before the run, L <= b T, 0 < delta < 1; independent examples,
    each predicted before its label was seen, one pass. A Committee's log-odds are kept within 8,
    so b = ln(1 + e^8), which is below 8.000336.

    **Proof idea.** Losses minus expected losses are bounded martingale differences. -ln is
    convex, so the loss of the average is at most the average of the losses (Jensen).

    **How tight.** A forecaster as confident as b = 8 allows makes the bound fail with probability
    0.82 delta for T = 1.

    **What it does not say.** Nothing about the last forecaster alone. The average errs with at
    most 1/ln 2 times this risk (``max_error()``), which is seldom sharp.

    >>> risk = AverageForecastRisk(loss=1000, rounds=10_000, delta=0.05, largest_loss=8.000336)
    >>> round(risk.max_risk(), 4), round(risk.max_error(), 4)
    (0.1979, 0.2855)
    """

    loss: Size = Size("L: the sum of -ln(probability of the label)")
    rounds: Count = Count("T: rounds, fixed before the run")
    delta: Exact = Exact("delta: the probability with which the statement may fail")
    largest_loss: Size = Size("b: what no loss can exceed, known before the run")

    statement: ClassVar[str] = "log risk of the average <= L/T + b sqrt(ln(1/delta)/(2T))"
    reference: ClassVar[str] = "cesabianchiconconigentile2004"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A stream that is not empty, losses within their bound, a real confidence."""
        yield Hypothesis("rounds >= 1", self.rounds, self.rounds >= 1)
        most = self.largest_loss * self.rounds
        yield Hypothesis("loss <= rounds * largest_loss", self.loss, self.loss <= most)
        yield Hypothesis("0 < delta < 1", self.delta, 0 < self.delta < 1)

    def right_hand_side(self) -> Limit:
        """The observed mean loss and a deviation."""
        deviation = self.largest_loss * sqrt(ln(1 / self.delta) / (2 * self.rounds))
        return at_most(real(self.loss / self.rounds) + deviation)

    def max_risk(self) -> float:
        """The expected loss, in natural units; it may exceed 1."""
        return float(self.bound())

    def max_error(self) -> float:
        """The probability that the likelier label of the average is wrong, not above 1."""
        return min(1.0, float_above(self.limit().value / ln(2)))

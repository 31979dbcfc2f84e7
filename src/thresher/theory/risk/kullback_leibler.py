"""From mistakes to risk, through the relative entropy of two coins."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.enclosure import DIGITS, Number, Real, float_above, is_positive, ln, pi, real
from thresher.theory.quantities import Count, Exact
from thresher.theory.risk.hoeffding import stream_hypotheses
from thresher.theory.theorem import Hypothesis, Limit, RiskBound, at_most

GRID = 2**64


def kl(q: Fraction, p: Fraction) -> Real:
    """The sum q ln(q/p) + (1-q) ln((1-q)/(1-p)) for 0 < p < 1, with 0 ln 0 = 0."""
    heads = q * ln(q / p) if q else real(0)
    tails = (1 - q) * ln((1 - q) / (1 - p)) if q != 1 else real(0)
    return heads + tails


def largest_risk(q: Fraction, budget: Number) -> Fraction:
    """The largest p >= q with kl(q||p) <= budget, rounded up by at most 2^-64."""
    low, high = q * GRID // 1, GRID
    # Where the guess is as good as it nearly always is, three places are tried instead of 64.
    guess = _guess(q, real(budget))
    tried = iter((guess, guess - 1, guess + 1))
    while high - low > 1:
        place = next(tried, (low + high) // 2)
        if not low < place < high:
            continue
        if is_positive(kl(q, Fraction(place, GRID)) - budget):
            high = place
        else:
            low = place
    return Fraction(high, GRID)


def _guess(q: Fraction, budget: Real) -> int:
    """About where the largest risk is on the grid: found by floats, and one step of Newton."""
    heads, most = float(q), float_above(budget)
    low, high = heads, 1.0
    while low < (p := (low + high) / 2) < high:
        nats = heads * math.log(heads / p) if heads else 0.0
        nats += (1 - heads) * math.log((1 - heads) / (1 - p))
        low, high = (low, p) if nats > most else (p, high)
    risk = Fraction(low)
    if not q < risk < 1:
        return 0
    excess = Fraction((kl(q, risk) - budget).enclose(DIGITS[0])[0])
    return round((risk - excess * risk * (1 - risk) / (risk - q)) * GRID)


@dataclass(frozen=True)
class MeanRiskKl(RiskBound):
    """Mean risk of the hypotheses used in T rounds, as sharp as coin tosses allow.

    **Theorem** (Cesa-Bianchi and Gentile 2005, in the form of a Chernoff bound). On T
    independent examples of one distribution, with probability at least 1 - delta, the mean
    true risk p of the hypotheses with which the rounds were predicted satisfies

        T kl(M/T || p) <= ln(pi^2 (M + 1)^2 / (6 delta)),

    kl(q||p) = q ln(q/p) + (1-q) ln((1-q)/(1-p)). The bound is the largest such p.

    **Hypotheses.** T fixed before the run, M <= T, 0 < delta < 1; independent examples, each
    predicted before its label was seen, one pass.

    **Proof idea.** Chernoff's bound for each possible number of mistakes m, with the share
    6 delta/(pi^2 (m+1)^2) of delta; the shares sum to delta.

    **How tight.** A hypothesis of constant risk just above the bound for M = 0 makes the bound
    fail with probability (6/pi^2) delta, for every T.

    **What it does not say.** Nothing if T is chosen while looking at the stream: see
    `MeanRiskAnytime`.

    >>> round(MeanRiskKl(mistakes=0, rounds=1000, delta=0.05).max_risk(), 5)
    0.00349
    """

    mistakes: Count = Count("M: mistakes in the first pass")
    rounds: Count = Count("T: rounds, fixed before the run")
    delta: Exact = Exact("delta: the probability with which the statement may fail")

    statement: ClassVar[str] = "T kl(M/T || mean risk) <= ln(pi^2 (M + 1)^2 / (6 delta))"
    reference: ClassVar[str] = "cesabianchigentile2005"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A stream that is not empty, no more mistakes than rounds, a real confidence."""
        yield from stream_hypotheses(self.mistakes, self.rounds, self.delta)

    def right_hand_side(self) -> Limit:
        """The largest risk the budget allows."""
        union = pi() * pi() * Fraction((self.mistakes + 1) ** 2) / (6 * self.delta)
        rate = Fraction(self.mistakes, self.rounds)
        return at_most(largest_risk(rate, ln(union) / self.rounds))


@dataclass(frozen=True)
class MeanRiskKlPrior(RiskBound):
    """Mean risk of the hypotheses used in T rounds, from a mistake bound known beforehand.

    **Theorem** (Chernoff). If a theorem guarantees M <= B before the run, then on T independent
    examples of one distribution, with probability at least 1 - delta, the mean true risk p
    of the hypotheses with which the rounds were predicted satisfies

        T kl(B/T || p) <= ln(1/delta).

    **Hypotheses.** B and T fixed before the run, B <= T, 0 < delta < 1; independent examples,
    each predicted before its label was seen, one pass.

    **Proof idea.** B is a constant, so the best lambda of the Chernoff bound is known
    beforehand and no share of delta is spent on possible values of M.

    **How tight.** A learner of constant risk until its mistake number B makes the bound fail with
    probability 0.29 delta at B = 1, T = 2; no worse one was found.

    **What it does not say.** B must come from a theorem, not from the run. Using the counted
    mistakes in place of B gives a smaller number than `MeanRiskKl`, which this proof does not
    cover: the mean risk is itself random, and so would be the best lambda.

    >>> round(MeanRiskKlPrior(allowed=10, rounds=1000, delta=0.05).max_risk(), 5)
    0.01976
    """

    allowed: Count = Count("B: the mistakes a theorem allows, known before the run")
    rounds: Count = Count("T: rounds, fixed before the run")
    delta: Exact = Exact("delta: the probability with which the statement may fail")

    statement: ClassVar[str] = "T kl(B/T || mean risk) <= ln(1/delta), B known before the run"
    reference: ClassVar[str] = "cesabianchigentile2005"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A stream longer than the bound, and a real confidence."""
        yield from stream_hypotheses(self.allowed, self.rounds, self.delta)

    def right_hand_side(self) -> Limit:
        """The largest risk the budget allows."""
        rate = Fraction(self.allowed, self.rounds)
        return at_most(largest_risk(rate, ln(1 / self.delta) / self.rounds))

"""From a run without mistakes to the risk of the one hypothesis that made it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.enclosure import exp, ln, pi
from thresher.theory.quantities import Count, Exact
from thresher.theory.theorem import Hypothesis, Limit, RiskBound, at_most


def guaranteed_streak(rounds: int, mistakes: int) -> int:
    """The longest run without mistakes is at least ceil((T - M)/(M + 1)).

    >>> guaranteed_streak(rounds=1000, mistakes=9)
    100
    """
    return -((mistakes - rounds) // (mistakes + 1))


@dataclass(frozen=True)
class StreakRisk(RiskBound):
    """Risk of one concrete hypothesis that has been right many times in a row.

    **Theorem** (Littlestone 1989; longest-survivor conversion). On independent examples of one
    distribution, with probability at least 1 - delta, for all versions s and all lengths n at
    once: the hypothesis after s updates, if it predicted n rounds in a row correctly since,
    has true risk at most

        1 - delta_s^(1/n),  delta_s = 6 delta / (pi^2 (s + 1)^2).

    **Hypotheses.** n >= 1, 0 < delta < 1; independent examples, each predicted before its label
    was seen, one pass; the hypothesis changes only at updates.

    **Proof idea.** A hypothesis of risk p survives n rounds with probability (1 - p)^n; for
    each version only the first n that would be long enough matters; the delta_s sum to delta.

    **How tight.** Versions of equal risk 1/1000 make the bound fail with probability 0.98 delta.

    **What it does not say.** Nothing about other versions. This bound is on the risk of the
    hypothesis itself, so no averaging or voting is needed.

    >>> round(StreakRisk(updates=5, streak=500, delta=0.05).max_risk(), 6)
    0.014054
    """

    updates: Count = Count("s: updates made before this hypothesis")
    streak: Count = Count("n: rounds it has predicted correctly, in a row, since then")
    delta: Exact = Exact("delta: the probability with which the statement may ever fail")

    statement: ClassVar[str] = "risk <= 1 - (6 delta/(pi^2 (s + 1)^2))^(1/n)"
    reference: ClassVar[str] = "littlestone1989"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A streak of at least one round, and a real confidence."""
        yield Hypothesis("streak >= 1", self.streak, self.streak >= 1)
        yield Hypothesis("0 < delta < 1", self.delta, 0 < self.delta < 1)

    def right_hand_side(self) -> Limit:
        """1 - exp(ln(delta_s)/n)."""
        share = Fraction(6) * self.delta / ((self.updates + 1) ** 2 * pi() * pi())
        return at_most(1 - exp(ln(share) / self.streak))

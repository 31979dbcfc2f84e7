"""Normalised Winnow among experts, a few of whom are right by majority."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.enclosure import ln, log2
from thresher.theory.exponentiated.divergence import coin_relative_entropy
from thresher.theory.perceptron.committee import committee_hypotheses, committee_margin
from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class NormalizedWinnowCommittee(MistakeBound):
    """Mistakes of normalised Winnow when the majority of k of N experts is always right.

    **Theorem** (a case of `NormalizedWinnowTuned`). Let x_t hold the votes -1/+1 of N experts
    and let the label be the sign of the summed votes of k of them, which is never 0. With
    eta = atanh(1/k) for odd k and atanh(2/k) for even k,

        M <= ln N / g(1/k) <= 2 k^2 ln N      for odd k,
        M <= ln N / g(2/k) <= (k^2/2) ln N    for even k.

    **Hypotheses.** 1 <= k <= N, and no round in which the k votes sum to 0.

    **Proof idea.** The committee's vote is at least 1 (odd) or 2 (even) in absolute value, and
    ||u||_1 = k.

    **How tight.** Reached for k = 1 by all sign patterns; the other cases are as tight as
    `NormalizedWinnowTuned`.

    **What it does not say.** Nothing once ties occur. For k = 1 and k = 2 the margin is full,
    the step infinite and the bound log2 N.

    >>> NormalizedWinnowCommittee(experts=1000, members=3).max_mistakes()
    121
    """

    experts: Count = Count("N: the number of experts")
    members: Count = Count("k: the size of the committee")
    ties: Count = Count("rounds in which the committee's votes summed to 0", default=0)

    statement: ClassVar[str] = "M <= ln N / g(1/k) (odd k), M <= ln N / g(2/k) (even k, no ties)"
    reference: ClassVar[str] = "kivinenwarmuth1997"
    learners: ClassVar[frozenset[str]] = frozenset({"NormalizedWinnow"})
    setting: ClassVar[str] = "margin=1/k or 2/k"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The committee is not empty, fits among the experts, and never ties."""
        yield from committee_hypotheses(self.members, self.experts, self.ties)

    def right_hand_side(self) -> Limit:
        """Ln N over g of the smallest vote per member."""
        margin = Fraction(committee_margin(self.members), self.members)
        return at_most(
            log2(self.experts) if margin == 1 else ln(self.experts) / coin_relative_entropy(margin)
        )

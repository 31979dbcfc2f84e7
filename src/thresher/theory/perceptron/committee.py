"""The Perceptron among experts, a few of whom are right by majority."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


def committee_margin(members: int) -> int:
    """The smallest possible absolute vote of a committee that never ties: 1 if odd, 2 if even."""
    return 1 if members % 2 else 2


def committee_hypotheses(members: int, experts: int, ties: int) -> Iterator[Hypothesis]:
    """The committee is not empty, fits among the experts, and never ties."""
    yield Hypothesis("members >= 1", members, members >= 1)
    yield Hypothesis("members <= experts", members, members <= experts)
    yield Hypothesis("no round in which the committee ties", ties, ties == 0)


@dataclass(frozen=True)
class PerceptronCommittee(MistakeBound):
    """Mistakes of the Perceptron when the majority of k of N experts is always right.

    **Theorem** (a case of Novikoff 1962). Let x_t hold the votes -1/+1 of N experts and let
    the label be the sign of the summed votes of k of them, which is never 0. Then

        M <= k N for odd k,  M <= k N / 4 for even k.

    **Hypotheses.** 1 <= k <= N, and no round in which the k votes sum to 0. An odd committee
    cannot tie.

    **Proof idea.** ||x||^2 = N, ||u||^2 = k, and the vote of the committee is at least 1 in
    absolute value for odd k, at least 2 for even k.

    **How tight.** Reached for k = 1 by the rows of a Hadamard matrix.

    **What it does not say.** Nothing once ties occur: the stream need not be separable, and the
    Perceptron may err forever. The dependence on N is linear; multiplicative learners pay its
    logarithm (`NormalizedWinnowCommittee`).

    >>> PerceptronCommittee(experts=100, members=3).max_mistakes()
    300
    """

    experts: Count = Count("N: the number of experts")
    members: Count = Count("k: the size of the committee")
    ties: Count = Count("rounds in which the committee's votes summed to 0", default=0)

    statement: ClassVar[str] = "M <= k N (odd k), M <= k N / 4 (even k, no ties)"
    reference: ClassVar[str] = "novikoff1962"
    learners: ClassVar[frozenset[str]] = frozenset({"Perceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The committee is not empty, fits among the experts, and never ties."""
        yield from committee_hypotheses(self.members, self.experts, self.ties)

    def right_hand_side(self) -> Limit:
        """N k / (smallest vote)^2."""
        return at_most(Fraction(self.experts * self.members, committee_margin(self.members) ** 2))

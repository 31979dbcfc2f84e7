"""Signed Winnow that does not know its margin: phases with budgets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.errors import BeyondReachError
from thresher.theory.enclosure import floor, ln
from thresher.theory.exponentiated.divergence import coin_relative_entropy
from thresher.theory.quantities import Count, Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most

#: Phases that are worked out; the last of them is for a margin of 10^-38 of the radius.
MOST_PHASES = 128


def phase_budget(n_features: int, phase: int) -> int:
    """B_j = floor(ln(2d) / g(2^-j)): the mistakes phase j may make before it is given up.

    >>> [phase_budget(100, j) for j in (1, 2, 3)]
    [40, 167, 676]
    """
    return floor(ln(2 * n_features) / coin_relative_entropy(Fraction(1, 2**phase)))


@dataclass(frozen=True)
class SignedWinnowRestarts(MistakeBound):
    """Mistakes of signed Winnow when the margin is not known: restart and halve.

    **Theorem** (doubling over `SignedWinnowTuned`). Phase j = 1, 2, ... runs signed Winnow from
    its start with the step for margin X 2^-j, and ends at its mistake number B_j + 1, B_j =
    floor(ln(2d)/g(2^-j)). If y_t u.x_t >= gamma > 0 and |x_{t,i}| <= X in every mistake round,
    then with j* = max(1, ceil(log2(X ||u||_1/gamma)))

        M <= sum_{i < j*} (B_i + 1) + B_{j*}.

    **Hypotheses.** 0 < gamma <= X ||u||_1; X is known to the learner, gamma is not.

    **Proof idea.** Phase j* has the step for a margin that the stream has, so it never exceeds its
    budget; each phase before it costs at most its budget plus one. Normalised Winnow runs the same
    phases with the same budgets, and keeps the bound for u >= 0.

    **How tight.** An adversary uses up every budget but the last, and 0.84 to 0.89 of the last:
    0.87 in all at d = 64, 0.91 at d = 512.

    **What it does not say.** That restarting is free: the sum is up to about 16/3 of the bound
    with gamma known, plus j*.

    >>> SignedWinnowRestarts(n_features=100, margin=0.25, radius=1).max_mistakes()
    208
    """

    n_features: Count = Count("d: the number of features")
    margin: Exact = Exact("gamma: the smallest y u.x of a mistake round")
    radius: Size = Size("X: the bound on |x_i| the learner was given")
    comparator_norm: Size = Size("||u||_1 of the comparator", default=1)

    statement: ClassVar[str] = "M <= sum_{i<j*} (B_i + 1) + B_{j*}, B_j = floor(ln(2d)/g(2^-j))"
    reference: ClassVar[str] = "kivinenwarmuth1997"
    learners: ClassVar[frozenset[str]] = frozenset({"NormalizedWinnow", "SignedWinnow"})
    setting: ClassVar[str] = "neither eta nor margin given"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """There are features and a margin that the radius allows."""
        yield Hypothesis("n_features >= 1", self.n_features, self.n_features >= 1)
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)
        yield Hypothesis(
            "margin <= radius * comparator_norm",
            self.margin,
            self.margin <= self.radius * self.comparator_norm,
        )

    def last_phase(self) -> int:
        """J*: the first phase j >= 1 with X ||u||_1 <= 2^j gamma."""
        ratio = self.radius * self.comparator_norm / self.margin
        # The least j with 2^j >= ratio; below 1, too, there is a first phase.
        phase = max(1, (-(-ratio // 1) - 1).bit_length())
        if phase > MOST_PHASES:
            raise BeyondReachError(f"{phase} phases, of which {MOST_PHASES} are worked out")
        return phase

    def budgets(self) -> tuple[int, ...]:
        """B_1, ..., B_{j*}."""
        self.limit()
        return self._budgets()

    def right_hand_side(self) -> Limit:
        """All budgets, and one more mistake for each phase given up."""
        budgets = self._budgets()
        return at_most(Fraction(sum(budgets) + len(budgets) - 1))

    def _budgets(self) -> tuple[int, ...]:
        phases = range(1, self.last_phase() + 1)
        return tuple(phase_budget(self.n_features, phase) for phase in phases)

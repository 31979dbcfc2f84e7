"""How many false positives Winnow can make for each false negative, on any stream."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count, Exact
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most, below
from thresher.theory.winnow.any_threshold import step_hypotheses
from thresher.theory.winnow.promotions import surplus


@dataclass(frozen=True)
class WinnowFalsePositives(MistakeBound):
    """Mistakes of Winnow on any stream, from its false negatives alone.

    **Theorem.** Let x be in [0, 1]^d. Winnow with factor alpha = 1 + beta and threshold
    theta > 0, started at w = 1, makes m- false positives and m+ false negatives with

        m- <= A + alpha m+,  A = (alpha d/theta - 1)/(alpha - 1),

    and strictly fewer if m+ >= 1. So M < A + (1 + alpha) m+ for m+ >= 1, and M <= A for
    m+ = 0. For factor 2 and threshold d: m- <= max(1, 2 m+).

    **Hypotheses.** beta > 0, theta > 0. No assumption on the labels: no target, no margin. d
    may count only the features that were active in some mistake round.

    **Proof idea.** A false negative adds less than (alpha - 1) theta to the total weight, a
    false positive removes at least (1 - 1/alpha) theta, and right after one the demoted set
    still weighs at least theta/alpha.

    **How tight.** Reached: one false negative and two false positives with factor 2.

    **What it does not say.** How many false negatives there are. A run that breaks this
    inequality was not made by Winnow: it is a check of the implementation.

    >>> doubling = WinnowFalsePositives(n_features=8, false_negatives=3, beta=1, threshold=8)
    >>> doubling.max_false_positives(), doubling.max_mistakes()
    (6, 9)
    """

    n_features: Count = Count("d: the features, or those active in some mistake round")
    false_negatives: Count = Count("m+: mistakes on positive examples")
    beta: Exact = Exact("beta: the step; promotions multiply by alpha^x, alpha = 1 + beta")
    threshold: Exact = Exact("theta: +1 is predicted when w.x >= theta")

    statement: ClassVar[str] = "m- <= A + alpha m+, A = (alpha d/theta - 1)/(alpha - 1)"
    reference: ClassVar[str] = "littlestone1988"
    learners: ClassVar[frozenset[str]] = frozenset({"Winnow"})
    setting: ClassVar[str] = "zeroing=False"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A positive step and threshold."""
        yield from step_hypotheses(self.beta, self.threshold)

    def right_hand_side(self) -> Limit:
        """The false negatives, and the false positives they can pay for, if any."""
        value = self._value()
        if value <= 0:
            return at_most(Fraction(self.false_negatives))
        return self._limit(value + self.false_negatives)

    def max_false_positives(self) -> int:
        """The largest m- the inequality admits."""
        self.limit()
        return self._limit(self._value()).largest_integer()

    def _value(self) -> Fraction:
        alpha = 1 + self.beta
        return surplus(self.n_features, alpha, self.threshold) + alpha * self.false_negatives

    def _limit(self, value: Fraction) -> Limit:
        return below(value) if self.false_negatives else at_most(value)

"""Winnow with any factor and any threshold on monotone disjunctions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count, Exact
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most, below
from thresher.theory.winnow.promotions import (
    MOST_PROMOTIONS,
    promotions,
    surplus,
    within_reach,
)


def step_hypotheses(beta: Fraction, threshold: Fraction) -> Iterator[Hypothesis]:
    """The step and the threshold must be positive, and the exact bound within reach."""
    yield Hypothesis("beta > 0", beta, beta > 0)
    yield Hypothesis("threshold > 0", threshold, threshold > 0)
    if beta > 0 and threshold > 0:
        yield Hypothesis(
            f"beta large enough that {MOST_PROMOTIONS:,} promotions reach the threshold",
            beta,
            within_reach(1 + beta, threshold),
        )


@dataclass(frozen=True)
class WinnowAnyThreshold(MistakeBound):
    """Mistakes of Winnow with step beta and threshold theta on a monotone disjunction.

    **Theorem** (after Littlestone 1988). In the setting of `WinnowDisjunction`, with factor
    alpha = 1 + beta and threshold theta > 0, let K be the smallest K >= 0 with
    alpha^K >= theta, A = (alpha d/theta - 1)/(alpha - 1), and

        V = A + r ((1 + alpha) K - alpha^(K+1) / ((alpha - 1) theta)).

    Then at most r K mistakes are false negatives, and in all

        M <= max(r K, ceil(V) - 1)     for 1 <= r < d and K >= 1,
        M <= max(0, floor(V))          for 1 <= r < d and K = 0 (theta <= 1),
        M <= max(0, floor(A))          for r = 0,
        M <= d K                       for r = d.

    **Hypotheses.** beta > 0, theta > 0, d >= 1 and r <= d; binary features, noise-free labels.

    **Proof idea.** That of `WinnowDisjunction`, with a gain below (alpha - 1) theta per false
    negative and a loss of at least (1 - 1/alpha) theta per false positive.

    **How tight.** Reached for many small d; 18 of 19 at d = 256 with factor 4.

    **What it does not say.** Which beta to choose: see `optimal_beta` and `optimal_threshold`.

    >>> WinnowAnyThreshold(n_features=1024, relevant=4, beta=1, threshold=128).max_mistakes()
    90
    """

    n_features: Count = Count("d: the number of features")
    relevant: Count = Count("r: how many features the disjunction names, exactly")
    beta: Exact = Exact("beta: the step; promotions multiply by alpha = 1 + beta")
    threshold: Exact = Exact("theta: +1 is predicted when w.x >= theta")

    statement: ClassVar[str] = (
        "M <= max(r K, ceil(V) - 1), V = A + r ((1 + alpha) K - alpha^(K+1)/((alpha - 1) theta))"
    )
    reference: ClassVar[str] = "littlestone1988"
    learners: ClassVar[frozenset[str]] = frozenset({"Winnow"})
    setting: ClassVar[str] = "zeroing=False"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A positive step and threshold, and relevant features among the features."""
        yield from step_hypotheses(self.beta, self.threshold)
        yield Hypothesis("n_features >= 1", self.n_features, self.n_features >= 1)
        yield Hypothesis("relevant <= n_features", self.relevant, self.relevant <= self.n_features)

    def right_hand_side(self) -> Limit:
        """The case that applies; a strict V only where it exceeds r K."""
        false_negatives = Fraction(self.max_promotions())
        if self.relevant == self.n_features:
            return at_most(false_negatives)
        value = self._value(1 + self.factor)
        return self._limit(value) if value > false_negatives else at_most(false_negatives)

    def max_false_negatives(self) -> int:
        """R K: each relevant weight is promoted at most K times."""
        self.limit()
        return self.max_promotions()

    def max_false_positives(self) -> int:
        """The same V with alpha K in the place of (1 + alpha) K; 0 for r = d."""
        self.limit()
        if self.relevant == self.n_features:
            return 0
        return self._limit(self._value(self.factor)).largest_integer()

    @property
    def factor(self) -> Fraction:
        """Alpha, what a promotion multiplies by."""
        return 1 + self.beta

    def max_promotions(self) -> int:
        """R K."""
        return self.relevant * promotions(self.factor, self.threshold)

    def _value(self, per_promotion: Fraction) -> Fraction:
        alpha, theta, r = self.factor, self.threshold, self.relevant
        K = promotions(alpha, theta)
        final = alpha ** (K + 1) / (self.beta * theta)
        return surplus(self.n_features, alpha, theta) + r * (per_promotion * K - final)

    def _limit(self, value: Fraction) -> Limit:
        return below(value) if self.max_promotions() else at_most(value)

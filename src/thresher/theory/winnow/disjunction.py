"""Winnow with factor 2 and threshold d on monotone disjunctions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most, below
from thresher.theory.winnow.promotions import promotions


@dataclass(frozen=True)
class WinnowDisjunction(MistakeBound):
    """Mistakes of Winnow (factor 2, threshold d) on a monotone disjunction, refined.

    **Theorem** (Littlestone 1988, with sharper constants). Let x be binary with d features and
    let the label be +1 exactly when one of r relevant features is active. Winnow started at
    w = 1 with factor 2 and threshold d makes, with K = ceil(log2 d),

        at most r K false negatives, and in all
        M <= 1                                   for r = 0,
        M <  1 + r (3K - 2^(K+1)/d)              for 1 <= r < d,
        M <= d K                                 for r = d.

    **Hypotheses.** d >= 1 and r <= d; binary features, noise-free labels.

    **Proof idea.** A false negative doubles a relevant weight, which was below d, and no relevant
    weight is ever halved. So each is doubled at most K times. A false negative adds less than d to
    the total weight, a false positive removes at least d/2, and right after the last false
    positive the demoted set still weighs d/2; the relevant weights are part of the total.

    **How tight.** Reached, for one relevant feature and many d.

    **What it does not say.** Nothing about general threshold functions: factor 2 cycles forever on
    x4 AND (x2 OR x3). Nothing about noise (`WinnowAttributeErrors`).

    >>> WinnowDisjunction(n_features=100, relevant=2).max_mistakes()
    37
    >>> WinnowDisjunction(n_features=3, relevant=4).max_mistakes()
    Traceback (most recent call last):
    thresher.errors.HypothesisError: WinnowDisjunction does not apply: it needs relevant <= \
n_features, measured 4.
    """

    n_features: Count = Count("d: the number of features")
    relevant: Count = Count("r: how many features the disjunction names, exactly")

    statement: ClassVar[str] = "M < 1 + r (3K - 2^(K+1)/d), K = ceil(log2 d), for 1 <= r < d"
    reference: ClassVar[str] = "littlestone1988"
    learners: ClassVar[frozenset[str]] = frozenset({"Winnow"})
    setting: ClassVar[str] = "beta=1, threshold=n_features"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """There are features, and no more relevant ones than that."""
        yield Hypothesis("n_features >= 1", self.n_features, self.n_features >= 1)
        yield Hypothesis("relevant <= n_features", self.relevant, self.relevant <= self.n_features)

    def right_hand_side(self) -> Limit:
        """Three cases: no relevant feature, some, all."""
        return self._limit(per_promotion=3)

    def max_false_negatives(self) -> int:
        """R K: each relevant weight is doubled at most K times."""
        self.limit()
        return self.relevant * promotions(2, self.n_features)

    def max_false_positives(self) -> int:
        """The largest m- with m- < 1 + r (2K - 2^(K+1)/d); 1 for r = 0 and 0 for r = d."""
        self.limit()
        return 0 if self.relevant == self.n_features else self._limit(2).largest_integer()

    def _limit(self, per_promotion: int) -> Limit:
        d, r = self.n_features, self.relevant
        K = promotions(2, d)
        if r == 0:
            return at_most(Fraction(1))
        if r == d:
            return at_most(Fraction(d * K))
        return below(1 + r * (per_promotion * K - Fraction(2 ** (K + 1), d)))

"""Winnow with factor 2 and threshold d on monotone disjunctions, as one product."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most
from thresher.theory.winnow.promotions import promotions


@dataclass(frozen=True)
class WinnowDisjunctionClean(MistakeBound):
    """Mistakes of Winnow (factor 2, threshold d) on a monotone disjunction, in one product.

    **Theorem** (Littlestone 1988, with sharper constants). In the setting of
    `WinnowDisjunction`, for d >= 2 and 1 <= r <= d, with K = ceil(log2 d),

        M <= r (3K - 2).

    **Hypotheses.** d >= 2 and 1 <= r <= d; binary features, noise-free labels.

    **Proof idea.** 2^K >= d in the refined bound. For r = 1 and d a power of two from 4 on an
    adversary reaches it.

    **How tight.** Reached for r = 1 and d a power of two from 4 on.

    **What it does not say.** It is never below the refined bound. Remember this one; certify with
    `WinnowDisjunction`.

    >>> WinnowDisjunctionClean(n_features=1024, relevant=4).max_mistakes()
    112
    """

    n_features: Count = Count("d: the number of features")
    relevant: Count = Count("r: how many features the disjunction names, exactly")

    statement: ClassVar[str] = "M <= r (3 ceil(log2 d) - 2)"
    reference: ClassVar[str] = "littlestone1988"
    learners: ClassVar[frozenset[str]] = frozenset({"Winnow"})
    setting: ClassVar[str] = "beta=1, threshold=n_features"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """At least two features and one relevant one."""
        yield Hypothesis("n_features >= 2", self.n_features, self.n_features >= 2)
        yield Hypothesis("relevant >= 1", self.relevant, self.relevant >= 1)
        yield Hypothesis("relevant <= n_features", self.relevant, self.relevant <= self.n_features)

    def right_hand_side(self) -> Limit:
        """R (3K - 2)."""
        return at_most(Fraction(self.relevant * (3 * promotions(2, self.n_features) - 2)))

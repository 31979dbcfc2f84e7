"""Winnow that sets weights to zero instead of halving them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.quantities import Count, Exact
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most
from thresher.theory.winnow.any_threshold import step_hypotheses
from thresher.theory.winnow.promotions import promotions


@dataclass(frozen=True)
class WinnowZeroing(MistakeBound):
    """Mistakes of the eliminating Winnow (Winnow1) on a monotone disjunction.

    **Theorem** (Littlestone 1988). Let x be binary with d features and let the label
    be +1 exactly when one of r relevant features is active. Winnow with factor
    alpha = 1 + beta, threshold theta > 0, started at w = 1, that sets the active weights to 0
    at a false positive, makes at most

        M <= d/theta + alpha r K

    mistakes, K being the smallest K >= 0 with alpha^K >= theta; at most r K are false
    negatives.

    **Hypotheses.** beta > 0, theta > 0, r <= d; binary features, noise-free labels.

    **Proof idea.** A false negative adds less than (alpha - 1) theta to the total weight, a
    false positive removes at least theta, so m- <= d/theta + (alpha - 1) m+.

    **How tight.** Reached for small d.

    **What it does not say.** Nothing with noise, not even in the limit: a relevant weight set
    to 0 by one wrong label never returns.

    >>> WinnowZeroing(n_features=64, relevant=2, beta=1, threshold=64).max_mistakes()
    25
    """

    n_features: Count = Count("d: the number of features")
    relevant: Count = Count("r: how many features the disjunction names")
    beta: Exact = Exact("beta: the step; promotions multiply by alpha = 1 + beta")
    threshold: Exact = Exact("theta: +1 is predicted when w.x >= theta")

    statement: ClassVar[str] = "M <= d/theta + alpha r K"
    reference: ClassVar[str] = "littlestone1988"
    learners: ClassVar[frozenset[str]] = frozenset({"Winnow"})
    setting: ClassVar[str] = "zeroing=True"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A positive step and threshold, and relevant features among the features."""
        yield from step_hypotheses(self.beta, self.threshold)
        yield Hypothesis("relevant <= n_features", self.relevant, self.relevant <= self.n_features)

    def right_hand_side(self) -> Limit:
        """The initial weight in units of theta, and alpha per promotion."""
        alpha = 1 + self.beta
        promoted = self.relevant * promotions(alpha, self.threshold)
        return at_most(self.n_features / self.threshold + alpha * promoted)

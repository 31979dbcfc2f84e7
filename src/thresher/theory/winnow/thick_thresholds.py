"""Winnow that also updates on scores near the threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count, Exact
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most
from thresher.theory.winnow.promotions import MOST_PROMOTIONS, promotions, surplus, within_reach


@dataclass(frozen=True)
class WinnowThickThresholds(MistakeBound):
    """Updates of Winnow with two thresholds on a monotone disjunction.

    **Theorem** (after Littlestone 1988). In the setting of `WinnowAnyThreshold`, promote on a
    positive example with score below theta_hi and demote on a negative one with score at least
    theta_lo, where theta_lo <= theta <= theta_hi. With K the smallest K >= 0 with
    alpha^K >= theta_hi, there are at most r K promotions u+, and demotions

        u- <= (alpha d/theta_lo - 1)/(alpha - 1) + alpha (theta_hi/theta_lo) u+.

    **Hypotheses.** beta > 0, 0 < theta_lo <= theta_hi, r <= d; binary features, noise-free
    labels. Every mistake is an update, so the sum bounds the mistakes too.

    **Proof idea.** That of `WinnowAnyThreshold`, each kind of update with its own threshold.

    **How tight.** An adversary that keeps the irrelevant weight just below theta_hi reaches 0.88
    of the bound with factor 2.

    **What it does not say.** That a wide band costs nothing: both terms grow with it.

    >>> WinnowThickThresholds(8, 1, beta=1, threshold_low=8, threshold_high=8).max_mistakes()
    10
    """

    n_features: Count = Count("d: the number of features")
    relevant: Count = Count("r: how many features the disjunction names")
    beta: Exact = Exact("beta: the step; promotions multiply by alpha = 1 + beta")
    threshold_low: Exact = Exact("theta_lo: negatives with at least this score are demoted")
    threshold_high: Exact = Exact("theta_hi: positives with less than this score are promoted")

    statement: ClassVar[str] = (
        "U <= r K + (alpha d/theta_lo - 1)/(alpha - 1) + alpha (theta_hi/theta_lo) r K"
    )
    reference: ClassVar[str] = "littlestone1988"
    learners: ClassVar[frozenset[str]] = frozenset({"Winnow"})
    setting: ClassVar[str] = "margin given"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A positive step, thresholds in order, relevant features among the features."""
        yield Hypothesis("beta > 0", self.beta, self.beta > 0)
        yield Hypothesis("threshold_low > 0", self.threshold_low, self.threshold_low > 0)
        yield Hypothesis(
            "threshold_low <= threshold_high",
            self.threshold_low,
            self.threshold_low <= self.threshold_high,
        )
        if self.beta > 0:
            yield Hypothesis(
                f"beta large enough that {MOST_PROMOTIONS:,} promotions reach threshold_high",
                self.beta,
                within_reach(1 + self.beta, self.threshold_high),
            )
        yield Hypothesis("relevant <= n_features", self.relevant, self.relevant <= self.n_features)

    def right_hand_side(self) -> Limit:
        """Promotions, and the demotions they and the initial weight can pay for."""
        alpha, low, high = 1 + self.beta, self.threshold_low, self.threshold_high
        promoted = self.relevant * promotions(alpha, high)
        demoted = surplus(self.n_features, alpha, low) + alpha * (high / low) * promoted
        return at_most(promoted + max(Fraction(0), demoted))

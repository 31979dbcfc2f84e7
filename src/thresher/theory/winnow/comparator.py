"""Winnow on real features, any comparator, any noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import ClassVar, Self

from thresher.errors import ParameterError
from thresher.theory.enclosure import Real, ln, real, total
from thresher.theory.quantities import Count, Exact, Given, Size, Weights
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most
from thresher.theory.winnow.any_threshold import step_hypotheses

#: Features that a counting function can be about.
MOST_RELEVANT = 2**16


@dataclass(frozen=True)
class WinnowComparator(MistakeBound):
    """Mistakes of Winnow on features in [0, 1], for any non-negative comparator.

    **Theorem** (after Littlestone 1988 and 1991; through the unnormalised relative entropy).
    Let x be in [0, 1]^d, u >= 0 and 0 <= rho < 1/alpha. Let L be the sum, over the mistake
    rounds or over all, of max(0, 1 - u.x) on positive and max(0, u.x - rho) on negative
    examples. Winnow with factor alpha = 1 + beta and threshold theta, started at w = 1,
    multiplying by alpha^(y x_i), makes at most

        M <= (D0(c u) + c ln(alpha) L) / (theta (alpha - 1)(1/alpha - rho)/(1 + rho))

    mistakes, where c = (alpha - 1/alpha) theta / ((1 + rho) ln alpha) and
    D0(v) = d + sum_i (v_i ln v_i - v_i), with 0 ln 0 = 0.

    **Hypotheses.** beta > 0, theta > 0, 0 <= rho < 1/(1 + beta); features in [0, 1] (divide by
    their range first); u has no more non-zero weights than there are features.

    **Proof idea.** D(v||w) = sum v ln(v/w) - v + w falls by at least
    ln(alpha) v.x - (alpha - 1) theta at a false negative, by at least
    (1 - 1/alpha) theta - ln(alpha) v.x at a false positive, and never below 0. Take v = c u.

    **How tight.** An adversary that spends one attribute error after another reaches 0.97 of the
    bound with 60 errors and factor 2. More errors come closer.

    **What it does not say.** Nothing for alpha >= 1/rho: a separation that fine needs a smaller
    step. It is looser than `WinnowAnyThreshold` on noise-free disjunctions.

    >>> WinnowComparator.k_of_r(n_features=100, k=2, relevant=3).max_mistakes()
    149
    """

    n_features: Count = Count("d: the number of features")
    comparator: Weights = Weights("the non-zero weights of u")
    rho: Exact = Exact("rho: the level that u.x does not exceed on negatives, up to losses")
    beta: Exact = Exact("beta: the step; promotions multiply by alpha^x, alpha = 1 + beta")
    threshold: Exact = Exact("theta: +1 is predicted when w.x >= theta")
    loss: Size = Size("L: the summed loss of u, over the mistake rounds or over all", default=0)

    statement: ClassVar[str] = (
        "M <= (D0(c u) + c ln(alpha) L) / (theta (alpha - 1)(1/alpha - rho)/(1 + rho))"
    )
    reference: ClassVar[str] = "littlestone1991"
    learners: ClassVar[frozenset[str]] = frozenset({"Winnow"})
    setting: ClassVar[str] = "zeroing=False"

    @classmethod
    def k_of_r(
        cls,
        n_features: int,
        k: int,
        relevant: int,
        beta: Given | None = None,
        threshold: Given | None = None,
    ) -> Self:
        """The function "at least k of r features": u = 1/k on them, rho = 1 - 1/k.

        There can be 65,536 of them. The default step 1/(2k) satisfies alpha < 1/rho; the default
        threshold is d.
        """
        if k < 1 or relevant > MOST_RELEVANT:
            must = f"k from 1 on, and at most {MOST_RELEVANT} relevant features"
            raise ParameterError("WinnowComparator.k_of_r", "k and r", must, (k, relevant))
        return cls(
            n_features,
            [Fraction(1, k)] * relevant,
            rho=1 - Fraction(1, k),
            beta=Fraction(1, 2 * k) if beta is None else beta,
            threshold=n_features if threshold is None else threshold,
        )

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A positive step and threshold, a separation the step can follow, a u that fits."""
        yield from step_hypotheses(self.beta, self.threshold)
        yield Hypothesis("rho >= 0", self.rho, self.rho >= 0)
        yield Hypothesis("rho < 1/(1 + beta)", self.rho, self.rho * (1 + self.beta) < 1)
        size = len(self.comparator)
        yield Hypothesis("a comparator within n_features", size, size <= self.n_features)

    def right_hand_side(self) -> Limit:
        """The potential at the start and the losses, over the guaranteed drop per mistake."""
        alpha, theta, rho = 1 + self.beta, self.threshold, self.rho
        spread = (alpha - 1 / alpha) * theta / (1 + rho)
        drop = theta * self.beta * (1 / alpha - rho) / (1 + rho)
        start = self.starting_divergence(spread / ln(alpha))
        return at_most((start + spread * self.loss) / drop)

    def starting_divergence(self, scale: Real) -> Real:
        """D0(c u) = d + sum_i (c u_i ln(c u_i) - c u_i)."""
        # Equal weights share a logarithm, which takes longer than all the rest.
        counted = [(weight, sum(1 for _ in same)) for weight, same in groupby(self.comparator)]
        mass = sum((times * weight for weight, times in counted), Fraction(0))
        entropy = total(times * weight * ln(weight) for weight, times in counted)
        return real(self.n_features) + scale * (mass * ln(scale) + entropy - mass)

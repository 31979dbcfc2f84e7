"""Winnow from any starting weights: suffixes, chunks and resumed runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most
from thresher.theory.winnow.any_threshold import step_hypotheses


@dataclass(frozen=True)
class WinnowWarmStart(MistakeBound):
    """Further mistakes of Winnow that starts from the weights w0.

    **Theorem** (after Littlestone 1991; through the unnormalised relative entropy). Let Winnow
    with factor alpha = 1 + beta and threshold theta start from the positive weights w0. Let u >=
    0, 0 <= rho < 1/alpha and L be as in `WinnowComparator`, over the further rounds, and c =
    (alpha - 1/alpha) theta / ((1 + rho) ln alpha). With D the sum over all features of c u_i ln(c
    u_i/w0_i) - c u_i + w0_i,

        K <= (D + c ln(alpha) L) / (theta (alpha - 1)(1/alpha - rho)/(1 + rho)).

    **Hypotheses.** beta > 0, theta > 0, 0 <= rho < 1/(1 + beta); features in [0, 1]; D >= 0 (as
    every true measurement has).

    **Proof idea.** That of `WinnowComparator`: D(c u||w) falls by at least the denominator, less
    the price of the losses, and never below 0. It starts at D instead of D(c u||1).

    **How tight.** From w0 = 1 it is `WinnowComparator`. The second half of an adversary's run with
    60 attribute errors reaches 0.96 of the bound.

    **What it does not say.** Nothing about the mistakes made before w0 was reached: add them.
    Weights that went far down are far from every u that needs them: D is large.

    >>> from math import log
    >>> c = 1.5 * 16 / log(2)
    >>> WinnowWarmStart(
    ...     start_divergence=16 + c * log(c) - c, rho=0, beta=1, threshold=16
    ... ).max_mistakes()
    13
    """

    start_divergence: Size = Size("D: the unnormalised relative entropy of c u to the weights w0")
    rho: Exact = Exact("rho: the level that u.x does not exceed on negatives, up to losses")
    beta: Exact = Exact("beta: the step; promotions multiply by alpha^x, alpha = 1 + beta")
    threshold: Exact = Exact("theta: +1 is predicted when w.x >= theta")
    loss: Size = Size("L: the loss of u summed over the further rounds", default=0)

    statement: ClassVar[str] = (
        "K <= (D(c u||w0) + c ln(alpha) L) / (theta (alpha - 1)(1/alpha - rho)/(1 + rho))"
    )
    reference: ClassVar[str] = "littlestone1991"
    learners: ClassVar[frozenset[str]] = frozenset({"Winnow"})
    setting: ClassVar[str] = "zeroing=False"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A positive step and threshold, and a separation the step can follow."""
        yield from step_hypotheses(self.beta, self.threshold)
        yield Hypothesis("rho >= 0", self.rho, self.rho >= 0)
        yield Hypothesis("rho < 1/(1 + beta)", self.rho, self.rho * (1 + self.beta) < 1)

    def right_hand_side(self) -> Limit:
        """The potential at the start and the losses, over the guaranteed drop per mistake."""
        alpha, theta, rho = 1 + self.beta, self.threshold, self.rho
        price: Fraction = (alpha - 1 / alpha) * theta / (1 + rho)
        drop: Fraction = theta * self.beta * (1 / alpha - rho) / (1 + rho)
        return at_most((self.start_divergence + price * self.loss) / drop)

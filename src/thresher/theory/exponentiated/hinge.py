"""Exponentiated learners on any stream, through the hinge loss of a comparator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.exponentiated.rate import SeparableStream
from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, at_most


@dataclass(frozen=True, kw_only=True)
class NormalizedWinnowHinge(SeparableStream):
    """Mistakes of normalised Winnow on any stream, separable or not.

    **Theorem** (after Kivinen and Warmuth 1997; Gentile 2003). For every u >= 0 and level
    gamma > 0, let L be the sum of max(0, gamma - y_t u.x_t) over the mistake rounds, or over
    all rounds, and g' = gamma/||u||_1. If C(eta) = eta g' - ln cosh(eta X) > 0,

        M <= (ln d - H(u/||u||_1) + eta L/||u||_1) / C(eta).

    **Hypotheses.** Those of `NormalizedWinnowRate`, with gamma a level instead of a margin.

    **Proof idea.** A mistake lowers the relative entropy of u/||u||_1 by at least
    C(eta) - eta (its loss).

    **How tight.** Balanced features without a favourite reach 0.95 of the bound in 200 rounds, and
    more rounds come closer: only the final entropy is lost.

    **What it does not say.** With L summed over mistake rounds only, a u chosen after the run
    proves nothing; quote such a u with its loss over all rounds.

    >>> NormalizedWinnowHinge(
    ...     n_features=100, margin=0.5, radius=1, eta=0.5, loss=2
    ... ).max_mistakes()
    43
    """

    eta: Exact = Exact("eta: the step")
    loss: Size = Size("L: the summed hinge loss of u at level gamma")

    statement: ClassVar[str] = "M <= (ln d - H(u) + eta L) / (eta gamma - ln cosh(eta X))"
    reference: ClassVar[str] = "gentile2003"
    learners: ClassVar[frozenset[str]] = frozenset({"NormalizedWinnow"})
    setting: ClassVar[str] = "eta or margin given"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A level that the radius allows, and a step below `eta_max`."""
        yield from super().hypotheses()
        yield self.step_is_small_enough(self.eta)

    def right_hand_side(self) -> Limit:
        """The starting divergence and the losses over the drop per mistake."""
        paid = self.start() + self.eta * self.relative(self.loss)
        return at_most(paid / self.drop(self.eta))


@dataclass(frozen=True, kw_only=True)
class SignedWinnowHinge(NormalizedWinnowHinge):
    """Mistakes of signed Winnow (EG+-) on any stream, separable or not.

    **Theorem** (after Kivinen and Warmuth 1997; Gentile 2003). As `NormalizedWinnowHinge`, for
    comparators of any sign, with ln(2d) in place of ln d.

    **Hypotheses.** Those of `NormalizedWinnowHinge`, except that u may have any sign.

    **Proof idea.** EG+- is EG on the 2d features (x, -x).

    **How tight.** Balanced features without a favourite reach 0.95 of the bound in 200 rounds, and
    more rounds come closer.

    **What it does not say.** As `NormalizedWinnowHinge`.

    >>> SignedWinnowHinge(n_features=50, margin=0.5, radius=1, eta=0.5, loss=2).max_mistakes()
    43
    """

    copies: ClassVar[int] = 2

    statement: ClassVar[str] = "M <= (ln(2d) - H(|u|) + eta L) / (eta gamma - ln cosh(eta X))"
    learners: ClassVar[frozenset[str]] = frozenset({"SignedWinnow"})
    setting: ClassVar[str] = "eta or margin given"

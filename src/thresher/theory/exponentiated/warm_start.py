"""Exponentiated learners from any starting weights: suffixes, chunks and resumed runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.enclosure import Real, is_positive
from thresher.theory.exponentiated.divergence import lncosh
from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most, shown


@dataclass(frozen=True)
class NormalizedWinnowWarmStart(MistakeBound):
    """Further mistakes of normalised Winnow that starts from the weights w0.

    **Theorem** (after Kivinen and Warmuth 1997). Let normalised Winnow with step eta start from
    the weights w0, which are positive and sum to 1. For every u >= 0 and gamma > 0, with v =
    u/||u||_1, RE the relative entropy sum of v_i ln(v_i/w0_i) of v to w0, L the hinge loss of u at
    level gamma over its further rounds (mistakes, or all) and |x_{t,i}| <= X in the mistakes,

        K <= (RE + eta L/||u||_1) / (eta gamma/||u||_1 - ln cosh(eta X)).

    **Hypotheses.** gamma > 0, a positive denominator, RE >= 0 (as every true measurement has).

    **Proof idea.** The relative entropy of v to the weights starts at RE, falls by at least the
    denominator less eta/||u||_1 times the loss at each mistake, and never below 0.

    **How tight.** From the uniform weights it is `NormalizedWinnowHinge`. The second half of a
    stream with one favourite among 4096 balanced features reaches 0.83 of the bound, the last
    three quarters 0.88.

    **What it does not say.** Nothing about the mistakes made before w0 was reached: add them.
    Restarts at a smaller step start over from uniform weights: there RE is ln d - H(v).

    >>> from math import log
    >>> NormalizedWinnowWarmStart(
    ...     start_entropy=log(100), margin=0.5, radius=1, eta=0.5, loss=2
    ... ).max_mistakes()
    43
    """

    start_entropy: Size = Size("RE: the relative entropy of u/||u||_1 to the starting weights")
    margin: Exact = Exact("gamma: the level at which the hinge loss is taken")
    radius: Size = Size("X: the largest |x_i| of a further mistake round")
    eta: Exact = Exact("eta: the step")
    comparator_norm: Size = Size("||u||_1 of the comparator", default=1)
    loss: Size = Size("L: the hinge loss of u summed over the further rounds", default=0)

    statement: ClassVar[str] = (
        "K <= (RE(u||w0) + eta L/||u||_1) / (eta gamma/||u||_1 - ln cosh(eta X))"
    )
    reference: ClassVar[str] = "kivinenwarmuth1997"
    learners: ClassVar[frozenset[str]] = frozenset({"NormalizedWinnow", "SignedWinnow"})
    setting: ClassVar[str] = "eta or margin given; for SignedWinnow over the 2d features (x, -x)"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A positive level, a comparator, and a step that makes progress."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)
        yield Hypothesis("comparator_norm > 0", self.comparator_norm, self.comparator_norm > 0)
        yield Hypothesis(
            "eta * margin / comparator_norm > ln cosh(eta * radius)",
            f"eta = {shown(self.eta)}",
            self.comparator_norm > 0 and is_positive(self._drop()),
        )

    def _drop(self) -> Real:
        """What a mistake without loss takes from the relative entropy."""
        return self.eta * self.margin / self.comparator_norm - lncosh(self.eta * self.radius)

    def right_hand_side(self) -> Limit:
        """The divergence at the start and the losses over the drop per mistake."""
        paid = self.start_entropy + self.eta * self.loss / self.comparator_norm
        return at_most(paid / self._drop())

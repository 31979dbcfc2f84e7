"""Normalised Winnow that also updates on narrow successes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.exponentiated.rate import SeparableStream
from thresher.theory.quantities import Exact
from thresher.theory.theorem import Hypothesis, Limit, at_most, shown


@dataclass(frozen=True, kw_only=True)
class NormalizedWinnowThick(SeparableStream):
    """Updates of the normalised Winnow that updates whenever y w.x <= tau.

    **Theorem** (after Kivinen and Warmuth 1997). In the setting of `NormalizedWinnowRate`, but
    with an update whenever the normalised weights give y w.x <= tau,

        U <= (ln d - H(u/||u||_1)) / (eta (g' - tau) - eta^2 X^2/2).

    **Hypotheses.** 0 <= tau < g' and a positive denominator; eta = (g' - tau)/X^2 makes the
    bound 2 X^2 ln(d)/(g' - tau)^2.

    **Proof idea.** ln Z <= eta y w.x + eta^2 X^2/2 (Hoeffding's lemma), and y w.x <= tau.

    **How tight.** 0.86 of the bound is reached at d = 512 when correct predictions clear 0 by
    exactly tau.

    **What it does not say.** At tau = 0 it is looser than `NormalizedWinnowRate`, whose
    ln cosh needs y w.x <= 0.

    >>> NormalizedWinnowThick(
    ...     n_features=100, margin=0.5, radius=1, eta=0.25, thickness=0.25
    ... ).max_mistakes()
    147
    """

    eta: Exact = Exact("eta: the step")
    thickness: Exact = Exact("tau: updates happen when y w.x <= tau")

    statement: ClassVar[str] = "U <= (ln d - H(u)) / (eta (gamma - tau) - eta^2 X^2/2)"
    reference: ClassVar[str] = "kivinenwarmuth1997"
    learners: ClassVar[frozenset[str]] = frozenset()
    variants: ClassVar[frozenset[str]] = frozenset({"MarginNormalizedWinnow"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """Separable, a thickness below the margin, a step that is not too large."""
        yield from super().hypotheses()
        yield Hypothesis("thickness >= 0", self.thickness, self.thickness >= 0)
        yield Hypothesis(
            "eta * (margin/comparator_norm - thickness) > (eta * radius)^2 / 2",
            f"eta = {shown(self.eta)}, thickness = {shown(self.thickness)}",
            self._drop() > 0,
        )

    def right_hand_side(self) -> Limit:
        """The relative entropy at the start over the drop per update."""
        return at_most(self.start() / self._drop())

    def _drop(self) -> Fraction:
        eta = self.eta
        return self.gain(eta) - eta * self.thickness - self.half_square(eta)

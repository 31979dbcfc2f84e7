"""Exponentiated learners on a separable stream, with the best step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.enclosure import ln, log2
from thresher.theory.exponentiated.divergence import coin_relative_entropy
from thresher.theory.exponentiated.rate import SeparableStream
from thresher.theory.theorem import Limit, at_most


@dataclass(frozen=True)
class NormalizedWinnowTuned(SeparableStream):
    """Mistakes of normalised Winnow on a separable stream, with the best step for its margin.

    **Theorem** (Kivinen and Warmuth 1997; Grove, Littlestone and Schuurmans
    2001). In the setting of `NormalizedWinnowRate`, with
    eta = atanh(g'/X)/X,

        M <= (ln d - H(u/||u||_1)) / g(g'/X),
        g(e) = (1+e)/2 ln(1+e) + (1-e)/2 ln(1-e).

    **Hypotheses.** 0 < gamma <= X ||u||_1, and the step is `eta_star(gamma)`: gamma must be
    known beforehand. At g' = X, a perfect expert, the step is infinite and the bound log2 d.

    **Proof idea.** eta = atanh(g'/X)/X maximises eta g' - ln cosh(eta X), with value g(g'/X).

    **How tight.** Reached at full margin by all sign patterns as experts; 0.88 at d = 512
    otherwise.

    **What it does not say.** A float is never exactly atanh(g'/X)/X. For a finished run use
    `NormalizedWinnowRate` with the step it used; this is the promise before the run.

    >>> NormalizedWinnowTuned(n_features=16384, margin=0.5, radius=1).max_mistakes()
    74
    >>> NormalizedWinnowTuned(n_features=1024, margin=1, radius=1).bound()
    Fraction(10, 1)
    """

    statement: ClassVar[str] = "M <= (ln d - H(u)) / g(gamma / (X ||u||_1))"
    reference: ClassVar[str] = "kivinenwarmuth1997"
    learners: ClassVar[frozenset[str]] = frozenset({"NormalizedWinnow"})
    setting: ClassVar[str] = "margin given, eta not"

    def right_hand_side(self) -> Limit:
        """The relative entropy at the start over g; log2 d for a perfect expert."""
        ratio = self.margin_ratio
        if ratio == 1 and not self.comparator:
            return at_most(log2(self.copies * self.coordinates()))
        return at_most(self.start() / coin_relative_entropy(ratio))


@dataclass(frozen=True)
class SignedWinnowTuned(NormalizedWinnowTuned):
    """Mistakes of signed Winnow (EG+-) on a separable stream, with the best step.

    **Theorem** (Kivinen and Warmuth 1997). As `NormalizedWinnowTuned`, for comparators of any
    sign: M <= (ln(2d) - H(|u|/||u||_1)) / g(g'/X).

    **Hypotheses.** Those of `NormalizedWinnowTuned`, except that u may have any sign.

    **Proof idea.** EG+- is EG on the 2d features (x, -x).

    **How tight.** Reached at full margin by all sign patterns; 0.89 at d = 512 otherwise.

    **What it does not say.** For a finished run use `SignedWinnowRate` with the step it used.

    >>> SignedWinnowTuned(n_features=2, margin=1, radius=1).max_mistakes()
    2
    """

    copies: ClassVar[int] = 2

    statement: ClassVar[str] = "M <= (ln(2d) - H(|u|)) / g(gamma / (X ||u||_1))"
    learners: ClassVar[frozenset[str]] = frozenset({"SignedWinnow"})
    setting: ClassVar[str] = "margin given, eta not"


@dataclass(frozen=True)
class NormalizedWinnowSimple(SeparableStream):
    """Mistakes of normalised Winnow in the form that textbooks quote.

    **Theorem** (Kivinen and Warmuth 1997). In the setting of
    `NormalizedWinnowTuned`, with eta = atanh(g'/X)/X or eta = g'/X^2,

        M <= 2 X^2 ||u||_1^2 ln(d) / gamma^2.

    **Hypotheses.** 0 < gamma <= X ||u||_1.

    **Proof idea.** g(e) >= e^2/2, and ln cosh(z) <= z^2/2.

    **How tight.** 0.89 at d = 2048 and gamma = 1/8; e^2/2 is near g(e) for small margins only.

    **What it does not say.** It is never below `NormalizedWinnowTuned`: with a perfect expert it
    is 2 ln d instead of log2 d. Weights of u, if given, are not used.

    >>> NormalizedWinnowSimple(n_features=1024, margin=0.2, radius=1).max_mistakes()
    346
    """

    statement: ClassVar[str] = "M <= 2 X^2 ||u||_1^2 ln(d) / gamma^2"
    reference: ClassVar[str] = "kivinenwarmuth1997"
    learners: ClassVar[frozenset[str]] = frozenset({"NormalizedWinnow"})
    setting: ClassVar[str] = "margin given, eta not"

    def right_hand_side(self) -> Limit:
        """2 ln d / (g'/X)^2."""
        return at_most(2 / self.margin_ratio**2 * ln(self.copies * self.coordinates()))

"""Exponentiated learners with several classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.exponentiated.tuned import NormalizedWinnowTuned
from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis


@dataclass(frozen=True, kw_only=True)
class MulticlassNormalizedWinnow(NormalizedWinnowTuned):
    """Mistakes of multiclass normalised Winnow on a separable stream, with the best step.

    **Theorem** (Kesler's construction over Kivinen and Warmuth 1997). Let u >= 0 have weights
    for k classes, u_y.x_t - u_r.x_t >= gamma > 0 for the label y and every other class r, and
    |x_{t,i}| <= X, in every mistake round. With eta = atanh(g'/X)/X, g' = gamma/||u||_1,

        M <= (ln(k d) - H(u/||u||_1)) / g(g'/X).

    **Hypotheses.** 0 < gamma <= X ||u||_1, k >= 2, and the step is `eta_star(gamma)`.

    **Proof idea.** `NormalizedWinnowTuned` on block vectors of k d coordinates with +x at the
    label and -x at the prediction.

    **How tight.** Reached with two classes at full margin by all sign patterns.

    **What it does not say.** Signed comparators need `MulticlassSignedWinnow`.

    >>> MulticlassNormalizedWinnow(n_features=8, classes=2, margin=1, radius=1).max_mistakes()
    4
    """

    classes: Count = Count("k: the number of classes")

    statement: ClassVar[str] = "M <= (ln(k d) - H(u)) / g(gamma / (X ||u||_1))"
    learners: ClassVar[frozenset[str]] = frozenset({"MulticlassNormalizedWinnow"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """At least two classes, and a separable stream."""
        yield Hypothesis("classes >= 2", self.classes, self.classes >= 2)
        yield from super().hypotheses()

    def coordinates(self) -> int:
        """One weight for each class and feature."""
        return self.classes * self.n_features


@dataclass(frozen=True, kw_only=True)
class MulticlassSignedWinnow(MulticlassNormalizedWinnow):
    """Mistakes of multiclass signed Winnow on a separable stream, with the best step.

    **Theorem** (Kesler's construction over Kivinen and Warmuth 1997). As
    `MulticlassNormalizedWinnow`, for comparators of any sign:

        M <= (ln(2 k d) - H(|u|/||u||_1)) / g(g'/X).

    **Hypotheses.** Those of `MulticlassNormalizedWinnow`, except that u may have any sign.

    **Proof idea.** The same block vectors with negated copies.

    **How tight.** With two classes the negated copies repeat the other class: m of m + 1
    mistakes at full margin, 0.9 at d = 256.

    **What it does not say.** As `MulticlassNormalizedWinnow`: gamma must be known beforehand.

    >>> MulticlassSignedWinnow(n_features=8, classes=2, margin=1, radius=1).max_mistakes()
    5
    """

    copies: ClassVar[int] = 2

    statement: ClassVar[str] = "M <= (ln(2 k d) - H(|u|)) / g(gamma / (X ||u||_1))"
    learners: ClassVar[frozenset[str]] = frozenset({"MulticlassSignedWinnow"})

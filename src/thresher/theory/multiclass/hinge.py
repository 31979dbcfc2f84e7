"""Learners with several classes on any stream, through the hinge loss of a comparator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.exponentiated.hinge import NormalizedWinnowHinge
from thresher.theory.perceptron.hinge import hinge_limit
from thresher.theory.quantities import Count, Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class MulticlassHinge(MistakeBound):
    """Mistakes of the multiclass Perceptron on any stream, separable or not.

    **Theorem** (Kesler's construction over Gentile 2003; Crammer and Singer 2003). For every u
    with weights for all classes and every level gamma > 0, let the loss of round t be max(0, gamma
    - (u_y.x_t - u_r.x_t)) for the label y and the class r that makes it largest, L the sum of
    these over the mistake rounds, or over all rounds, ||x_t|| <= R in the mistake rounds, and A^2
    = 2 R^2 ||u||_F^2 / gamma^2. If c mistakes left all weights unchanged,

        M <= c + L/gamma + A^2/2 + A sqrt(L/gamma + A^2/4).

    **Hypotheses.** gamma > 0. Any u will do.

    **Proof idea.** The other mistakes each add a block vector with +x and -x, of squared norm at
    most 2 ||x||^2, on which u has at least gamma less the loss: `PerceptronHinge` in the space of
    blocks. A mistake changes nothing if its class is new and all others score below 0, which
    happens once for each class that was not stated, or if the row is empty.

    **How tight.** Without losses it is `MulticlassNovikoff`, which is reached; c is counted.

    **What it does not say.** As `PerceptronHinge`: a u chosen after the run must be quoted with
    its loss over all rounds.

    >>> MulticlassHinge(
    ...     radius_squared=1, comparator_norm_squared=20, margin=1, loss=0, idle=3
    ... ).max_mistakes()
    43
    """

    radius_squared: Size = Size("R^2: the largest ||x||^2 of a mistake round")
    comparator_norm_squared: Size = Size("||u||_F^2: the squared weights of all classes")
    margin: Exact = Exact("gamma: the level at which the hinge loss is taken")
    loss: Size = Size("L: the summed hinge loss of u, over the mistake rounds or over all")
    idle: Count = Count("c: mistakes that left all weights as they were")

    statement: ClassVar[str] = (
        "M <= c + L/gamma + A^2/2 + A sqrt(L/gamma + A^2/4), A^2 = 2 R^2 ||u||_F^2 / gamma^2"
    )
    reference: ClassVar[str] = "crammersinger2003"
    learners: ClassVar[frozenset[str]] = frozenset({"MulticlassPerceptron"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """The level must be positive."""
        yield Hypothesis("margin > 0", self.margin, self.margin > 0)

    def right_hand_side(self) -> Limit:
        """The larger root of the quadratic, and the idle mistakes."""
        a_squared = 2 * self.radius_squared * self.comparator_norm_squared / self.margin**2
        return at_most(hinge_limit(self.loss / self.margin, a_squared).value + self.idle)


@dataclass(frozen=True, kw_only=True)
class MulticlassNormalizedWinnowHinge(NormalizedWinnowHinge):
    """Mistakes of multiclass normalised Winnow on any stream, with the step it used.

    **Theorem** (Kesler's construction over Kivinen and Warmuth 1997; Gentile 2003). For every
    u >= 0 with weights for k classes and every level gamma > 0, with losses and c as in
    `MulticlassHinge`, |x_{t,i}| <= X in the mistake rounds and g' = gamma/||u||_1: if
    C(eta) = eta g' - ln cosh(eta X) > 0,

        M <= c + (ln(k d) - H(u/||u||_1) + eta L/||u||_1) / C(eta).

    **Hypotheses.** Those of `NormalizedWinnowHinge`, and k >= 2.

    **Proof idea.** `NormalizedWinnowHinge` on block vectors of k d coordinates with +x at the
    label and -x, or parts of it, at the classes that beat it.

    **How tight.** Reached with two classes at full margin by all sign patterns and a step that
    gives 20, where it is `MulticlassNormalizedWinnow`.

    **What it does not say.** As `NormalizedWinnowHinge`.

    >>> MulticlassNormalizedWinnowHinge(
    ...     n_features=25, classes=4, margin=0.5, radius=1, eta=0.5, loss=2, idle=4
    ... ).max_mistakes()
    47
    """

    classes: Count = Count("k: the number of classes")
    idle: Count = Count("c: mistakes that left all weights as they were")

    statement: ClassVar[str] = "M <= c + (ln(k d) - H(u) + eta L) / (eta gamma - ln cosh(eta X))"
    learners: ClassVar[frozenset[str]] = frozenset({"MulticlassNormalizedWinnow"})
    setting: ClassVar[str] = ""

    def hypotheses(self) -> Iterator[Hypothesis]:
        """At least two classes, a level that the radius allows, and a small step."""
        yield Hypothesis("classes >= 2", self.classes, self.classes >= 2)
        yield from super().hypotheses()

    def coordinates(self) -> int:
        """One weight for each class and feature."""
        return self.classes * self.n_features

    def right_hand_side(self) -> Limit:
        """What the blocks allow, and the idle mistakes."""
        return at_most(super().right_hand_side().value + self.idle)


@dataclass(frozen=True, kw_only=True)
class MulticlassSignedWinnowHinge(MulticlassNormalizedWinnowHinge):
    """Mistakes of multiclass signed Winnow on any stream, with the step it used.

    **Theorem** (Kesler's construction over Kivinen and Warmuth 1997; Gentile 2003). As
    `MulticlassNormalizedWinnowHinge`, for comparators of any sign, with ln(2 k d) in place of ln(k
    d).

    **Hypotheses.** Those of `MulticlassNormalizedWinnowHinge`, except that u may have any sign.

    **Proof idea.** The same block vectors with negated copies.

    **How tight.** With two classes the negated copies repeat the other class: at full margin m of
    m + 1 mistakes.

    **What it does not say.** As `NormalizedWinnowHinge`.

    >>> MulticlassSignedWinnowHinge(
    ...     n_features=25, classes=2, margin=0.5, radius=1, eta=0.5, loss=2, idle=2
    ... ).max_mistakes()
    45
    """

    copies: ClassVar[int] = 2

    statement: ClassVar[str] = (
        "M <= c + (ln(2 k d) - H(|u|) + eta L) / (eta gamma - ln cosh(eta X))"
    )
    learners: ClassVar[frozenset[str]] = frozenset({"MulticlassSignedWinnow"})

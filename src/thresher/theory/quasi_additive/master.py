"""The one argument behind all additive-dual learners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.theory.quantities import Exact, Size
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class QuasiAdditive(MistakeBound):
    """Updates of any learner that adds y x to a dual and predicts with a gradient.

    **Theorem** (Grove, Littlestone and Schuurmans 2001; Gentile and Littlestone 1999). Let F be
    convex with F(0) = 0, let the dual be the sum of y x over the updates and the weights
    w = grad F(dual). If every update has y w.x <= tau and
    F(dual + y x) <= F(dual) + y w.x + b, then for every u, scale a > 0 and level gamma

        U (a gamma - tau - b) <= F*(a u) + a L,

    F* the convex conjugate of F and L the hinge loss of u at level gamma over the updates.

    **Hypotheses.** a > 0 and a gamma > tau + b.

    **Proof idea.** a u.dual <= F(dual) + F*(a u), F(dual) <= U (tau + b), and
    u.dual >= gamma U - L.

    **How tight.** Reached by orthonormal examples with F = ||.||^2/2 and a = R^2/gamma.

    **What it does not say.** Which scale a is best. The Perceptron has F = ||.||^2/2,
    b = R^2/2, F*(a u) = a^2 ||u||^2/2, and a = R^2/gamma gives `Novikoff`.

    >>> QuasiAdditive(scale=1, margin=1, smoothness=0.5, conjugate=2.5).max_mistakes()
    5
    """

    scale: Exact = Exact("a: the scale of the comparator")
    margin: Exact = Exact("gamma: the level at which the hinge loss is taken")
    smoothness: Size = Size("b: what an update adds to F beyond y w.x")
    conjugate: Size = Size("F*(a u)")
    thickness: Size = Size("tau: updates happen only when y w.x <= tau", default=0)
    loss: Size = Size("L: the hinge loss of u at level gamma over the updates", default=0)

    statement: ClassVar[str] = "U (a gamma - tau - b) <= F*(a u) + a L"
    reference: ClassVar[str] = "grovelittlestoneschuurmans2001"
    learners: ClassVar[frozenset[str]] = frozenset(
        {"Perceptron", "NormalizedWinnow", "PNormPerceptron", "SignedWinnow"}
    )

    def hypotheses(self) -> Iterator[Hypothesis]:
        """A positive scale, and progress at every update."""
        yield Hypothesis("scale > 0", self.scale, self.scale > 0)
        progress = self.scale * self.margin - self.thickness - self.smoothness
        yield Hypothesis("scale * margin > thickness + smoothness", progress, progress > 0)

    def right_hand_side(self) -> Limit:
        """(F*(a u) + a L) / (a gamma - tau - b)."""
        progress = self.scale * self.margin - self.thickness - self.smoothness
        return at_most((self.conjugate + self.scale * self.loss) / progress)

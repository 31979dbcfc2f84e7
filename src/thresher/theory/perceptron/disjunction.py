"""The Perceptron on monotone disjunctions of binary features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class PerceptronDisjunction(MistakeBound):
    """Mistakes of the Perceptron on a monotone disjunction, in closed form.

    **Theorem** (a case of Novikoff 1962). Let x be binary with at most s active features, let
    the label be +1 exactly when one of r relevant features is active, and give the learner a
    constant feature. Started at w = 0, the Perceptron makes at most

        M <= (4r + 1)(s + 1).

    **Hypotheses.** Binary features, and a constant feature (``bias=True``): without one no
    homogeneous classifier predicts -1 for an example with only irrelevant features.

    **Proof idea.** u = 1 on the relevant features and -1/2 on the constant has functional
    margin 1/2 and ||u||^2 = r + 1/4; ||x||^2 <= s + 1.

    **How tight.** Reached for r = s = 0; the densest mistakes reach 0.47 of the bound at d = 64, r
    = 8, the best ratio found for r > 0 and dense examples.

    **What it does not say.** That the Perceptron is slow on sparse examples: the price is r s,
    not r d. On dense ones it is: an adversary forces about r d mistakes (Kivinen, Warmuth and
    Auer 1997).

    >>> PerceptronDisjunction(relevant=2, active=5).max_mistakes()
    54
    """

    relevant: Count = Count("r: how many features the disjunction names")
    active: Count = Count("s: the most features active in one example, without the constant")

    statement: ClassVar[str] = "M <= (4r + 1)(s + 1)"
    reference: ClassVar[str] = "novikoff1962"
    learners: ClassVar[frozenset[str]] = frozenset({"Perceptron"})
    setting: ClassVar[str] = "bias=True"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """None beyond what the quantities mean."""
        yield from ()

    def right_hand_side(self) -> Limit:
        """(4r + 1)(s + 1)."""
        return at_most(Fraction((4 * self.relevant + 1) * (self.active + 1)))

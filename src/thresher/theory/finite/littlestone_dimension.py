"""The Littlestone dimension: what the best learner can promise, and no learner can beat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis, Limit, LowerBound, MistakeBound, at_most


@dataclass(frozen=True)
class OptimalLearner(MistakeBound):
    """Mistakes of the standard optimal algorithm on a class of known Littlestone dimension.

    **Theorem** (Littlestone 1988). If the labels agree with some concept of a class of Littlestone
    dimension D, the learner that always predicts the label for which the remaining concepts have
    the larger dimension makes at most

        M <= D.

    **Hypotheses.** The class contains the target; D was computed for it.

    **Proof idea.** If both answers left dimension D, a tree of depth D + 1 would be shattered;
    so every mistake lowers the dimension.

    **How tight.** Reached: the same D is forced on every learner.

    **What it does not say.** How to compute D, or the learner, in reasonable time.

    >>> OptimalLearner(dimension=3).max_mistakes()
    3
    """

    dimension: Count = Count("D: the Littlestone dimension of the class")

    statement: ClassVar[str] = "M <= D for the standard optimal algorithm"
    reference: ClassVar[str] = "littlestone1988"
    learners: ClassVar[frozenset[str]] = frozenset({"StandardOptimal"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """None beyond what the dimension means."""
        yield from ()

    def right_hand_side(self) -> Limit:
        """The dimension D."""
        return at_most(Fraction(self.dimension))


@dataclass(frozen=True)
class LittlestoneLower(LowerBound):
    """Mistakes that can be forced on every deterministic learner of a class.

    **Theorem** (Littlestone 1988). On a class of Littlestone dimension D, every deterministic
    learner can be made to err at least

        M >= D

    times by labels that agree with a concept of the class.

    **Hypotheses.** D was computed for the class (or is a lower bound on its dimension).

    **Proof idea.** Walk down a shattered tree of depth D, always answering the opposite.

    **How tight.** Reached by the standard optimal algorithm.

    **What it does not say.** A randomised learner can be made to err D/2 times on average.

    >>> LittlestoneLower(dimension=3).min_mistakes()
    3
    """

    dimension: Count = Count("D: the Littlestone dimension of the class")

    statement: ClassVar[str] = "M >= D for every deterministic learner"
    reference: ClassVar[str] = "littlestone1988"

    def hypotheses(self) -> Iterator[Hypothesis]:
        """None beyond what the dimension means."""
        yield from ()

    def right_hand_side(self) -> Limit:
        """The dimension D."""
        return at_most(Fraction(self.dimension))

"""The conjunction learner on monotone conjunctions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class ConjunctionTarget(MistakeBound):
    """Mistakes of the conjunction learner on a monotone conjunction.

    **Theorem** (folklore; Valiant 1984). Let x be binary with d features and let the label be
    +1 exactly when all of k features are active. The learner that starts with the conjunction
    of all features and keeps the active ones at a false negative makes at most

        M <= d - k

    mistakes, all of them false negatives.

    **Hypotheses.** k <= d; binary features, noise-free labels.

    **Proof idea.** A positive example has all k features, so none of them is ever removed;
    every false negative removes at least one other.

    **How tight.** Reached by examples that lack one feature each.

    **What it does not say.** Nothing with noise. A false positive proves that no monotone
    conjunction fits the labels.

    >>> ConjunctionTarget(n_features=20, relevant=3).max_mistakes()
    17
    """

    n_features: Count = Count("d: the number of features")
    relevant: Count = Count("k: how many features the conjunction names")

    statement: ClassVar[str] = "M <= d - k"
    reference: ClassVar[str] = "valiant1984"
    learners: ClassVar[frozenset[str]] = frozenset({"Conjunction"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """No more relevant features than features."""
        yield Hypothesis("relevant <= n_features", self.relevant, self.relevant <= self.n_features)

    def right_hand_side(self) -> Limit:
        """The features the target does not name, d - k."""
        return at_most(Fraction(self.n_features - self.relevant))

"""Elimination on monotone disjunctions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class EliminationDisjunction(MistakeBound):
    """Mistakes of Elimination on a monotone disjunction.

    **Theorem** (folklore; Valiant 1984). Let x be binary with d features and let the label be
    +1 exactly when one of r relevant features is active. Elimination, which starts with all
    features and drops the active ones at a false positive, makes at most

        M <= d - r

    mistakes, all of them false positives.

    **Hypotheses.** r <= d; binary features, noise-free labels.

    **Proof idea.** A negative example has no relevant feature, so none is ever dropped; every
    false positive drops at least one other.

    **How tight.** Reached by singletons.

    **What it does not say.** Nothing with noise: one wrong negative label drops a relevant feature
    forever. A false negative proves that no monotone disjunction fits the labels.

    >>> EliminationDisjunction(n_features=1024, relevant=2).max_mistakes()
    1022
    """

    n_features: Count = Count("d: the number of features")
    relevant: Count = Count("r: how many features the disjunction names")

    statement: ClassVar[str] = "M <= d - r"
    reference: ClassVar[str] = "valiant1984"
    learners: ClassVar[frozenset[str]] = frozenset({"Elimination"})

    def hypotheses(self) -> Iterator[Hypothesis]:
        """No more relevant features than features."""
        yield Hypothesis("relevant <= n_features", self.relevant, self.relevant <= self.n_features)

    def right_hand_side(self) -> Limit:
        """The irrelevant features, d - r."""
        return at_most(Fraction(self.n_features - self.relevant))

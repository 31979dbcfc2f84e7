"""Halving on a finite class that contains the target."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import ClassVar, Self

from thresher.theory.quantities import Count
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound, at_most


@dataclass(frozen=True)
class HalvingClass(MistakeBound):
    """Mistakes of Halving on a finite class of concepts.

    **Theorem** (Barzdin and Freivald 1972; Angluin 1988; Littlestone 1988). If the labels
    agree with some concept of a finite class C, Halving makes at most

        M <= floor(log2 |C|).

    **Hypotheses.** C is not empty and contains the target.

    **Proof idea.** At a mistake at least half of the remaining concepts were wrong and are
    removed; the target never is, so 1 <= |C| 2^-M.

    **How tight.** Reached by all sign patterns.

    **What it does not say.** That Halving is feasible: it keeps every concept. Nor that it is
    optimal: the Littlestone dimension can be smaller (`OptimalLearner`).

    >>> HalvingClass(32).max_mistakes(), HalvingClass.disjunctions(n=4, k=1).max_mistakes()
    (5, 2)
    """

    n_concepts: Count = Count("|C|: the number of different concepts")

    statement: ClassVar[str] = "M <= floor(log2 |C|)"
    reference: ClassVar[str] = "littlestone1988"
    learners: ClassVar[frozenset[str]] = frozenset({"Halving"})

    @classmethod
    def disjunctions(cls, n: int, k: int, negations: bool = False) -> Self:
        """Disjunctions (or conjunctions) of exactly k of n features, or of their literals."""
        return cls(comb(n, k) * (2**k if negations else 1))

    def hypotheses(self) -> Iterator[Hypothesis]:
        """At least one concept."""
        yield Hypothesis("n_concepts >= 1", self.n_concepts, self.n_concepts >= 1)

    def right_hand_side(self) -> Limit:
        """floor(log2 |C|), from the length of the number."""
        return at_most(Fraction(self.n_concepts.bit_length() - 1))

"""Winnow over conjunctions: k-DNF formulas as disjunctions of new features."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from thresher.errors import TooManyConjunctionsError
from thresher.theory.quantities import Count, Flag
from thresher.theory.theorem import Hypothesis, Limit, MistakeBound
from thresher.theory.winnow.disjunction import WinnowDisjunction

#: More conjunctions are not counted: with a large k that alone would take minutes.
MOST_CONJUNCTIONS = 2**1024


def conjunctions(n_variables: int, k: int, *, negations: bool = False) -> int:
    """How many conjunctions of 1 to k variables there are, or of variables and negations.

    >>> conjunctions(10, 1), conjunctions(10, 2), conjunctions(10, 2, negations=True)
    (10, 55, 200)
    """
    signs = 2 if negations else 1
    total, of_a_size = 0, 1
    for size in range(1, min(k, n_variables) + 1):
        of_a_size = of_a_size * signs * (n_variables - size + 1) // size
        total += of_a_size
        if total > MOST_CONJUNCTIONS:
            why = "at most 2^1024 are counted"
            raise TooManyConjunctionsError(n_variables, k, signs, MOST_CONJUNCTIONS, why)
    return total


@dataclass(frozen=True)
class WinnowKDNF(MistakeBound):
    """Mistakes of Winnow (factor 2, threshold d) on a k-DNF formula, over conjunctions.

    **Theorem** (Littlestone 1988, with sharper constants). Let x be binary with n variables, and
    let the label be +1 exactly when one of r terms is true, each a conjunction of at most k
    variables (s = 1), or with negations of variables and negated ones (s = 2). Winnow over all such
    conjunctions,

        d = sum of C(n, j) s^j over j = 1, ..., k,

    started at w = 1 with factor 2 and threshold d, makes, with K = ceil(log2 d),

        M <= 1                                   for r = 0,
        M <  1 + r (3K - 2^(K+1)/d)              for 1 <= r < d,
        M <= d K                                 for r = d.

    **Hypotheses.** n >= 1, k from 1 to n, and r <= d; noise-free labels.

    **Proof idea.** A row over the conjunctions is binary, and the formula is a monotone disjunction
    of r of them: `WinnowDisjunction`. Since d <= (s n + 1)^k, the bound grows by a factor of at
    most about k, while there are up to (s n)^k features.

    **How tight.** Reached for k = 1, where it is `WinnowDisjunction`. For k = 2 and 5 variables a
    stream reaches 8 of the 10 mistakes allowed: few sets of conjunctions are exactly those that
    are true of some row.

    **What it does not say.** Nothing about the time, which grows with d; nothing about hashed
    conjunctions, which share columns; nothing about noise; nothing about more than 2^1024
    conjunctions, which are not counted.

    >>> WinnowKDNF(n_variables=100, k=2, terms=2).max_mistakes()
    72
    >>> WinnowKDNF(100, 1, 2).max_mistakes() == WinnowDisjunction(100, 2).max_mistakes() == 37
    True
    >>> WinnowKDNF(100, 2, 2, negations=True).max_mistakes()
    84
    """

    n_variables: Count = Count("n: the number of variables")
    k: Count = Count("k: how many literals a term has, at most")
    terms: Count = Count("r: how many terms the formula has")
    negations: Flag = Flag("whether terms may have negations: s is 2 if so, and 1 if not", False)

    statement: ClassVar[str] = (
        "M < 1 + r (3K - 2^(K+1)/d), d = sum_{j<=k} C(n, j) s^j, K = ceil(log2 d), for 1 <= r < d"
    )
    reference: ClassVar[str] = "littlestone1988"
    learners: ClassVar[frozenset[str]] = frozenset({"Winnow"})
    setting: ClassVar[str] = "beta=1, threshold=n_features, over conjunctions"

    @property
    def n_features(self) -> int:
        """How many conjunctions there are, exactly: d of the theorem."""
        return conjunctions(self.n_variables, self.k, negations=self.negations)

    def hypotheses(self) -> Iterator[Hypothesis]:
        """There are variables, terms fit them, and no term is there twice."""
        yield Hypothesis("n_variables >= 1", self.n_variables, self.n_variables >= 1)
        yield Hypothesis("1 <= k <= n_variables", self.k, 1 <= self.k <= self.n_variables)
        yield Hypothesis("terms <= n_features", self.terms, self.terms <= self.n_features)

    def right_hand_side(self) -> Limit:
        """That of a disjunction over the conjunctions."""
        return self._disjunction.right_hand_side()

    def max_false_negatives(self) -> int:
        """R K, as for the disjunction."""
        self.limit()
        return self._disjunction.max_false_negatives()

    def max_false_positives(self) -> int:
        """As for the disjunction."""
        self.limit()
        return self._disjunction.max_false_positives()

    @property
    def _disjunction(self) -> WinnowDisjunction:
        return WinnowDisjunction(self.n_features, self.terms)

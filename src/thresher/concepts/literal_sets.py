"""Disjunctions and conjunctions: sets of variables or of literals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.concepts.concept_class import Code, ConceptClass
from thresher.parameters import checked_count, checked_flag


@dataclass(frozen=True)
class _LiteralSets(ConceptClass):
    """What disjunctions and conjunctions share: which sets of literals there are.

    Literal ``i`` is the variable ``x_i``, literal ``n + i`` its negation. With a fixed `k` a
    code lists the k literals; otherwise it is one integer whose bits are the literals.
    """

    n_variables: int
    k: int | None = None
    negations: bool = False

    _word: ClassVar[str]
    _empty: ClassVar[str]

    def __post_init__(self) -> None:
        whose = type(self).__name__
        n = checked_count(whose, "n_variables", self.n_variables, 1)
        object.__setattr__(self, "n_variables", n)
        if self.k is not None:
            object.__setattr__(self, "k", checked_count(whose, "k", self.k, 0, n))
        negations = checked_flag(whose, "negations", self.negations)
        object.__setattr__(self, "negations", negations)

    @property
    def size(self) -> int:
        """Fixed k: C(n, k), with negations C(n, k) 2^k. Any size: 2^n, with negations 3^n."""
        if self.k is None:
            return int((3 if self.negations else 2) ** self.n_variables)
        return comb(self.n_variables, self.k) * (2**self.k if self.negations else 1)

    @property
    def _n_literals(self) -> int:
        return self.n_variables * (2 if self.negations else 1)

    @property
    def _width(self) -> int:
        return 1 if self.k is None else self.k

    @property
    def _largest(self) -> int:
        return int(2**self._n_literals - 1) if self.k is None else self._n_literals - 1

    def _stream(self) -> Iterator[Code]:
        n = self.n_variables
        if self.k is None:
            if not self.negations:
                return ((bits,) for bits in range(2**n))
            choices = [(0, 1 << i, 1 << (n + i)) for i in reversed(range(n))]
            return ((sum(chosen),) for chosen in product(*choices))
        if not self.negations:
            return combinations(range(n), self.k)
        return (
            signed
            for chosen in combinations(range(n), self.k)
            for signed in product(*((i, n + i) for i in chosen))
        )

    def _literals(self, code: Code) -> list[int]:
        if self.k is not None:
            return list(code)
        return [literal for literal in range(self._n_literals) if code[0] >> literal & 1]

    def name_of(self, code: Code) -> str:
        """The literals of the code, in the order of their variables."""
        n = self.n_variables
        literals = sorted(self._literals(code), key=lambda literal: literal % n)
        names = [f"x{i}" if i < n else f"not x{i - n}" for i in literals]
        return f" {self._word} ".join(names) or self._empty

    def _truth(self, on: NDArray[np.int32]) -> NDArray[np.bool_]:
        """The truth value of every literal."""
        truth = np.zeros(self._n_literals, bool)
        truth[on] = True
        if self.negations:
            np.logical_not(truth[: self.n_variables], out=truth[self.n_variables :])
        return truth

    def _some(self, codes: NDArray[Any], literals: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """For each code, whether it has one of the marked literals."""
        if self.k is None:
            # One machine word per concept: the intersection of two sets is one AND.
            marked = sum(1 << int(literal) for literal in np.flatnonzero(literals))
            return np.asarray((codes[0] & marked) != 0, bool)
        found = np.zeros(codes.shape[1], bool)
        for column in codes:
            found |= literals[column]
        return found


class Disjunctions(_LiteralSets):
    r"""Disjunctions of variables, or of literals: :math:`f(x) = \bigvee_{l \in S} l(x)`.

    Parameters
    ----------
    n_variables
        Number of features, :math:`n`; a feature is 0 or 1.
    k
        How many literals each disjunction has, on k different variables; None: any number,
        the empty disjunction (always -1) included.
    negations
        Whether ``not x`` may stand for ``x``. A disjunction holding both ``x`` and ``not x``
        is constant and is left out.

    All the disjunctions of one class are different functions. There are
    :math:`\binom nk` of `k` variables, :math:`\binom nk 2^k` of `k` literals,
    :math:`2^n` and :math:`3^n` of any size.

    Examples
    --------
    >>> print(*Disjunctions(3, k=2), sep=", ")
    x0 or x1, x0 or x2, x1 or x2
    >>> print(*Disjunctions(2), sep=", ")
    never, x0, x1, x0 or x1
    >>> print(*Disjunctions(2, k=2, negations=True), sep=", ")
    x0 or x1, x0 or not x1, not x0 or x1, not x0 or not x1
    >>> Disjunctions(1000, k=30).size
    2429608192173745103270389838576750719302222606198631438800
    """

    _word = "or"
    _empty = "never"

    def votes(self, codes: NDArray[Any], on: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Whether one of the literals is true."""
        return self._some(codes, self._truth(on))


class Conjunctions(_LiteralSets):
    r"""Conjunctions of variables, or of literals: :math:`f(x) = \bigwedge_{l \in S} l(x)`.

    The parameters and the sizes are those of :class:`Disjunctions`; the empty conjunction
    is always +1, and a conjunction of ``x`` and ``not x`` is constant and left out.

    Examples
    --------
    >>> print(*Conjunctions(2, negations=True), sep=", ")
    always, x0, not x0, x1, x0 and x1, not x0 and x1, not x1, x0 and not x1, not x0 and not x1
    """

    _word = "and"
    _empty = "always"

    def votes(self, codes: NDArray[Any], on: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Whether none of the literals is false."""
        return ~self._some(codes, ~self._truth(on))

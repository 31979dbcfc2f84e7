"""The Littlestone dimension: how many mistakes the best learner of a class must make."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.concepts.listed import as_concept_class
from thresher.concepts.truth_table import TruthTable
from thresher.errors import ClassTooLargeError, SearchBudgetError
from thresher.parameters import checked_count

#: Concepts in the largest class whose dimension is searched for.
CONCEPT_LIMIT = 2**12
#: Splits of a sub-class tried before one search gives up: some seconds.
SEARCH_BUDGET = 10_000_000


def littlestone_dimension(concepts: Any, budget: int = SEARCH_BUDGET) -> int:
    r"""The Littlestone dimension of a finite class, exactly.

    It is the depth of the largest complete binary tree whose inner nodes are points and
    whose every path of answers is the behaviour of some concept: the number of mistakes an
    adversary can force on every deterministic learner, and the number that
    :class:`thresher.learners.StandardOptimal` never exceeds. For a class C it is at most
    :math:`\lfloor\log_2 |C|\rfloor`.

    Parameters
    ----------
    concepts
        A concept class, or a truth table. The points are all rows of its variables, or the
        points of the truth table.
    budget
        How many splits the search may try before it gives up with a ``SearchBudgetError``.

    Examples
    --------
    Disjunctions of any of n variables: the row with feature i alone asks about variable i,
    whatever was answered before.

    >>> from thresher.concepts import Disjunctions, singletons, thresholds
    >>> [littlestone_dimension(Disjunctions(n)) for n in (1, 2, 3, 4)]
    [1, 2, 3, 4]
    >>> littlestone_dimension(singletons(100)), littlestone_dimension(thresholds(100))
    (1, 6)

    References
    ----------
    N. Littlestone, "Learning quickly when irrelevant attributes abound", Machine Learning 2,
    1988, section 3.
    """
    dimensions = SubclassDimensions(concepts, budget)
    return dimensions.dimension(dimensions.everything)


class SubclassDimensions:
    r"""Exact Littlestone dimensions of a class and of its sub-classes, remembered.

    A sub-class is a bitmask: bit `f` is set when concept `f` belongs to it. With
    :math:`V^{\pm}_x` the part of V that says :math:`\pm 1` at x,

    .. math:: \mathrm{Ldim}(V) = \max_x\, 1 + \min(\mathrm{Ldim}(V^+_x), \mathrm{Ldim}(V^-_x)),

    the maximum over the points x where V disagrees; 0 if there is none, and -1 for the
    empty class. As a tree of depth d has :math:`2^d` leaves, all different concepts,
    d is at most :math:`\log_2 |V|`, which prunes most of the search.

    >>> dimensions = SubclassDimensions([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> dimensions.dimension(0b1111), dimensions.dimension(0b0111), dimensions.dimension(0b0001)
    (2, 1, 0)
    """

    def __init__(self, concepts: Any, budget: int = SEARCH_BUDGET) -> None:
        found = as_concept_class(concepts)
        if found.size > CONCEPT_LIMIT:
            raise ClassTooLargeError(
                repr(found),
                found.size,
                CONCEPT_LIMIT,
                hint="The search for the Littlestone dimension is exact and takes small classes.",
            )
        self.table = TruthTable.of(found)
        self.budget = checked_count("littlestone_dimension", "budget", budget, 1)
        self.everything: int = (1 << self.table.size) - 1
        self._tried = 0
        self._at_least: dict[int, int] = {}
        self._at_most: dict[int, int] = {}
        self._best_split: dict[int, int] = {}
        # Points that split the class alike, even with the labels swapped, count as one.
        self._point: dict[int, int] = {}
        for p, said in enumerate(self.table.table().T):
            positive = self.mask(np.flatnonzero(said))
            if positive ^ self.everything not in self._point:
                self._point.setdefault(positive, p)
        # Even splits first: they are the likeliest to carry a deep tree.
        self._splits = sorted(
            self._point, key=lambda positive: abs(2 * positive.bit_count() - self.table.size)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return SubclassDimensions, (self.table, self.budget)

    def mask(self, members: NDArray[Any]) -> int:
        """The bitmask of these concept numbers."""
        flags = np.zeros(self.table.size, np.uint8)
        flags[members] = 1
        return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")

    def dimension(self, subclass: int) -> int:
        """The Littlestone dimension of a sub-class; -1 if it is empty."""
        if not subclass:
            return -1
        self._tried = 0
        depth = self._at_least.get(subclass, 0)
        while self._has_tree(subclass, depth + 1, subclass):
            depth += 1
            self._at_least[subclass] = depth
        return depth

    def split(self, subclass: int) -> tuple[int, int, int]:
        """A point at which a mistake tree of full depth can begin, and its - and + sides.

        The sub-class must have two members, and its dimension must have been asked for.
        """
        positive = self._best_split.get(subclass)
        if positive is None:
            positive = next(each for each in self._splits if 0 != subclass & each != subclass)
        return self._point[positive], subclass & ~positive, subclass & positive

    def _has_tree(self, subclass: int, depth: int, whole: int) -> bool:
        """Whether the sub-class has a mistake tree of this depth (at least 1)."""
        if subclass.bit_count() < 2**depth:
            return False
        if depth == 1 or self._at_least.get(subclass, 0) >= depth:
            return True
        if self._at_most.get(subclass, depth) < depth:
            return False
        seen = set()
        for each in self._splits:
            self._tried += 1
            positive = subclass & each
            negative = subclass ^ positive
            fewer, more = sorted((positive, negative), key=int.bit_count)
            if fewer.bit_count() < 2 ** (depth - 1) or fewer in seen:
                continue
            seen.add(fewer)
            if self._tried > self.budget:
                raise self._gave_up(whole)
            if self._has_tree(fewer, depth - 1, whole) and self._has_tree(more, depth - 1, whole):
                self._at_least[subclass], self._best_split[subclass] = depth, each
                return True
        self._at_most[subclass] = depth - 1
        return False

    def _gave_up(self, whole: int) -> SearchBudgetError:
        high = whole.bit_count().bit_length() - 1
        return SearchBudgetError(
            repr(self.table),
            self._tried,
            self._at_least.get(whole, 0),
            min(high, self._at_most.get(whole, high)),
        )

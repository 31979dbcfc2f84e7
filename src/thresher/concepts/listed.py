"""ListedConcepts: a class given as a list of functions, and the door for all classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.concepts.concept_class import Code, ConceptClass
from thresher.concepts.truth_table import TruthTable
from thresher.errors import ConceptError
from thresher.parameters import checked_count

ConceptFunction = Callable[[tuple[int, ...]], Any]


class ListedConcepts(ConceptClass):
    """A class given as functions, each called with one row.

    **Protocol.** A concept is called as ``concept(x)``, where `x` is a tuple of
    `n_variables` integers, each 0 or 1. It returns True, 1 (or +1) for the label +1, and
    False, 0 or -1 for the label -1; anything else is an error. It must be a function in the
    mathematical sense: the same answer every time. Its name is its attribute `name`, or
    else its ``__name__``, or else ``concept 3`` by its place in the list.

    The concepts are counted **as listed**: two functions that happen to agree everywhere
    vote twice. ``TruthTable.of(...)`` merges them, and answers much faster where the table
    of all :math:`2^n` rows fits into memory.

    Examples
    --------
    >>> def both(x): return x[0] and x[1]
    >>> def differ(x): return x[0] != x[1]
    >>> concepts = ListedConcepts([both, differ, lambda x: True], n_variables=2)
    >>> [concept.name for concept in concepts]
    ['both', 'differ', 'concept 2']
    >>> [concept([1, 1]) for concept in concepts]
    [True, False, True]
    """

    def __init__(self, concepts: Iterable[ConceptFunction], n_variables: int) -> None:
        self.n_variables = checked_count("ListedConcepts", "n_variables", n_variables, 1)
        self._concepts = tuple(concepts)
        if not self._concepts:
            raise ConceptError("ListedConcepts: the list of concepts is empty; give at least one.")
        for place, concept in enumerate(self._concepts):
            if not callable(concept):
                raise ConceptError(
                    f"ListedConcepts: concept {place} must be callable with a tuple of 0s and 1s, "
                    f"found {concept!r}."
                )

    @property
    def size(self) -> int:
        """Number of concepts listed."""
        return len(self._concepts)

    @property
    def _width(self) -> int:
        return 1

    @property
    def _largest(self) -> int:
        return len(self._concepts) - 1

    def _stream(self) -> Iterator[Code]:
        return ((place,) for place in range(len(self._concepts)))

    def name_of(self, code: Code) -> str:
        """The name of the function, or its place."""
        concept = self._concepts[code[0]]
        name = getattr(concept, "name", None) or getattr(concept, "__name__", None)
        return name if isinstance(name, str) and name != "<lambda>" else f"concept {code[0]}"

    def votes(self, codes: NDArray[Any], on: NDArray[np.int32]) -> NDArray[np.bool_]:
        """The answers of the functions, one call each."""
        dense = np.zeros(self.n_variables, np.int8)
        dense[on] = 1
        x = tuple(dense.tolist())
        return np.fromiter((self._answer(f, x) for f in codes[0].tolist()), bool, codes.shape[1])

    def _answer(self, place: int, x: tuple[int, ...]) -> bool:
        answer = self._concepts[place](x)
        if np.ndim(answer) == 0 and answer in (1, 0, -1):
            return bool(answer == 1)
        raise ConceptError(
            f"concept {self.name_of((place,))!r} answered {answer!r} for the row {x}, but must "
            "answer True or 1 for the label +1, and False, 0 or -1 for the label -1."
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ListedConcepts):
            return NotImplemented
        ours, theirs = (self.n_variables, self._concepts), (other.n_variables, other._concepts)
        return ours == theirs

    def __hash__(self) -> int:
        return hash((self.n_variables, len(self._concepts)))

    def __repr__(self) -> str:
        return f"ListedConcepts({self.size} concepts, n_variables={self.n_variables})"


def as_concept_class(concepts: Any, n_variables: int | None = None) -> ConceptClass:
    """A concept class from a class, a list of functions, or a matrix of bits.

    >>> as_concept_class([[0, 0, 1, 1], [0, 1, 0, 1]])
    TruthTable(2 concepts on 4 points)
    >>> as_concept_class([any, all], n_variables=3)
    ListedConcepts(2 concepts, n_variables=3)
    """
    if isinstance(concepts, ConceptClass):
        found: ConceptClass = concepts
    elif isinstance(concepts, np.ndarray):
        found = TruthTable(concepts)
    else:
        listed = list(concepts)
        if not any(callable(concept) for concept in listed):
            found = TruthTable(listed)
        elif n_variables is None:
            raise ConceptError(
                "a list of functions does not say how many features they look at: pass "
                "n_variables= as well."
            )
        else:
            found = ListedConcepts(listed, n_variables)
    if n_variables is not None and found.n_variables != n_variables:
        raise ConceptError(
            f"n_variables={n_variables} was asked for, but {found!r} has {found.n_variables}."
        )
    return found

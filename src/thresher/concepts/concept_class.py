"""ConceptClass: a finite set of Boolean functions, counted exactly and enumerated lazily."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import (
    ClassTooLargeError,
    FeatureRangeError,
    ParameterError,
    VariableRangeError,
)
from thresher.streams import Rows

#: How many concepts are held in memory at once unless the caller allows more.
ENUMERATION_LIMIT = 2**24

#: A concept as a few small integers; what they mean is known to its class alone.
Code = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BooleanFunction:
    """One function of a class: a readable name, and the function itself.

    Called with a dense sequence of 0s and 1s, one per variable, it says whether the
    label is +1.

    >>> from thresher.concepts import Disjunctions
    >>> either = list(Disjunctions(3, k=2))[1]
    >>> either.name, either([0, 0, 1]), either([0, 1, 0])
    ('x0 or x2', True, False)
    """

    concept_class: ConceptClass
    code: Code

    @property
    def name(self) -> str:
        """The concept in words, with ``x4`` for the feature of index 4."""
        return self.concept_class.name_of(self.code)

    def __call__(self, x: Sequence[int] | NDArray[Any]) -> bool:
        """Whether the concept says +1 for the row."""
        dense = np.asarray(x)
        if dense.shape != (self.concept_class.n_variables,) or not np.isin(dense, (0, 1)).all():
            raise ParameterError(
                f"concept {self.name!r}",
                "its argument",
                f"a sequence of {self.concept_class.n_variables} values, each 0 or 1",
                x,
            )
        on = np.flatnonzero(dense).astype(np.int32)
        return bool(self.concept_class.votes(self.concept_class.coded([self.code]), on)[0])

    def __str__(self) -> str:
        return self.name


class ConceptClass(ABC):
    """A finite class of Boolean functions of `n_variables` features that are 0 or 1.

    The class itself takes no memory worth mentioning: its `size` comes from a formula,
    and iteration makes one :class:`BooleanFunction` after another. A learner that needs all
    concepts at once asks for their `codes`, a few bytes each.

    Every class here holds each function **once**; a docstring says where two
    descriptions of one function were merged.
    """

    n_variables: int

    @property
    @abstractmethod
    def size(self) -> int:
        """Exact number of concepts, without enumerating them."""

    @abstractmethod
    def votes(self, codes: NDArray[Any], on: NDArray[np.int32]) -> NDArray[np.bool_]:
        """For each coded concept, whether it says +1 when exactly the features `on` are 1."""

    @abstractmethod
    def name_of(self, code: Code) -> str:
        """The concept with this code, in words."""

    @abstractmethod
    def _stream(self) -> Iterator[Code]:
        """All codes, in the order of enumeration."""

    @property
    @abstractmethod
    def _width(self) -> int:
        """Number of integers in a code."""

    @property
    @abstractmethod
    def _largest(self) -> int:
        """No integer in a code exceeds this; it decides how many bytes each takes."""

    def coded(self, codes: Sequence[Code]) -> NDArray[Any]:
        """These codes in the form `votes` takes: one column per concept."""
        return self._packed(iter(codes), len(codes))

    def codes(self, limit: int = ENUMERATION_LIMIT) -> NDArray[Any]:
        """The codes of all concepts, one column per concept; refused above `limit` concepts."""
        if self.size > limit:
            raise ClassTooLargeError(
                repr(self),
                self.size,
                limit,
                hint="Its .size and lazy iteration work at any size; to hold all concepts at once "
                "use a smaller class, or allow more with limit=.",
            )
        return self._packed(self._stream(), self.size)

    def _packed(self, codes: Iterator[Code], count: int) -> NDArray[Any]:
        flat = np.fromiter(chain.from_iterable(codes), self._dtype, count * self._width)
        return np.ascontiguousarray(flat.reshape(count, self._width).T)

    @property
    def _dtype(self) -> np.dtype[Any]:
        # Codes beyond 64 bits occur only one at a time, in lazy iteration over a huge class.
        return np.min_scalar_type(self._largest) if self._largest < 2**64 else np.dtype(object)

    def check(self, learner: str, rows: Rows) -> None:
        """Refuse rows that are not 0/1 rows over the variables of the class."""
        for wrong in np.flatnonzero((rows.value != 1.0) | (rows.column >= self.n_variables))[:1]:
            row = int(np.searchsorted(rows.row_start, wrong, side="right")) - 1
            index, value = int(rows.column[wrong]), float(rows.value[wrong])
            if index >= self.n_variables:
                raise VariableRangeError(learner, row, index, value, self.n_variables)
            raise FeatureRangeError(learner, row, index, value, "{0, 1}")

    def __len__(self) -> int:
        if self.size > sys.maxsize:
            raise ClassTooLargeError(
                repr(self), self.size, sys.maxsize, hint="len() cannot say so; .size can."
            )
        return self.size

    def __bool__(self) -> bool:
        return self.size > 0

    def __iter__(self) -> Iterator[BooleanFunction]:
        return (BooleanFunction(self, code) for code in self._stream())

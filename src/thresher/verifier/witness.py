"""Witness: the weight vector a learner is compared with, in whole numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

#: Numerators of a comparator are at most this, so that products of parts fit 64 bits.
LARGEST_NUMERATOR = 2**20


def _nothing(column: NDArray[np.int32]) -> NDArray[np.float64]:
    return np.zeros(len(column))


@dataclass(frozen=True)
class Comparator:
    """A weight vector with whole numerators and one denominator, to compare a learner with.

    >>> u = Comparator((0, 7), (3, -1), denominator=2)
    >>> u.weights, u.norm_1
    ((Fraction(3, 2), Fraction(-1, 2)), Fraction(2, 1))
    """

    columns: tuple[int, ...]
    numerators: tuple[int, ...]
    bias: int = 0
    denominator: int = 1

    @property
    def weights(self) -> tuple[Fraction, ...]:
        """The non-zero weights, the bias last."""
        all_of_them = (*self.numerators, self.bias)
        return tuple(Fraction(n, self.denominator) for n in all_of_them if n)

    @property
    def norm_squared(self) -> Fraction:
        """||u||_2^2."""
        return sum((w * w for w in self.weights), Fraction(0))

    @property
    def norm_1(self) -> Fraction:
        """||u||_1."""
        return sum(map(abs, self.weights), Fraction(0))

    @property
    def is_a_set(self) -> bool:
        """Whether all weights are 1: the comparator is a set of features."""
        return all(numerator == self.denominator for numerator in self.numerators)

    def fits(self, n_columns: int) -> bool:
        """Whether it needs no constant feature and no column from `n_columns` on."""
        return not self.bias and (not self.columns or max(self.columns) < n_columns)

    def lookup(
        self, width: int, n_values: int
    ) -> Callable[[NDArray[np.int32]], NDArray[np.float64]]:
        """A function from columns to numerators, for so many values of a stream so wide.

        A wide stream of few values takes no table with a place for every column.

        >>> u = Comparator((5, 2000000000), (3, -1))
        >>> u.lookup(2000000001, 4)(np.array([2000000000, 7, 5], np.int32)).tolist()
        [-1.0, 0.0, 3.0]
        """
        if width <= 4 * n_values + 1024 or not self.columns:
            return self.dense(width).__getitem__ if self.columns else _nothing
        own = np.array([min(column, 2**62) for column in self.columns], np.int64)
        numerators = np.array(self.numerators, np.float64)

        def found(column: NDArray[np.int32]) -> NDArray[np.float64]:
            place = np.minimum(np.searchsorted(own, column), len(own) - 1)
            return np.where(own[place] == column, numerators[place], 0.0)

        return found

    def dense(self, width: int) -> NDArray[np.float64]:
        """The numerators as doubles, columns beyond the stream left out."""
        u = np.zeros(max(width, 1))
        for column, numerator in zip(self.columns, self.numerators, strict=True):
            if column < width:
                u[column] = numerator
        return u


@dataclass(frozen=True)
class Witness:
    """The comparator, the levels at which its losses are taken, and where it came from."""

    comparator: Comparator
    level: Fraction | None = None
    rho: Fraction | None = None
    #: In how many rounds the comparator itself is wrong; None where that means nothing.
    errors: int | None = None
    #: How it was found, for people; it proves nothing, and certificates leave it out.
    origin: str = field(default="", compare=False)

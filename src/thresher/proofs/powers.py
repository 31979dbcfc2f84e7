"""Weights that are powers: exact whole numbers in a common unit, or doubles."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Powers that differ by more bits than this are computed in floating point.
EXACT_BITS = 2**12

EPSILON = 2.0**-52


@dataclass(frozen=True, slots=True)
class Powers:
    """base**z for the duals z of a run.

    Exact for whole z and a rational base: with base = a/b, every power in the run is a whole
    multiple of ``unit`` = a**low / b**high, and `of` gives the multiples. Otherwise `of` gives
    doubles, ``unit`` is 1 and ``loss`` bounds the relative error of each.
    """

    base: Fraction
    low: int
    high: int
    exact: bool

    @classmethod
    def covering(cls, base: Fraction, *duals: NDArray[Any]) -> Powers:
        """The powers of `base` for all these duals."""
        low = min((int(np.floor(z.min())) for z in duals if len(z)), default=0)
        high = max((int(np.ceil(z.max())) for z in duals if len(z)), default=0)
        low, high = min(low, 0), max(high, 0)
        digits = max(base.numerator.bit_length(), base.denominator.bit_length())
        whole = all(z.dtype == np.int64 for z in duals)
        return cls(base, low, high, whole and (high - low) * digits <= EXACT_BITS)

    @property
    def unit(self) -> Fraction:
        """What one multiple is worth."""
        a, b = self.base.numerator, self.base.denominator
        return Fraction(a**-self.low, 1) ** -1 / b**self.high if self.exact else Fraction(1)

    @property
    def loss(self) -> float:
        """A bound on the relative error of one power; 0 when exact."""
        if self.exact:
            return 0.0
        return EPSILON * (4.0 + 4.0 * self.rate * max(-self.low, self.high))

    @property
    def rate(self) -> float:
        """ln(base)."""
        return log(self.base.numerator) - log(self.base.denominator)

    def of(self, z: NDArray[Any]) -> NDArray[Any]:
        """The power for each dual, in units."""
        if not self.exact:
            with np.errstate(over="ignore"):
                return np.exp(self.rate * z)
        a, b = self.base.numerator, self.base.denominator
        table = np.empty(self.high - self.low + 1, object)
        table[:] = [a**k * b ** (self.high - self.low - k) for k in range(len(table))]
        powers: NDArray[Any] = table[np.asarray(z, np.int64) - self.low]
        return powers

    def worth(self, multiples: NDArray[Any]) -> NDArray[Any]:
        """Numbers of units as numbers: fractions, or the doubles they are already."""
        if not self.exact:
            return np.asarray(multiples, np.float64)
        unit = self.unit
        return fractions([Fraction(int(m)) * unit for m in multiples])

    def number(self, z: float) -> Fraction | float:
        """One power."""
        return self.base ** int(z) if self.exact else exp(self.rate * z)


def fractions(entries: list[Any]) -> NDArray[Any]:
    """A column of exact numbers.

    >>> fractions([Fraction(4, 2), 3]).tolist()
    [Fraction(2, 1), 3]
    """
    column = np.empty(len(entries), object)
    column[:] = entries
    return column

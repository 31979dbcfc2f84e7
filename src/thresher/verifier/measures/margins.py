"""Norms, margins and losses of a stream, in exact arithmetic.

A double is a fraction, so every quantity here is one, and none is rounded. Sums over many
rows are found fast in one of two ways. Where values and comparator are multiples of a
common power of two and small, double precision does not round and is used as it is.
Otherwise floating point with a proven error says which rows matter, those rows are
computed with whole numbers of any size, and the others cannot matter.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.playing import UNIT
from thresher.verifier.witness import Comparator


def squared_norms(stream: LabelledRows, bias: bool) -> list[Fraction]:
    """||x_t||^2 of every row, the constant feature included."""
    if _small_whole(stream.value):
        return [
            Fraction(int(s) + bias)
            for first, stop in stream.blocks()
            for part in [stream.part(first, stop)]
            for s in np.bincount(part.row, part.value**2, len(part)).tolist()
        ]
    # Doubles as whole numbers times powers of two: fractions would take ten times as long.
    mantissa, power = np.frexp(stream.value)
    whole = (mantissa * 2.0**53).astype(np.int64).tolist()
    exponents = (power - 53).tolist()
    return [
        bias + _squared(whole[a:b], exponents[a:b]) for a, b in pairwise(stream.row_start.tolist())
    ]


def _squared(whole: list[int], exponents: list[int]) -> Fraction:
    """The sum of (w * 2^e)^2."""
    least = min(exponents, default=0)
    total = sum((w * w) << 2 * (e - least) for w, e in zip(whole, exponents, strict=True))
    return total * Fraction(4) ** least


def _small_whole(value: NDArray[np.float64]) -> bool:
    """Whether squares of the values, and sums of a few million of them, do not round."""
    return bool(np.all(np.abs(value) <= 2**15) and np.all(value == np.rint(value)))


class Margins:
    """y_t u.x_t in every round, for one comparator; answers are exact.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 0.5], [0, -1]], [1, -1])
    >>> found = Margins(stream, Comparator((0, 1), (1, 2)))
    >>> found.smallest(), found.hinge_loss(Fraction(5, 2)), found.errors()
    (Fraction(2, 1), Fraction(1, 1), 0)
    """

    def __init__(self, stream: LabelledRows, comparator: Comparator) -> None:
        self.stream = stream
        self.comparator = comparator
        u = comparator.lookup(stream.width, len(stream.value))
        scores, size = np.empty(len(stream)), np.empty(len(stream))
        for first, stop in stream.blocks():
            part = stream.part(first, stop)
            terms = u(part.column) * part.value
            scores[first:stop] = np.bincount(part.row, terms, len(part))
            size[first:stop] = np.bincount(part.row, np.abs(terms), len(part))
        scores += comparator.bias
        size += abs(comparator.bias)
        #: y u.x times the denominator, as double precision has it, and how far off it may be.
        self.approximate = stream.label * scores
        self.error = size * (np.diff(stream.row_start) + 4.0) * UNIT + 1e-290
        k = stream.binary_places
        if k is not None and float(np.max(size, initial=0.0)) * 2.0**k < 2.0**52:
            self.error = np.zeros(len(stream))

    @property
    def exact(self) -> bool:
        """Whether double precision has every margin as it is."""
        return not self.error.any()

    def at(self, t: int) -> Fraction:
        """The margin of one round."""
        if self.error[t] == 0.0:
            return Fraction(float(self.approximate[t])) / self.comparator.denominator
        inside = self.stream.inside(t, t + 1)
        u = self._numerator
        total = Fraction(self.comparator.bias)
        pairs = zip(
            self.stream.column[inside].tolist(), self.stream.value[inside].tolist(), strict=True
        )
        for column, value in pairs:
            if column in u:
                total += u[column] * Fraction(value)
        return int(self.stream.label[t]) * total / self.comparator.denominator

    @cached_property
    def _numerator(self) -> dict[int, int]:
        return dict(zip(self.comparator.columns, self.comparator.numerators, strict=True))

    def smallest(self) -> Fraction | None:
        """min_t y_t u.x_t, or None for an empty stream."""
        if not len(self.stream):
            return None
        reach = float(np.min(self.approximate + self.error))
        return min(self.at(int(t)) for t in self._rows_up_to(reach))

    def _rows_up_to(self, level: float) -> NDArray[np.int64]:
        found = np.flatnonzero(self.approximate - self.error <= level)
        if np.all(self.error[found] == 0.0):
            # Equal numbers need looking at once.
            return found[:1] if len(found) else found
        return found

    def below(self, level: Callable[[int], Fraction]) -> NDArray[np.bool_]:
        """For each round, whether the margin is below the level of its label."""
        result = np.zeros(len(self.stream), bool)
        for y in (1, -1):
            rows = np.flatnonzero(self.stream.label == y)
            exact = level(y) * self.comparator.denominator
            near = float(exact)
            slack = abs(near) * UNIT
            m, e = self.approximate[rows], self.error[rows]
            sure = m + e < near - slack
            open_ = ~sure & (m - e <= near + slack)
            result[rows] = sure
            for t in rows[open_].tolist():
                result[t] = self.at(t) < level(y)
        return result

    def hinge_loss(self, level: Fraction, negative_level: Fraction | None = None) -> Fraction:
        """The sum of max(0, level - y u.x); negatives may have a level of their own."""
        levels = {1: level, -1: level if negative_level is None else negative_level}
        short = self.below(levels.__getitem__)
        count = {y: int(np.count_nonzero(short & (self.stream.label == y))) for y in (1, -1)}
        return count[1] * levels[1] + count[-1] * levels[-1] - self._sum(short)

    def squared_hinge_loss(self, level: Fraction) -> Fraction:
        """The sum of max(0, level - y u.x)^2."""
        short = np.flatnonzero(self.below(lambda _: level)).tolist()
        return sum(((level - self.at(t)) ** 2 for t in short), Fraction(0))

    def errors(self) -> int:
        """In how many rounds the comparator's own prediction is wrong (0 predicts +1)."""
        zero = Fraction(0)
        wrong = self.below(lambda _: zero)
        negative = np.flatnonzero((self.stream.label < 0) & ~wrong)
        ties = negative[np.abs(self.approximate[negative]) <= self.error[negative]].tolist()
        return int(np.count_nonzero(wrong)) + sum(self.at(t) == 0 for t in ties)

    def _sum(self, chosen: NDArray[np.bool_]) -> Fraction:
        """The sum of y u.x over the chosen rounds."""
        stream = self.stream
        u = self.comparator.lookup(stream.width, len(stream.value))
        total = Fraction(0)
        for first, stop in stream.blocks():
            rounds = np.flatnonzero(chosen[first:stop])
            part = stream.part(first, stop).take(rounds)
            y = part.label[part.row].astype(np.int64)
            total += exact_sum(y * u(part.column).astype(np.int64), part.value)
        total += self.comparator.bias * int(np.sum(stream.label[chosen], dtype=np.int64))
        return total / self.comparator.denominator


def exact_sum(factor: NDArray[np.int64], value: NDArray[np.float64]) -> Fraction:
    """The sum of factor * value, for factors of at most 2^20.

    A double is a whole number of 53 bits times a power of two. The numbers are cut into
    two parts, whose products with the factors are added in 64 bits, at most 2^15 at a
    time and only among equal powers.

    >>> exact_sum(np.array([3, -1]), np.array([0.1, 0.3])) == 3 * Fraction(0.1) - Fraction(0.3)
    True
    """
    if not len(value):
        return Fraction(0)
    mantissa, exponent = np.frexp(value)
    order = np.argsort(exponent, kind="stable")
    whole = (mantissa[order] * 2.0**53).astype(np.int64)
    factor, exponent = factor[order], exponent[order]
    change = np.flatnonzero(np.diff(exponent)) + 1
    start = np.unique(np.concatenate(([0], change, np.arange(0, len(value), 2**15))))
    high = np.add.reduceat(factor * (whole >> 27), start).tolist()
    low = np.add.reduceat(factor * (whole & (2**27 - 1)), start).tolist()
    powers = exponent[start].tolist()
    bottom = powers[0]
    total: int = sum(
        ((h << 27) + part) << (e - bottom) for h, part, e in zip(high, low, powers, strict=True)
    )
    return Fraction(total) * Fraction(2) ** int(bottom - 53)

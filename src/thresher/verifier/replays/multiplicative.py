"""The Winnow family, replayed: duals move by y x, weights are their powers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.playing import EXACT, FLOAT64, UNIT
from thresher.verifier.replays.weight_base import WeightBase

Array = NDArray[np.float64]


class MultiplicativeMachine:
    """A feature weighs base^dual, or base^dual - base^-dual in the mirrored learners.

    A block of rows is scored in double precision with a bound on the error; what that
    leaves open is decided by `WeightBase.sign`.
    """

    def __init__(
        self,
        stream: LabelledRows,
        base: WeightBase,
        threshold: Fraction = Fraction(0),
        mirrored: bool = False,
        zeroing: bool = False,
        bias: bool = False,
    ) -> None:
        self.stream = stream
        self.threshold = threshold
        self.mirrored = mirrored
        self.zeroing = zeroing
        self.bias = bias
        self.dual = np.zeros(stream.width + 1)
        self.start(base)

    def start(self, base: WeightBase) -> None:
        """All duals zero, with this base."""
        self.base = base
        self.rate = base.rate
        self.dual[:] = 0.0

    def says_positive(self, first: int, stop: int) -> NDArray[np.bool_]:
        """Whether each score reaches the threshold."""
        stream, inside, n = self.stream, self.stream.inside(first, stop), stop - first
        row, x = stream.row[inside] - first, stream.value[inside]
        z = self.dual[stream.column[inside]]
        if self.bias:
            row, x = np.append(row, np.arange(n)), np.append(x, np.ones(n))
            z = np.append(z, np.full(n, self.dual[-1]))
        total, error = self._scored(row, x, z, n)
        positive = total >= 0.0
        for t in np.flatnonzero(np.abs(total) <= error).tolist():
            positive[t] = self._exactly(first + t)
        return np.asarray(positive)

    def _scored(self, row: NDArray[np.int64], x: Array, z: Array, n: int) -> tuple[Array, Array]:
        """(score - threshold) / e^m for every row, m chosen to keep it in range, and its error.

        rate and rate * z are off by at most 2 units of 2^-52 of their size, a power by as
        much as its exponent and two roundings, a sum of n terms by n roundings.
        """
        exponent = self.rate * z
        alive = np.isfinite(exponent)
        row, x, exponent = row[alive], x[alive], exponent[alive]
        top = np.full(n, 0.0 if self.threshold else -np.inf)
        np.maximum.at(top, row, np.abs(exponent) if self.mirrored else exponent)
        top[~np.isfinite(top)] = 0.0
        reach = np.zeros(n)
        np.maximum.at(reach, row, np.abs(exponent))
        terms = x * np.exp(exponent - top[row])
        total = np.bincount(row, terms, n)
        size = np.bincount(row, np.abs(terms), n)
        if self.mirrored:
            terms = x * np.exp(-exponent - top[row])
            total -= np.bincount(row, terms, n)
            size += np.bincount(row, np.abs(terms), n)
        level = float(self.threshold) * np.exp(-top)
        count = np.bincount(row, minlength=n)
        error = (size + level) * (2 * count + 16 + 8 * reach + 2 * np.abs(top)) * UNIT
        return total - level, error + (count + 1) * np.max(np.abs(x), initial=1.0) * 1e-300

    def _exactly(self, t: int) -> bool:
        """Whether the score of round t reaches the threshold, decided by exact arithmetic."""
        inside = self.stream.inside(t, t + 1)
        z = self.dual[self.stream.column[inside]].tolist()
        pairs = list(zip(self.stream.value[inside].tolist(), z, strict=True))
        if self.bias:
            pairs.append((1.0, float(self.dual[-1])))
        terms = [(Fraction(x), Fraction(z)) for x, z in pairs if z != -np.inf]
        if self.mirrored:
            terms += [(-x, -z) for x, z in terms]
        if self.threshold:
            terms.append((-self.threshold, Fraction(0)))
        return self.base.sign(terms) >= 0

    def update(self, t: int) -> None:
        """Move the duals of the row by y x, or silence them for good."""
        inside, y = self.stream.inside(t, t + 1), float(self.stream.label[t])
        columns = self.stream.column[inside]
        if self.zeroing and y < 0:
            self.dual[columns] = -np.inf
            return
        self.dual[columns] += y * self.stream.value[inside]
        if self.bias:
            self.dual[-1] += y


def dual_arithmetic(stream: LabelledRows, updates: int) -> str:
    """Whether sums of so many rows are exact in double precision."""
    k = stream.binary_places
    if k is None:
        return FLOAT64
    largest = max(int(np.ceil(np.max(np.abs(stream.value), initial=1.0))), 1)
    return EXACT if (max(updates, 1) * largest) << k < 2**53 else FLOAT64

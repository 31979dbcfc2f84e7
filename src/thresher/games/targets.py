"""Hidden targets: what labels a stream, in a form a person can read and a program can check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.streams import Batch, Rows

Labels = NDArray[np.int8]


class Target(Protocol):
    """A concept: it labels rows, and finds the rounds of a batch that contradict it."""

    def labels(self, rows: Rows) -> Labels:
        """The label of every row, -1 or +1."""

    def contradictions(self, batch: Batch) -> NDArray[np.int64]:
        """The rounds whose label is not the target's, or which come too near to its boundary."""


def row_of_value(rows: Rows) -> NDArray[np.int64]:
    """For every stored value, the row it stands in."""
    return np.repeat(np.arange(len(rows)), np.diff(rows.row_start))


def row_sums(rows: Rows, per_value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sums within each row, from left to right; an empty row has the sum 0."""
    sums: NDArray[np.float64] = np.bincount(
        row_of_value(rows), weights=per_value, minlength=len(rows)
    ).astype(np.float64)
    return sums


@dataclass(frozen=True, slots=True)
class Quorum:
    """At least `count` of the literals are true: disjunctions, conjunctions, k-of-r.

    A feature is true in a row when it is not zero; a literal is a feature or its negation.

    >>> print(disjunction([0, 3]), conjunction([1, 2]), Quorum(2, (0, 1), (4,)), sep="; ")
    x0 or x3; x1 and x2; at least 2 of x0, x1, not x4
    """

    count: int
    plain: tuple[int, ...]
    negated: tuple[int, ...] = ()

    def labels(self, rows: Rows) -> Labels:
        """The label of every row, -1 or +1."""
        width = max(rows.n_features, *(i + 1 for i in (*self.plain, *self.negated)), 1)
        gain = np.zeros(width)
        gain[list(self.plain)] = 1.0
        gain[list(self.negated)] = -1.0
        true = row_sums(rows, gain[rows.column]) + len(self.negated)
        return np.where(true >= self.count, 1, -1).astype(np.int8)

    def contradictions(self, batch: Batch) -> NDArray[np.int64]:
        """The rounds whose label is not the target's."""
        return np.flatnonzero(self.labels(batch) != batch.label)

    def __str__(self) -> str:
        literals = [f"x{i}" for i in self.plain] + [f"not x{i}" for i in self.negated]
        if not literals:
            return "always" if self.count <= 0 else "never"
        if self.count == 1:
            return " or ".join(literals)
        if self.count == len(literals):
            return " and ".join(literals)
        return f"at least {self.count} of {', '.join(literals)}"


def disjunction(relevant: Iterable[int]) -> Quorum:
    """At least one of the relevant features."""
    return Quorum(1, tuple(relevant))


def conjunction(relevant: Iterable[int]) -> Quorum:
    """All of the relevant features."""
    features = tuple(relevant)
    return Quorum(len(features), features)


@dataclass(frozen=True, slots=True)
class Separator:
    """+1 exactly when ``u.x >= threshold``, and never nearer to it than `margin`.

    The weights are fractions and every comparison is exact: float sums decide the rows that
    rounding cannot turn round, fractions decide the rest.

    >>> u = Separator({0: Fraction(1, 2), 2: -1}, threshold=1)
    >>> print(u, u.norm_squared, u.l1_norm)
    1/2*x0 - x2 >= 1 5/4 3/2
    """

    weights: Mapping[int, Fraction | int]
    threshold: Fraction | int = 0
    margin: Fraction | int = 0

    @property
    def norm_squared(self) -> Fraction:
        """The squared Euclidean norm of u."""
        return sum((Fraction(w) ** 2 for w in self.weights.values()), Fraction(0))

    @property
    def l1_norm(self) -> Fraction:
        """The sum of the absolute weights."""
        return sum((abs(Fraction(w)) for w in self.weights.values()), Fraction(0))

    def labels(self, rows: Rows) -> Labels:
        """The label of every row, -1 or +1."""
        reached = self._reached(rows, np.ones(len(rows), np.int8), Fraction(0))
        return np.where(reached, 1, -1).astype(np.int8)

    def contradictions(self, batch: Batch) -> NDArray[np.int64]:
        """The rounds whose label is not the target's, or whose margin is too small."""
        wrong = self.labels(batch) != batch.label
        if self.margin > 0:
            wrong |= ~self._reached(batch, batch.label, Fraction(self.margin))
        return np.flatnonzero(wrong)

    def margin_of(self, batch: Batch) -> Fraction:
        """The smallest ``y (u.x - threshold)`` of a batch with at least one row, exactly."""
        margin, doubt = self._roughly(batch, batch.label, Fraction(0))
        # Only rows that rounding could have moved below the smallest are computed exactly.
        candidates = np.flatnonzero(margin - doubt <= (margin + doubt).min())
        return min(self._exact(batch, t, int(batch.label[t])) for t in candidates.tolist())

    def _reached(self, rows: Rows, side: Labels, level: Fraction) -> NDArray[np.bool_]:
        """For every row, whether ``side * (u.x - threshold) >= level``."""
        distance, doubt = self._roughly(rows, side, level)
        reached = distance >= 0
        for t in np.flatnonzero(np.abs(distance) < doubt).tolist():
            reached[t] = self._exact(rows, t, int(side[t])) >= level
        return reached

    def _roughly(
        self, rows: Rows, side: Labels, level: Fraction
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """``side * (u.x - threshold) - level`` in floats, and how far off that may be."""
        u = np.zeros(max(rows.n_features, *(i + 1 for i in self.weights), 1))
        for index, weight in self.weights.items():
            u[index] = float(weight)
        terms = rows.value * u[rows.column]
        distance = side * (row_sums(rows, terms) - float(self.threshold)) - float(level)
        size = row_sums(rows, np.abs(terms)) + abs(float(self.threshold)) + float(level)
        if self._whole(rows, level) and float(size.max(initial=0.0)) < 2.0**53:
            return distance, np.zeros(len(rows))
        # Each weight, product and sum rounds by at most 2^-53 of its size; doubled for safety,
        # with room for products that underflow.
        return distance, (np.diff(rows.row_start) + 5) * 2.0**-52 * (size + 2.0**-1000)

    def _whole(self, rows: Rows, level: Fraction) -> bool:
        numbers = (*self.weights.values(), self.threshold, level)
        return rows.integral and all(Fraction(number).denominator == 1 for number in numbers)

    def _exact(self, rows: Rows, t: int, side: int) -> Fraction:
        start, stop = int(rows.row_start[t]), int(rows.row_start[t + 1])
        score = Fraction(-self.threshold)
        for index, value in zip(rows.column[start:stop], rows.value[start:stop], strict=True):
            weight = self.weights.get(int(index))
            if weight is not None:
                score += weight * Fraction(float(value))
        return side * score

    def __str__(self) -> str:
        if len(self.weights) > 12:
            return f"{len(self.weights)} weights >= {self.threshold}"
        text = ""
        for index, weight in sorted(self.weights.items()):
            sign = "- " if weight < 0 else "+ " if text else ""
            factor = "" if abs(weight) == 1 else f"{abs(weight)}*"
            text += f"{' ' if text else ''}{sign}{factor}x{index}"
        return f"{text or 0} >= {self.threshold}"


def expert(index: int) -> Separator:
    """Always what the expert with this index says."""
    return Separator({index: 1}, margin=1)

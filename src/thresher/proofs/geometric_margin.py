"""How far a given vector keeps away from the rows of a stream."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ComparatorError
from thresher.proofs.audited_run import Updates
from thresher.proofs.powers import EPSILON
from thresher.proofs.targets import declared_target
from thresher.theory import Novikoff
from thresher.theory.enclosure import float_above, sqrt


@dataclass(frozen=True, slots=True)
class MeasuredMargin:
    """The smallest y w.x of a stream, exactly, and what it follows from and leads to."""

    #: The smallest y w.x; 0 or less if w does not separate the rows strictly.
    functional: Fraction
    #: ||w||^2.
    norm_squared: Fraction
    #: The largest ||x||^2.
    radius_squared: Fraction
    #: The first row with the smallest y w.x.
    row: int

    @property
    def geometric(self) -> float:
        """The signed distance from the hyperplane w.x = 0 to the row nearest to its wrong side.

        Rounded down: a margin that is quoted is a margin that is there.
        """
        return -float_above(-self.functional / sqrt(self.norm_squared))

    def bound(self) -> Novikoff:
        """What the margin promises the Perceptron, if it is positive."""
        return Novikoff(self.radius_squared, self.norm_squared, self.functional)


def geometric_margin(w: Any, rows: Updates) -> MeasuredMargin:
    """The margin of a vector on labelled rows.

    Each row has the distance ``y w.x / ||w||`` from the hyperplane, negative on the wrong side;
    the margin is the smallest of them.

    Parameters
    ----------
    w
        Weights, one per column or as a dict from columns; not all 0.
    rows
        Labelled rows: a `Batch`, or a journal. A constant feature is a column like any other here.

    Examples
    --------
    >>> import thresher as th
    >>> rows = th.Batch.of([[1, 1], [3, -1], [0, -2]], [+1, +1, -1])
    >>> found = geometric_margin([3, 4], rows)
    >>> found.functional, found.geometric, found.row
    (Fraction(5, 1), 1.0, 1)
    """
    if not len(rows):
        raise ComparatorError("there are no rows to measure its margin on")
    n_columns = int(np.max(rows.column, initial=-1)) + 1
    u = declared_target(w, max(n_columns, _columns(w)))
    if not u.norm_squared:
        raise ComparatorError("the vector 0 has no direction and no margin")
    near = _candidates(rows, u.floats)
    exact = [_signed(rows, row, u.whole) * u.unit for row in near]
    smallest = min(exact)
    return MeasuredMargin(
        smallest, u.norm_squared, _radius_squared(rows), int(near[exact.index(smallest)])
    )


def _columns(w: Any) -> int:
    """How many columns a vector speaks about."""
    return max(w, default=-1) + 1 if isinstance(w, dict) else len(w)


def _candidates(batch: Updates, weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """The rows that can have the smallest margin, whatever rounding did."""
    terms = weights[batch.column] * batch.value
    size = _row_sums(batch, np.abs(terms))
    signed = batch.label * _row_sums(batch, terms)
    slack = EPSILON * (np.diff(batch.row_start) + 8.0) * size
    return np.flatnonzero(signed - slack <= np.min(signed + slack))


def _row_sums(batch: Updates, terms: NDArray[np.float64]) -> NDArray[np.float64]:
    row = np.repeat(np.arange(len(batch)), np.diff(batch.row_start))
    return np.asarray(np.bincount(row, terms, len(batch)), np.float64)


def _signed(batch: Updates, row: int, whole: NDArray[Any]) -> Fraction:
    """The label times the sum of whole weights times values, exactly."""
    part = slice(int(batch.row_start[row]), int(batch.row_start[row + 1]))
    pairs = zip(batch.column[part].tolist(), batch.value[part].tolist(), strict=True)
    return int(batch.label[row]) * sum((int(whole[i]) * Fraction(v) for i, v in pairs), Fraction(0))


def _radius_squared(batch: Updates) -> Fraction:
    """The largest ||x||^2; rows that rounding might hide are looked at exactly."""
    squares = _row_sums(batch, batch.value**2)
    width = 1 + EPSILON * (np.diff(batch.row_start) + 8.0)
    near = np.flatnonzero(squares * width >= np.max(squares / width))
    starts = batch.row_start
    return max(
        sum(
            (Fraction(v) ** 2 for v in batch.value[starts[r] : starts[r + 1]].tolist()), Fraction(0)
        )
        for r in near
    )

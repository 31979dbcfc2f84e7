"""LinearForm: the numbers behind a linear learner's scores, as its own loop uses them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.records import record
from thresher.streams.rows import Rows


@record(eq=False)
class LinearForm:
    """score = (sum of weight[i] * x[i] over increasing i, then + constant) / divisor - minus.

    In double precision and in this order, these are the learner's own scores to the bit,
    except that a learner of the Winnow family settles a score that is too close to its
    threshold for doubles in exact arithmetic, and moves it to the right side. Where there is a
    `scaling`, x is the row that `scaled` makes of the one given.

    Examples
    --------
    >>> form = LinearForm(np.array([2.0, -1.0]), 0.0, constant=0.5, scaling="max")
    >>> form.scaled(Rows.of([[4.0, 1.0]])).value.tolist()
    [1.0, 0.25]
    >>> form.scores(Rows.of([[4.0, 1.0]])).tolist()
    [2.25]
    """

    weights: NDArray[np.float64]
    threshold: float
    constant: float = 0.0
    divisor: float = 1.0
    #: The weight of a feature that no update has touched.
    default: float = 0.0
    #: What is taken off at the end: the threshold of a class, where classes are compared.
    minus: float = 0.0
    #: What is done to a row first: "l2", "l1", "max" or "online"; None: nothing.
    scaling: str | None = None
    #: For "online", the largest absolute value of each feature so far.
    largest: NDArray[np.float64] | None = None

    def scaled(self, rows: Rows) -> Rows:
        """The rows as the weights see them: features without a weight left out, then scaled."""
        rows = rows.clipped(len(self.weights))
        return Rows(rows.row_start, rows.column, self.scaled_values(rows))

    def scaled_values(self, rows: Rows) -> NDArray[np.float64]:
        """The values of rows, none of which lacks a weight, after scaling; tiny ones become 0."""
        if self.scaling is None:
            return rows.value
        size = np.abs(rows.value)
        if self.largest is not None:
            return rows.value / np.maximum(self.largest[rows.column], size)
        lengths = np.diff(rows.row_start)
        most = np.zeros(len(rows))
        most[lengths > 0] = np.maximum.reduceat(size, rows.row_start[:-1][lengths > 0])
        # First by the largest, so that no square overflows or vanishes.
        value = rows.value / np.repeat(most, lengths)
        if self.scaling != "max":
            parts = value * value if self.scaling == "l2" else np.abs(value)
            whole = Rows(rows.row_start, rows.column, parts).to_scipy(len(self.weights))
            sums = whole @ np.ones(len(self.weights))
            value = value / np.repeat(np.sqrt(sums) if self.scaling == "l2" else sums, lengths)
        return value

    def scores(self, rows: Rows) -> NDArray[np.float64]:
        """The score of each row; features without a weight count for nothing."""
        # SciPy adds up a row from left to right, as the kernels do.
        matrix = self.scaled(rows).to_scipy(len(self.weights))
        sums: NDArray[np.float64] = matrix @ self.weights
        return (sums + self.constant) / self.divisor - self.minus

    def predictions(self, rows: Rows) -> NDArray[np.int8]:
        """-1 or +1 for each row."""
        return np.where(self.scores(rows) >= self.threshold, 1, -1).astype(np.int8)

    def touched(self) -> NDArray[np.int64]:
        """The columns whose weight is not the default, heaviest first, then by column."""
        columns = np.flatnonzero(self.weights != self.default)
        order = np.argsort(-np.abs(self.weights[columns]), kind="stable")
        return columns[order]

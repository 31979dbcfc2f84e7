"""LinearForm: the numbers behind a linear learner's scores, as its own loop uses them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from thresher.streams.rows import Rows


@dataclass(frozen=True, slots=True, eq=False)
class LinearForm:
    """score = (sum of weight[i] * x[i] over increasing i, then + constant) / divisor.

    In double precision and in this order, these are the learner's own scores to the bit,
    except that a learner of the Winnow family settles a score that is too close to its
    threshold for doubles in exact arithmetic, and moves it to the right side.
    """

    weights: NDArray[np.float64]
    threshold: float
    constant: float = 0.0
    divisor: float = 1.0
    #: The weight of a feature that no update has touched.
    default: float = 0.0

    def scores(self, rows: Rows) -> NDArray[np.float64]:
        """The score of each row; features without a weight count for nothing."""
        # SciPy adds up a row from left to right, as the kernels do.
        matrix = rows.clipped(len(self.weights)).to_scipy(len(self.weights))
        found: NDArray[np.float64] = (matrix @ self.weights + self.constant) / self.divisor
        return found

    def predictions(self, rows: Rows) -> NDArray[np.int8]:
        """-1 or +1 for each row."""
        return np.where(self.scores(rows) >= self.threshold, 1, -1).astype(np.int8)

    def touched(self) -> NDArray[np.int64]:
        """The columns whose weight is not the default, heaviest first, then by column."""
        columns = np.flatnonzero(self.weights != self.default)
        order = np.argsort(-np.abs(self.weights[columns]), kind="stable")
        return columns[order]

    def top(self, n: int) -> LinearForm:
        """The form with its n heaviest weights; the others are as if never touched."""
        weights = np.full(len(self.weights), self.default)
        kept = self.touched()[:n]
        weights[kept] = self.weights[kept]
        return replace(self, weights=weights)

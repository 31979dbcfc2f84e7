"""The slow twin of `kernels/engines/winnow.pyx`: Winnow with a threshold (Littlestone 1988)."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.reference.engine import Row
from tests.reference.multiplicative import Multiplicative, Step


class Winnow(Multiplicative):
    """w_i = (1 + beta)^c_i, all 1 at the start; +1 exactly when <w, x> >= theta."""

    def __init__(
        self,
        n_features: int,
        beta: Fraction,
        theta: Fraction,
        dual: list[float] | None = None,
        *,
        margin: float = 0.0,
        floor: float = -math.inf,
    ) -> None:
        super().__init__(n_features, Step(1 + beta, math.log1p(beta)), dual)
        self.exact_threshold = theta
        self.threshold = float(theta)
        self.margin = margin
        self.floor = floor

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """After a mistake, or within the margin: w_i <- w_i (1 + beta)^(y x_i)."""
        if not (mistake or self.is_near(row, label)):
            return False
        for i, x in row.items():
            self.duals[i] = self.kept(self.duals[i] + label * self.importance * x)
        return True

    def is_near(self, row: Row, label: int) -> bool:
        """Whether a row on the right side is within the margin of the other one."""
        if self.margin == 0.0:
            return False
        inside = label * (self.score(row) - self.threshold)
        # A positive row must reach theta + margin, a negative one stay below theta - margin.
        return inside < self.margin if label > 0 else inside <= self.margin

    def kept(self, dual: float) -> float:
        """Not below the floor."""
        return max(dual, self.floor)

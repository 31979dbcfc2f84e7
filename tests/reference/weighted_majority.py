"""The slow twin of `kernels/engines/weighted_majority.pyx` (Littlestone and Warmuth 1994)."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.reference.engine import Row
from tests.reference.multiplicative import Step
from tests.reference.normalized import Normalized


class WeightedMajority(Normalized):
    """An expert weighs beta^mistakes; the side that weighs more is predicted, +1 on a tie."""

    def __init__(self, n_experts: int, beta: Fraction, dual: list[float] | None = None) -> None:
        self.beta = beta
        base = 1 / beta if beta else Fraction(2)
        super().__init__(n_experts, Step(base, math.log1p(base - 1)), dual)

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """In every round each expert that was wrong is multiplied by beta."""
        wrong = [i for i, vote in row.items() if vote * label < 0]
        for i in wrong:
            self.duals[i] = self.duals[i] - 1.0 if self.beta else -math.inf
        self.keep_in_range(row)
        return mistake or bool(wrong)

"""The slow twin of `kernels/engines/arow.pyx`: Figure 1 of Crammer et al. (2009), diagonal.

The paper writes Sigma^-1 += x x^T / r; its diagonal is kept, as precisions.
"""

from __future__ import annotations

from tests.reference.engine import Row
from tests.reference.perceptron import Weights


class Arow(Weights):
    """Weights with precisions."""

    def __init__(
        self, r: float, bias: bool = False, average: bool = False, waits: bool = False
    ) -> None:
        super().__init__(bias, average)
        self.r = r
        self.waits = waits
        self.precision: dict[int, float] = {}

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """Move the weights by variance, then sharpen the precisions."""
        loss = 1.0 - label * self.current(row)
        if loss <= 0.0:
            return False
        r = self.r / self.importance
        variance = 0.0
        for i, x in self.terms(row):
            variance += x * x / self.precision.get(i, 1.0)
        alpha = loss / (variance + r)
        for i, x in self.terms(row):
            precision = self.precision.get(i, 1.0)
            self.step(i, label * alpha * x / precision)
            self.precision[i] = precision + x * x / r
            if self.waits and label < 0:
                self.precision[i] = min(self.precision[i], 4.0)
        self.waits = self.waits and max(self.precision.values(), default=1.0) <= 4.0
        return True

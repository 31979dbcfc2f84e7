"""The slow twin of `kernels/engines/adagrad.pyx`: the diagonal algorithm of Duchi et al. (2011)."""

from __future__ import annotations

import math

from tests.reference.engine import Row
from tests.reference.perceptron import Weights


class AdaGrad(Weights):
    """Weights with sums of squared gradients."""

    def __init__(self, rate: float, loss: str, bias: bool = False, average: bool = False) -> None:
        super().__init__(bias, average)
        self.rate = rate
        self.loss = loss
        self.squares: dict[int, float] = {}

    def slope(self, margin: float) -> float:
        """Minus the derivative of the loss at y <w, x>."""
        if self.loss == "hinge":
            return 1.0 if margin < 1.0 else 0.0
        try:
            return 1.0 / (1.0 + math.exp(margin))
        except OverflowError:
            return 0.0

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """Step against the gradient, each weight by its own length."""
        slope = self.slope(label * self.current(row)) * (label * self.importance)
        if slope == 0.0:
            return False
        for i, x in self.terms(row):
            gradient = slope * x
            self.squares[i] = self.squares.get(i, 0.0) + gradient * gradient
            if self.squares[i] > 0.0:
                self.step(i, self.rate * gradient / math.sqrt(self.squares[i]))
        return True

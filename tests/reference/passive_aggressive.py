"""The slow twin of `kernels/engines/passive_aggressive.pyx`: Figure 1 of Crammer et al. (2006)."""

from __future__ import annotations

from tests.reference.engine import Row
from tests.reference.perceptron import Weights


class PassiveAggressive(Weights):
    """The smallest step that removes the loss, whole ("PA"), cut off or softened."""

    def __init__(self, variant: str, C: float, bias: bool = False, average: bool = False) -> None:
        super().__init__(bias, average)
        self.variant = variant
        self.C = C

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """W += tau y x."""
        loss = 1.0 - label * self.current(row)
        norm = self.squared_norm(row)
        if loss <= 0.0:
            return False
        if norm == 0.0:
            return self.wrong(row, label)
        C = self.C * self.importance
        tau = {
            "PA": lambda: loss / norm,
            "PA-I": lambda: min(C, loss / norm),
            "PA-II": lambda: loss / (norm + 0.5 / C),
        }[self.variant]()
        for i, x in self.terms(row):
            self.step(i, label * tau * x)
        return True

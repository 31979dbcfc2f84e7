"""The slow twin of `kernels/engines/multiclass_exponentiated.pyx`: weights exp(eta * dual)."""

from __future__ import annotations

import math

from tests.reference.multiclass_engine import ClassPlayer, Row


class ExponentiatedPlayer(ClassPlayer):
    """Multiclass normalised Winnow, and signed Winnow if mirrored; small duals, no shift."""

    def __init__(self, eta: float, mirrored: bool, spread: bool, n_classes: int = 0) -> None:
        super().__init__(n_classes)
        self.eta = eta
        self.mirrored = mirrored
        self.spread = spread
        self.dual: dict[tuple[int, int], float] = {}

    def weight(self, r: int, i: int) -> float:
        """A power of the dual, less that of its negative."""
        dual = self.dual.get((r, i), 0.0)
        power = math.exp(self.eta * dual)
        return power - math.exp(self.eta * -dual) if self.mirrored else power

    def update(self, row: Row, label: int, scores: list[float]) -> bool:
        """Duals of the classes in question move by the row."""
        steps = self.blame(label, scores, self.spread)
        if not steps:
            return False
        self.touched |= set(row)
        for i, x in row.items():
            for r, step in steps.items():
                self.dual[r, i] = self.dual.get((r, i), 0.0) + step * x
        return bool(row)

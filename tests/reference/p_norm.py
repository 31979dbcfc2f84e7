"""The slow twin of `kernels/engines/p_norm.pyx`: duals that gain y x, and their powers."""

from __future__ import annotations

import math

from tests.reference.engine import Row
from tests.reference.perceptron import LARGEST, Weights


class PNorm(Weights):
    """What is called weight here is the dual vector; the norm is summed up anew each time."""

    def __init__(self, p: float, bias: bool = False, margin: float = 0.0) -> None:
        super().__init__(bias)
        self.p = p
        self.margin = margin

    def current(self, row: Row) -> float:
        """<w, x> with w_i = sgn(t_i) |t_i|^(p-1) / ||t||_p^(p-2)."""
        largest = max(map(abs, self.weight.values()), default=0.0)
        if largest == 0.0:
            return 0.0
        # A power of two: dividing whole numbers by it does not round.
        unit = 2.0 ** math.frexp(largest)[1]
        power = math.fsum((abs(t) / unit) ** self.p for t in self.weight.values())
        total = math.fsum(
            x * math.copysign((abs(t) / unit) ** (self.p - 1.0), t)
            for i, x in self.terms(row)
            if (t := self.weight.get(i, 0.0))
        )
        return float(total * unit / power ** ((self.p - 2.0) / self.p))

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """Theta += y x."""
        within = self.margin > 0 and label * self.current(row) <= self.margin
        if not (mistake or within):
            return False
        for i, x in self.terms(row):
            moved = self.weight.get(i, 0.0) + label * self.importance * x
            self.weight[i] = max(-LARGEST, min(LARGEST, moved))
        return True

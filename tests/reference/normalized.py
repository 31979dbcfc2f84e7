"""The slow twin of `kernels/engines/normalized.pyx`: weights that are divided by their sum."""

from __future__ import annotations

import math

from tests.reference.engine import Row
from tests.reference.multiplicative import Multiplicative, Step

LARGE = 1e260


class Normalized(Multiplicative):
    """Compares with zero, which no division changes, and reports the quotient."""

    normalized = True

    def __init__(self, n_features: int, step: Step, dual: list[float] | None = None) -> None:
        super().__init__(n_features, step, dual)
        if step.rate * max((abs(z) for z in self.duals if z != -math.inf), default=0.0) > 500.0:
            self.recentre()

    def total_mass(self) -> float:
        """The sum of all weights; of both, where a feature has two."""
        return math.fsum(self.power(z) for i in range(len(self.duals)) for _, z in self.powers(i))

    def score(self, row: Row) -> float:
        total, mass = super().score(row), self.total_mass()
        if mass == 0.0 or not math.isfinite(mass):
            return 0.0
        quotient = total / mass
        # It may vanish, but not change sides.
        return -5e-324 if quotient == 0.0 and total < 0.0 else quotient

    def keep_in_range(self, row: Row) -> None:
        """A common factor changes nothing; take one that keeps weights within doubles."""
        total = self.total_mass()
        large = not total <= LARGE or any(abs(self.weight(i)) > LARGE for i in row)
        if large or total < 1.0 / LARGE:
            self.recentre()

    def recentre(self) -> None:
        """Make the largest weight 1."""
        exponents = [z for i in range(len(self.duals)) for _, z in self.powers(i)]
        if exponents:
            self.shift = max(exponents)

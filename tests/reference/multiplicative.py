"""The slow twin of `kernels/multiplicative.pyx` and `kernels/duals.pyx`.

A feature with dual z weighs b**z, or b**z - b**-z in the mirrored learners. Which side of
the threshold a score is on is decided in exact arithmetic. The number reported is the sum
of doubles over increasing columns, the bias last, moved to the right side of the threshold
where rounding put it on the wrong one; a normalised learner divides it by the sum of all
masses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from tests.reference.engine import Player, Row
from tests.reference.powers import sign_of_sum

LARGE = 1e260


@dataclass(frozen=True)
class Shape:
    """Which of the multiplicative learners it is.

    The weight of dual z is base ** (per * z), with e for a base of None; `rate` is the
    logarithm of base ** per as a double.
    """

    n_features: int
    base: Fraction | None
    rate: float
    per: Fraction = Fraction(1)
    threshold: Fraction = Fraction(0)
    mirrored: bool = False
    normalized: bool = False
    promotes: bool = True
    zeroing: bool = False
    voting: bool = False
    bias: bool = False
    margin: float = 0.0
    floor: float = -math.inf


class Multiplicative(Player):
    """Duals, kept exactly, and what follows from them."""

    def __init__(self, shape: Shape, dual: list[float] | None = None) -> None:
        super().__init__()
        self.shape = shape
        self.threshold = float(shape.threshold)
        self.duals = [0.0] * (shape.n_features + shape.bias) if dual is None else list(dual)
        self.shift = 0.0
        if shape.normalized and shape.rate * max(map(abs, self.alive()), default=0.0) > 500.0:
            self.recentre()

    # ---- from duals to weights ----------------------------------------------------------

    def alive(self) -> list[float]:
        return [z for z in self.duals if z != -math.inf]

    def power(self, z: float) -> float:
        """b ** (z - shift) as a double; the shift is 0 but in normalised learners."""
        try:
            if self.shape.base is not None and self.shape.per == 1:
                return math.pow(float(self.shape.base), z - self.shift)
            return math.exp(self.shape.rate * (z - self.shift))
        except OverflowError:
            return math.inf

    def weight(self, i: int) -> float:
        z = self.duals[i]
        return self.power(z) - self.power(-z) if self.shape.mirrored else self.power(z)

    def mass(self, i: int) -> float:
        z = self.duals[i]
        return self.power(z) + self.power(-z) if self.shape.mirrored else self.power(z)

    def total_mass(self) -> float:
        return math.fsum(self.mass(i) for i in range(len(self.duals)))

    # ---- the score ------------------------------------------------------------------------

    def terms(self, row: Row) -> list[tuple[int, float]]:
        bias = [(self.shape.n_features, 1.0)] if self.shape.bias else []
        return sorted(row.items()) + bias

    def reaches(self, row: Row) -> bool:
        """Whether the score is at least the threshold, exactly."""
        pairs = [(Fraction(-self.shape.threshold), Fraction(0))]
        for i, x in self.terms(row):
            if self.duals[i] != -math.inf:
                e = Fraction(self.duals[i]) * self.shape.per
                pairs.append((Fraction(x), e))
                if self.shape.mirrored:
                    pairs.append((-Fraction(x), -e))
        return sign_of_sum(self.shape.base, pairs) >= 0

    def plain_sum(self, row: Row) -> float:
        total = 0.0
        for i, x in self.terms(row):
            total += self.weight(i) * x
        return total

    def score(self, row: Row) -> float:
        return self.normalised(self.on_the_right_side(self.plain_sum(row), self.reaches(row)))

    def on_the_right_side(self, total: float, reaches: bool) -> float:
        if reaches:
            return total if total >= self.threshold else self.threshold
        return total if total < self.threshold else math.nextafter(self.threshold, -math.inf)

    def normalised(self, total: float) -> float:
        if not self.shape.normalized:
            return total
        mass = self.total_mass()
        if mass == 0.0 or not math.isfinite(mass):
            return 0.0
        quotient = total / mass
        return -5e-324 if quotient == 0.0 and total < 0.0 else quotient

    # ---- the rule -------------------------------------------------------------------------

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        moved = near = False
        if self.shape.margin > 0:
            inside = label * (self.score(row) - self.threshold)
            # A positive row must reach theta + margin, a negative one stay below theta - margin.
            near = inside < self.shape.margin or (inside == self.shape.margin and label < 0)
        if self.shape.voting:
            for i, x in row.items():
                if x * label < 0:
                    self.demote(i)
                    moved = True
        elif mistake and label < 0 and self.shape.zeroing:
            for i in row:
                self.duals[i] = -math.inf
        elif (mistake or near) and (label < 0 or self.shape.promotes):
            for i, x in self.terms(row):
                moved_to = max(self.duals[i] + label * self.importance * x, self.shape.floor)
                self.duals[i] = min(moved_to, -self.shape.floor) if self.mirrored else moved_to
        if self.shape.normalized and (mistake or moved or self.shape.voting):
            self.keep_in_range(row)
        return mistake or moved or near

    @property
    def mirrored(self) -> bool:
        return self.shape.mirrored

    def demote(self, i: int) -> None:
        """A wrong expert loses one step, or everything."""
        self.duals[i] = -math.inf if self.shape.zeroing else self.duals[i] - 1.0

    def keep_in_range(self, row: Row) -> None:
        """A common factor changes nothing; take one that keeps weights within doubles."""
        total = self.total_mass()
        large = not total <= LARGE or any(abs(self.weight(i)) > LARGE for i in row)
        if large or total < 1.0 / LARGE:
            self.recentre()

    def recentre(self) -> None:
        if self.alive():
            self.shift = max(abs(z) if self.shape.mirrored else z for z in self.alive())


class Restarting(Multiplicative):
    """Starts over with the next shape when a phase has more mistakes than its budget."""

    def __init__(self, phases: list[tuple[Shape, int]]) -> None:
        super().__init__(phases[0][0])
        self.phases = phases
        self.phase = 0
        self.phase_mistakes = 0

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        kept = super().update(row, label, mistake)
        self.phase_mistakes += mistake
        if self.phase_mistakes > self.phases[self.phase][1]:
            self.phase += 1
            self.phase_mistakes = 0
            self.shape = self.phases[self.phase][0]
            self.duals = [0.0] * len(self.duals)
            self.shift = 0.0
        return kept

"""The slow twin of `kernels/engines/multiplicative.pyx` and `kernels/engines/duals.pyx`.

The weight of a feature is a power of one base, or the difference of two. On which side of the
threshold a score is gets decided in exact arithmetic. The number reported is the sum of doubles
over increasing columns, the bias last, moved to the right side of the threshold where rounding
put it on the wrong one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from tests.reference.engine import Player, Row
from tests.reference.powers import sign_of_sum


@dataclass(frozen=True)
class Step:
    """The factor of one step: base ** per, with e for a base of None."""

    base: Fraction | None
    #: The logarithm of the factor, as a double.
    rate: float
    per: Fraction = Fraction(1)


class Multiplicative(Player):
    """A learner that keeps the exponents of its weights; a subclass says how they move."""

    #: Whether scores are divided by a sum over all features.
    normalized = False

    def __init__(self, n_features: int, step: Step, dual: list[float] | None = None) -> None:
        super().__init__()
        self.n_features = n_features
        self.step = step
        self.exact_threshold = Fraction(0)
        self.duals = [0.0] * n_features if dual is None else list(dual)
        #: A common factor of all weights, as an exponent.
        self.shift = 0.0

    def powers(self, i: int) -> list[tuple[int, float]]:
        """The weight of a feature, written as a sum of powers: pairs (sign, exponent)."""
        return [] if self.duals[i] == -math.inf else [(1, self.duals[i])]

    def power(self, z: float) -> float:
        """The factor of one step to the power z - shift, as a double."""
        try:
            # A base with a root in it is a matter of logarithms.
            if self.step.base is not None and self.step.per == 1:
                return math.pow(float(self.step.base), z - self.shift)
            return math.exp(self.step.rate * (z - self.shift))
        except OverflowError:
            return math.inf

    def weight(self, i: int) -> float:
        return sum((sign * self.power(z) for sign, z in self.powers(i)), 0.0)

    def terms(self, row: Row) -> list[tuple[int, float]]:
        """The features that are summed up, in this order."""
        return sorted(row.items())

    def reaches(self, row: Row) -> bool:
        """Whether the score is at least the threshold, exactly."""
        pairs = [(-self.exact_threshold, Fraction(0))]
        for i, x in self.terms(row):
            pairs += [
                (sign * Fraction(x), Fraction(z) * self.step.per) for sign, z in self.powers(i)
            ]
        return sign_of_sum(self.step.base, pairs) >= 0

    def plain_sum(self, row: Row) -> float:
        total = 0.0
        for i, x in self.terms(row):
            total += self.weight(i) * x
        return total

    def score(self, row: Row) -> float:
        total = self.plain_sum(row)
        if self.reaches(row):
            return total if total >= self.threshold else self.threshold
        return total if total < self.threshold else math.nextafter(self.threshold, -math.inf)

"""Every learner as its pseudo-code reads, on dicts, one round at a time.

Labels are -1 and +1, and a score equal to the threshold predicts +1. Winnow and Weighted
Majority count in fractions; the Perceptron is exact on integer rows; EG uses floats.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from copy import deepcopy
from fractions import Fraction
from typing import Any, Self

Row = Mapping[Any, float]


class Slow:
    """What all of them share: copying, and a count of their updates."""

    updates = 0

    def copy(self) -> Self:
        """An independent learner in the same state."""
        return deepcopy(self)

    def predict_one(self, x: Row, /) -> int:
        """-1 or +1."""
        return 1 if self.score(x) >= 0 else -1

    def score(self, x: Row) -> Any:
        """What is compared with 0."""
        raise AssertionError("every learner has its own score")

    def learn_one(self, x: Row, y: int, /) -> None:
        """Update on a mistake only."""
        if self.predict_one(x) != y:
            self.updates += 1
            self.update(x, y)

    def update(self, x: Row, y: int) -> None:
        """What a mistake changes."""
        raise AssertionError("every learner has its own update")


class Perceptron(Slow):
    """w += y x on a mistake; with `thick`, whenever y w.x <= thick."""

    def __init__(self, thick: Fraction | None = None) -> None:
        self.w: dict[Any, float] = {}
        self.thick = thick

    def score(self, x: Row) -> float:
        """The inner product w.x."""
        return sum(self.w.get(i, 0) * v for i, v in x.items())

    def learn_one(self, x: Row, y: int, /) -> None:
        """Update on a mistake, or below the thick margin."""
        wrong = self.predict_one(x) != y
        if wrong if self.thick is None else y * self.score(x) <= self.thick:
            self.updates += 1
            self.update(x, y)

    def update(self, x: Row, y: int) -> None:
        """Add y x."""
        for i, v in x.items():
            self.w[i] = self.w.get(i, 0) + y * v

    def state_key(self) -> Hashable:
        """The weights that are not zero."""
        return frozenset((i, v) for i, v in self.w.items() if v)


class Winnow(Slow):
    """Exponents c; predict +1 iff the sum of alpha^c over the active features reaches theta."""

    def __init__(self, d: int, alpha: Fraction | int = 2, theta: Fraction | int | None = None):
        self.c = [0] * d
        self.alpha = Fraction(alpha)
        self.theta = Fraction(d if theta is None else theta)
        self.false_negatives = self.false_positives = 0

    def score(self, x: Row) -> Fraction:
        """The weight of the active features, less the threshold."""
        return sum((self.alpha ** self.c[i] for i in x), Fraction(0)) - self.theta

    def update(self, x: Row, y: int) -> None:
        """Promote or demote the active features."""
        self.false_negatives += y > 0
        self.false_positives += y < 0
        for i in x:
            self.c[i] += y

    def state_key(self) -> Hashable:
        """The exponents."""
        return tuple(self.c)


class FloatWinnow(Slow):
    """Winnow with factor 2 as it is often written, with float64 weights."""

    def __init__(self, d: int) -> None:
        self.w = [1.0] * d

    def score(self, x: Row) -> float:
        """The weight of the active features, less the threshold."""
        return sum(self.w[i] for i in x) - len(self.w)

    def update(self, x: Row, y: int) -> None:
        """Double or halve."""
        for i in x:
            self.w[i] *= 2.0**y


class BalancedWinnow(Winnow):
    """Effective weights alpha^c - alpha^-c."""

    def score(self, x: Row) -> Fraction:
        """The effective weight of the active features, less the threshold."""
        weights = (self.alpha ** self.c[i] - self.alpha ** -self.c[i] for i in x)
        return sum(weights, Fraction(0)) - self.theta


class ExponentiatedGradient(Slow):
    """Normalised Winnow on dense rows: the sign of sum x_i exp(eta theta_i)."""

    def __init__(self, d: int, eta: float) -> None:
        self.theta = [0.0] * d
        self.eta = eta

    def score(self, x: Row) -> float:
        """The score with the largest weight scaled to 1."""
        top = max(self.theta[i] for i in x)
        return math.fsum(v * math.exp(self.eta * (self.theta[i] - top)) for i, v in x.items())

    def update(self, x: Row, y: int) -> None:
        """Add y x to the dual."""
        for i, v in x.items():
            self.theta[i] += y * v


class Elimination(Slow):
    """A false positive removes its features from the hypothesis."""

    def __init__(self, d: int) -> None:
        self.h = frozenset(range(d))

    def predict_one(self, x: Row, /) -> int:
        """+1 iff a feature is left."""
        return 1 if self.h.intersection(x) else -1

    def update(self, x: Row, y: int) -> None:
        """Remove the features of a negative row."""
        if y < 0:
            self.h = self.h.difference(x)

    def state_key(self) -> Hashable:
        """The hypothesis."""
        return self.h


class Conjunction(Slow):
    """A false negative keeps only its features in the hypothesis."""

    def __init__(self, d: int) -> None:
        self.f = frozenset(range(d))

    def predict_one(self, x: Row, /) -> int:
        """+1 iff all features of the hypothesis are on."""
        return 1 if self.f.issubset(x) else -1

    def update(self, x: Row, y: int) -> None:
        """Keep the features of a positive row."""
        if y > 0:
            self.f = self.f.intersection(x)

    def state_key(self) -> Hashable:
        """The hypothesis."""
        return self.f


class WeightedMajority(Slow):
    """Experts' advice as features; wrong experts are multiplied by b in every round."""

    def __init__(self, n: int, b: Fraction | int = Fraction(1, 2)) -> None:
        self.w = [Fraction(1)] * n
        self.b = Fraction(b)

    def score(self, x: Row) -> Fraction:
        """The weight for +1 less the weight for -1."""
        return sum((self.w[i] if v > 0 else -self.w[i] for i, v in x.items()), Fraction(0))

    def learn_one(self, x: Row, y: int, /) -> None:
        """Multiply the weights of the wrong experts, mistake or not."""
        for i, v in x.items():
            if v * y < 0:
                self.w[i] *= self.b

    def state_key(self) -> Hashable:
        """The weights."""
        return tuple(self.w)


class MulticlassPerceptron:
    """One weight row per class; the lowest class wins a tie."""

    def __init__(self, k: int) -> None:
        self.W: list[dict[Any, float]] = [{} for _ in range(k)]

    def predict_one(self, x: Row, /) -> int:
        """The class with the highest score."""
        scores = [sum(w.get(i, 0) * v for i, v in x.items()) for w in self.W]
        return scores.index(max(scores))

    def learn_one(self, x: Row, y: int, /) -> None:
        """Add the row to its class and take it from the predicted one."""
        guess = self.predict_one(x)
        if guess != y:
            for i, v in x.items():
                self.W[y][i] = self.W[y].get(i, 0) + v
                self.W[guess][i] = self.W[guess].get(i, 0) - v


def mistakes(player: Any, examples: Iterable[tuple[Row, int]]) -> int:
    """The wrong predictions of a player who learns from every round."""
    wrong = 0
    for x, y in examples:
        wrong += player.predict_one(x) != y
        player.learn_one(x, y)
    return wrong

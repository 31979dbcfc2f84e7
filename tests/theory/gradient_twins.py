"""Passive-Aggressive and AdaGrad as their papers print them, for the theorems to be tested on.

Passive-Aggressive is exact. AdaGrad needs roots: it computes in floats.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from tests.theory.twins import Labelled, Vector, dot, sign


@dataclass
class PassiveAggressiveRun:
    """The rounds with a loss, these losses, the mistakes and the weights."""

    updates: list[Labelled] = field(default_factory=list)
    losses: list[Fraction] = field(default_factory=list)
    mistaken: list[Labelled] = field(default_factory=list)
    weights: list[Fraction] = field(default_factory=list)

    @property
    def mistakes(self) -> int:
        return len(self.mistaken)

    @property
    def squared_losses(self) -> Fraction:
        return sum((loss**2 for loss in self.losses), Fraction(0))


def passive_aggressive(
    stream: Iterable[Labelled], d: int, variant: str, C: Fraction | int = 1
) -> PassiveAggressiveRun:
    run = PassiveAggressiveRun(weights=[Fraction(0)] * d)
    for x, y in stream:
        score = Fraction(dot(run.weights, x))
        if sign(score) != y:
            run.mistaken.append((x, y))
        loss, norm = 1 - y * score, Fraction(dot(x, x))
        if loss <= 0:
            continue
        run.updates.append((x, y))
        run.losses.append(loss)
        if not norm:
            continue
        step = {
            "PA": loss / norm,
            "PA-I": min(Fraction(C), loss / norm),
            "PA-II": loss / (norm + 1 / (2 * Fraction(C))),
        }[variant]
        run.weights = [w + step * y * Fraction(v) for w, v in zip(run.weights, x, strict=True)]
    return run


@dataclass
class AdaGradRun:
    """What the theorem is about: mistakes, losses, the sum of the roots, the distance to u."""

    mistakes: int = 0
    loss: float = 0.0
    comparator_loss: float = 0.0
    distance: float = 0.0
    squares: list[float] = field(default_factory=list)

    @property
    def root_sum(self) -> float:
        return math.fsum(map(math.sqrt, self.squares))


def loss_of(margin: float, logistic: bool) -> float:
    return math.log1p(math.exp(-margin)) if logistic else max(0.0, 1 - margin)


def adagrad(
    stream: Iterable[Labelled], u: Vector, eta: float, logistic: bool = False
) -> AdaGradRun:
    """Started at 0; measured against the comparator u over the update rounds."""
    weights, run = [0.0] * len(u), AdaGradRun(squares=[0.0] * len(u))
    for x, y in stream:
        margin = y * float(dot(weights, x))
        run.mistakes += sign(y * margin) != y
        run.loss += loss_of(margin, logistic)
        slope = 1 / (1 + math.exp(margin)) if logistic else float(margin < 1)
        if not slope:
            continue
        run.comparator_loss += loss_of(y * float(dot(u, x)), logistic)
        away = max(abs(w - float(v)) for w, v in zip(weights, u, strict=True))
        run.distance = max(run.distance, away)
        for i, v in enumerate(x):
            gradient = slope * y * float(v)
            run.squares[i] += gradient**2
            if gradient:
                weights[i] += eta * gradient / math.sqrt(run.squares[i])
    return run

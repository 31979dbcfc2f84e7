"""Streams for the theorems: random ones with a known target, and ones built to hurt."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

from tests.theory.twins import Active, Labelled, Vector, dot

Target = tuple[list[Labelled], list[int]]


def separable(rng: Random, d: int, rounds: int, signed: bool = True, large: int = 3) -> Target:
    """Integer examples and an integer comparator that separates them."""
    low = -3 if signed else 0
    u = [rng.randint(low, 3) for _ in range(d)]
    u[rng.randrange(d)] = rng.choice([1, 2, 3])
    stream: list[Labelled] = []
    while len(stream) < rounds:
        x = [rng.randint(-large, large) for _ in range(d)]
        score = dot(u, x)
        if score:
            stream.append((x, 1 if score > 0 else -1))
    return stream, u


def noisy(rng: Random, stream: list[Labelled], rate: float) -> list[Labelled]:
    return [(x, -y if rng.random() < rate else y) for x, y in stream]


def margin(stream: list[Labelled], u: Vector) -> Fraction:
    return min((Fraction(y * dot(u, x)) for x, y in stream), default=Fraction(1))


def hinge(stream: list[Labelled], u: Vector, level: Fraction) -> list[Fraction]:
    return [max(Fraction(0), level - Fraction(y * dot(u, x))) for x, y in stream]


def radius_squared(stream: list[Labelled]) -> Fraction:
    return Fraction(max((dot(x, x) for x, _ in stream), default=0))


def largest_value(stream: list[Labelled]) -> Fraction:
    return max((abs(Fraction(v)) for x, _ in stream for v in x), default=Fraction(1))


def unit(i: int, d: int) -> list[int]:
    return [int(j == i) for j in range(d)]


def orthonormal(n: int) -> list[Labelled]:
    """e_1, ..., e_n, all labelled -1: a learner that starts at 0 errs on each."""
    return [(unit(i, n), -1) for i in range(n)]


def three_dimensional(bound: float, push: float = 1e-11) -> list[Labelled]:
    """Unit vectors of margin 1/sqrt(bound) on the first axis, each nearly orthogonal to w."""
    g = 1 / math.sqrt(bound)
    q = math.sqrt(1 - g * g)
    w = [0.0, 0.0, 0.0]
    stream: list[Labelled] = []
    for t in range(math.floor(bound)):
        length = math.hypot(w[1], w[2])
        v = (1.0, 0.0)
        if length > 1e-15:
            along = max(-1.0, min(1.0, -(w[0] * g + push) / (length * q)))
            across = math.sqrt(1 - along * along)
            p = (w[1] / length, w[2] / length)
            v = (along * p[0] - across * p[1], along * p[1] + across * p[0])
        z = [g, q * v[0], q * v[1]]
        w = [a + b for a, b in zip(w, z, strict=True)]
        stream.append((z, 1) if t % 2 else ([-a for a in z], -1))
    return stream


def disjunction(rng: Random, d: int, r: int, rounds: int, density: float) -> list[Active]:
    """Random active sets, labelled by the disjunction of features 0..r-1."""
    sets = [frozenset(i for i in range(d) if rng.random() < density) for _ in range(rounds)]
    return [(active, 1 if any(i < r for i in active) else -1) for active in sets]

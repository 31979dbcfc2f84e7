"""Streams on which the theorems are reached or nearly reached, every example a mistake.

The exponentiated and p-norm constructions look at the learner's weights w and show an x with
w.x just below 0 whose values are as large as allowed: then no step of the proof loses much.
All labels are -1 (the example shown is -x), because a score of exactly 0 predicts +1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from tests.theory.adversaries import AgainstWinnow
from tests.theory.twins import Labelled

Row = NDArray[np.float64]
Weights = Callable[[Row], Row]
SLACK = 1e-9


def softmax_weights(eta: float) -> Weights:
    def weights(dual: Row) -> Row:
        raised = np.exp(eta * (dual - dual.max()))
        return np.asarray(raised / raised.sum())

    return weights


def hyperbolic_weights(eta: float) -> Weights:
    def weights(dual: Row) -> Row:
        sizes = eta * np.abs(dual)
        up, down = np.exp(sizes - sizes.max()), np.exp(-sizes - sizes.max())
        return np.asarray(np.sign(dual) * (up - down) / (up + down).sum())

    return weights


def p_norm_weights(p: float) -> Weights:
    def weights(dual: Row) -> Row:
        top = np.abs(dual).max()
        if top == 0:
            return dual * 0
        size = top * (np.abs(dual / top) ** p).sum() ** (1 / p)
        return np.asarray(np.sign(dual) * (np.abs(dual) / size) ** (p - 1) * size)

    return weights


def balancing(w: Row, given: float, goal: float) -> Row | None:
    """Values -1/+1 (one of them in between), the heavy ones against w, with given + w.x = goal."""
    sizes = np.abs(w)
    if not w.any():
        return np.where(np.arange(len(w)) % 2, 1.0, -1.0)
    order = np.argsort(-sizes, kind="stable")
    taken = np.concatenate([[0.0], np.cumsum(sizes[order])])
    reached = given + taken[-1] - 2 * taken
    against = int(np.searchsorted(-reached, -goal))
    if against == len(reached):
        return None
    values = np.ones(len(w))
    values[order[:against]] = -1
    if against:
        last = order[against - 1]
        values[last] += (goal - reached[against]) / sizes[last]
    return np.where(w >= 0, values, -values)


def against(
    d: int,
    weights: Weights,
    favourite: float | None = None,
    thickness: float = 0.0,
    most: int = 10**6,
    first: Row | None = None,
) -> list[Row]:
    """The rows y x of a stream; with a favourite, feature 0 always has that value."""
    dual = np.zeros(d)
    rows: list[Row] = []
    fixed = 0 if favourite is None else 1
    while len(rows) < most:
        w = weights(dual)
        given = w[0] * favourite if favourite is not None else 0.0
        others = balancing(w[fixed:], given, thickness - SLACK)
        if others is None:
            break
        x = others if favourite is None else np.concatenate([[favourite], others])
        x = first if first is not None and not rows else x
        rows.append(x)
        dual = dual + x
    return rows


def shown(rows: list[Row]) -> list[Labelled]:
    """The examples whose y x are the rows, all labelled -1."""
    return [([-float(v) for v in row], -1) for row in rows]


def spiral(rounds: int) -> list[Labelled]:
    """Unit vectors of the plane, each at a right angle to the Perceptron's weights: they turn.

    The weights wind around the origin with length sqrt(t), so no u separates the stream.
    """
    x, y = 0.0, 0.0
    stream: list[Labelled] = []
    for _ in range(rounds):
        size = math.hypot(x, y)
        a, b = (-y / size, x / size) if size else (1.0, 0.0)
        if size:
            a, b = a - 1e-12 * x / size, b - 1e-12 * y / size
        stream.append(([-a, -b], -1))
        x, y = x + a, y + b
    return stream


def patterns(m: int) -> list[Labelled]:
    """All patterns of m signs up to a common one, as the votes of 2^(m-1) experts, and no.

    Signed Winnow, which may trust or distrust an expert, is wrong m times with a large step.
    """
    experts = range(2 ** (m - 1))
    return [([1 if (e >> t) & 1 else -1 for e in experts], -1) for t in range(m)]


class AgainstBand(AgainstWinnow):
    """Against Winnow with two thresholds: keep the irrelevant weight just below the high one."""

    def __init__(self, d: int, r: int, factor: Fraction, low: Fraction, high: Fraction) -> None:
        super().__init__(d, r, factor, high)
        self.low, self.high = low, high

    def lightest_false_positive(self) -> list[int]:
        self.threshold = self.low
        found = super().lightest_false_positive()
        self.threshold = self.high
        return found

    def drain_to(self, kept: Fraction) -> None:
        while chosen := self.lightest_false_positive():
            lost = (1 - 1 / self.factor) * sum(self.weight[j] for j in chosen)
            if sum(self.weight[j] for j in self.others) - lost < kept:
                break
            self.show(chosen, -1)

    def play_band(self) -> list[tuple[frozenset[int], int]]:
        for i in self.relevant:
            while self.weight[i] < self.high:
                self.drain_to(self.high - self.weight[i])
                self.show(self.heaviest_false_negative(i), 1)
        self.drain_to(Fraction(0))
        return self.stream


class AgainstNoisyWinnow(AgainstWinnow):
    """Spend attribute errors: each demotes a relevant weight, which must be promoted again."""

    def err(self, relevant: int) -> None:
        """The lightest negative example that shows one relevant feature and is a mistake."""
        chosen, total = [relevant], self.weight[relevant]
        for j in self.heaviest():
            if total < self.threshold:
                chosen.append(j)
                total += self.weight[j]
        for j in reversed(chosen[1:]):
            if total - self.weight[j] >= self.threshold:
                chosen.remove(j)
                total -= self.weight[j]
        self.show(chosen, -1)

    def play_errors(self, errors: int) -> list[tuple[frozenset[int], int]]:
        self.play()
        for _ in range(errors):
            self.err(0)
            self.drain()
            while self.weight[0] < self.threshold:
                self.show(self.heaviest_false_negative(0), 1)
                self.drain()
        return self.stream


def narrow(gamma: float, thickness: float) -> list[Labelled]:
    """Unit vectors of margin gamma on the first axis, each with y w.x = thickness if it can be."""
    q = math.sqrt(1 - gamma * gamma)
    w = np.zeros(3)
    stream: list[Labelled] = []
    while True:
        length = math.hypot(w[1], w[2])
        aside = np.array([1.0, 0.0])
        if length > 1e-15:
            along = (thickness - 1e-11 - w[0] * gamma) / (length * q)
            if along < -1:
                return stream
            along = min(1.0, along)
            p = w[1:] / length
            across = math.sqrt(1 - along * along)
            aside = np.array([along * p[0] - across * p[1], along * p[1] + across * p[0]])
        z = np.array([gamma, q * aside[0], q * aside[1]])
        if w @ z > thickness:
            return stream
        stream.append((z.tolist(), 1))
        w = w + z

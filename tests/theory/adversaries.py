"""Adversaries: streams built against one learner, each example a mistake."""

from __future__ import annotations

import math
from fractions import Fraction

from tests.theory.twins import Active, Labelled, dot


class AgainstWinnow:
    """Promote irrelevant weights with the relevant ones as far as possible, then demote them."""

    def __init__(self, d: int, r: int, factor: Fraction, threshold: Fraction) -> None:
        self.factor, self.threshold = factor, threshold
        self.weight = [Fraction(1)] * d
        self.relevant, self.others = range(r), range(r, d)
        self.stream: list[Active] = []

    def show(self, active: list[int], y: int) -> None:
        for i in active:
            self.weight[i] *= self.factor if y == 1 else 1 / self.factor
        self.stream.append((frozenset(active), y))

    def heaviest(self) -> list[int]:
        return sorted(self.others, key=lambda j: -self.weight[j])

    def lightest_false_positive(self) -> list[int]:
        """Irrelevant features that just reach the threshold; none if they cannot."""
        chosen, total = [], Fraction(0)
        for j in self.heaviest():
            if total < self.threshold:
                chosen.append(j)
                total += self.weight[j]
        if total < self.threshold:
            return []
        for j in reversed(chosen[:]):
            if total - self.weight[j] >= self.threshold:
                chosen.remove(j)
                total -= self.weight[j]
        return chosen

    def heaviest_false_negative(self, relevant: int) -> list[int]:
        chosen, total = [relevant], self.weight[relevant]
        for j in self.heaviest():
            if total + self.weight[j] < self.threshold:
                chosen.append(j)
                total += self.weight[j]
        return chosen

    def drain(self) -> None:
        while chosen := self.lightest_false_positive():
            self.show(chosen, -1)

    def play(self, interleave: bool = False) -> list[Active]:
        self.drain()
        pending = list(self.relevant)
        while pending:
            i = pending.pop(0)
            if self.weight[i] < self.threshold:
                self.show(self.heaviest_false_negative(i), 1)
                self.drain()
                pending = [*pending, i] if interleave else [i, *pending]
        return self.stream


def worst_for_normalized_winnow(d: int, g: float, eta: float, most: int = 10**6) -> list[Labelled]:
    """One expert with constant margin g; the others balanced so that w.x is barely negative."""
    dual = [0.0] * d
    stream: list[Labelled] = []
    while len(stream) < most:
        top = max(dual)
        w = [math.exp(eta * (v - top)) for v in dual]
        mass = sum(w)
        w = [v / mass for v in w]
        order = sorted(range(1, d), key=lambda i: -w[i])
        x = [g] + [1.0] * (d - 1)
        total = g * w[0]
        for i in order:
            x[i] = -1.0 if total >= 0 else 1.0
            total += w[i] * x[i]
        for i in reversed(order):
            if dot(w, x) < 0:
                break
            x[i] = -1.0
        for i in order:
            slack = -1e-9 - float(dot(w, x))
            if slack <= 0:
                break
            x[i] += min(1.0 - x[i], slack / w[i])
        if dot(w, x) >= 0:
            break
        stream.append((x, 1))
        dual = [a + b for a, b in zip(dual, x, strict=True)]
    return stream


def densest_mistake(w: list[int], r: int, base: list[int], y: int) -> tuple[int, list[int]] | None:
    """The most irrelevant features that leave the example a mistake, and how good that is."""
    d = len(w) - 1
    order = sorted(range(r, d), key=lambda j: y * w[j])
    score, best = y * (w[d] + sum(w[i] for i in base)), None
    for size in range(d - r + 1):
        if score < 0 or (y == -1 and score == 0):
            best = (size + score, base + order[:size])
        if size < d - r:
            score += y * w[order[size]]
    return best


def dense_against_perceptron(d: int, r: int) -> list[Labelled]:
    """The densest examples of a disjunction the Perceptron still gets wrong; constant last."""
    w = [0] * (d + 1)
    stream: list[Labelled] = []
    while True:
        weakest = sorted(range(r), key=lambda i: w[i])[:2]
        bases = [(-1, []), *((1, [i]) for i in weakest)]
        found = [(m, y) for y, base in bases if (m := densest_mistake(w, r, base, y))]
        if not found:
            return stream
        (_, active), y = max(found, key=lambda item: item[0][0])
        x = [int(i in active) for i in range(d)] + [1]
        stream.append((x, y))
        w = [a + y * b for a, b in zip(w, x, strict=True)]

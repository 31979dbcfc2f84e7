"""The learners as their papers print them, slow and plain, for the theorems to be tested on.

Everything rational is exact. Vectors are tuples; a binary example is the set of its active
features. A prediction is +1 exactly when the score reaches the threshold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

Vector = Sequence[Fraction | int | float]
Labelled = tuple[Vector, int]
Active = tuple[frozenset[int], int]


def dot(a: Vector, b: Vector) -> Fraction | int | float:
    return sum((p * q for p, q in zip(a, b, strict=True)), 0)


def sign(score: Fraction | int | float) -> int:
    return 1 if score >= 0 else -1


@dataclass
class Run:
    """What a run leaves behind: its updates in order, its mistakes, its final dual."""

    updates: list[Labelled] = field(default_factory=list)
    mistakes: int = 0
    dual: list[Fraction | int | float] = field(default_factory=list)


Link = Callable[[Sequence[Fraction | int | float]], Vector]


def additive(
    stream: Iterable[Labelled],
    link: Link,
    start: Vector,
    thickness: Fraction | float | None = None,
) -> Run:
    """Add y x to the dual on a mistake, or whenever y w.x <= thickness if one is given."""
    run = Run(dual=list(start))
    for x, y in stream:
        score = dot(link(run.dual), x)
        mistaken = sign(score) != y
        run.mistakes += mistaken
        if mistaken or (thickness is not None and y * score <= thickness):
            run.dual = [w + y * v for w, v in zip(run.dual, x, strict=True)]
            run.updates.append((x, y))
    return run


def identity(dual: Sequence[Fraction | int | float]) -> Vector:
    return dual


def perceptron(
    stream: Iterable[Labelled], d: int, start: Vector | None = None, thickness: float | None = None
) -> Run:
    return additive(stream, identity, [0] * d if start is None else start, thickness)


def softmax(eta: float) -> Link:
    def link(dual: Sequence[Fraction | int | float]) -> Vector:
        top = max(dual)
        raised = [math.exp(eta * (value - top)) for value in dual]
        mass = sum(raised)
        return [value / mass for value in raised]

    return link


def normalized_winnow(
    stream: Iterable[Labelled], d: int, eta: float, thickness: float | None = None
) -> Run:
    return additive(stream, softmax(eta), [0] * d, thickness)


def signed_winnow(stream: Iterable[Labelled], d: int, eta: float) -> Run:
    doubled = (([*x, *(-v for v in x)], y) for x, y in stream)
    return additive(doubled, softmax(eta), [0] * (2 * d))


def p_norm(stream: Iterable[Labelled], d: int, p: float, thickness: float | None = None) -> Run:
    def link(dual: Sequence[Fraction | int | float]) -> Vector:
        size = norm(dual, p)
        if size == 0:
            return [0.0] * len(dual)
        return [math.copysign((abs(float(v)) / size) ** (p - 1) * size, v) for v in dual]

    return additive(stream, link, [0.0] * d, thickness)


def norm(x: Vector, p: float) -> float:
    sizes = [abs(float(v)) for v in x]
    top = max(sizes, default=0.0)
    if top == 0:
        return 0.0
    return float(top * sum((size / top) ** p for size in sizes) ** (1 / p))


@dataclass
class WinnowRun:
    """False negatives and false positives, and the rounds in which they happened."""

    false_negatives: int = 0
    false_positives: int = 0
    rounds: list[Active] = field(default_factory=list)

    @property
    def mistakes(self) -> int:
        return self.false_negatives + self.false_positives


def winnow(
    stream: Iterable[Active],
    d: int,
    factor: Fraction | int,
    threshold: Fraction | int,
    zeroing: bool = False,
    band: tuple[Fraction, Fraction] | None = None,
) -> WinnowRun:
    """Threshold Winnow in exact arithmetic; ``band`` makes it update near the threshold too."""
    low, high = band or (threshold, threshold)
    weights = [Fraction(1)] * d
    run = WinnowRun()
    for active, y in stream:
        score = sum((weights[i] for i in active), Fraction(0))
        if y == 1 and score < high:
            run.false_negatives += 1
            change = Fraction(factor)
        elif y == -1 and score >= low:
            run.false_positives += 1
            change = Fraction(0) if zeroing else 1 / Fraction(factor)
        else:
            continue
        run.rounds.append((active, y))
        for i in active:
            weights[i] *= change
    return run


def real_winnow(stream: Iterable[Labelled], d: int, factor: float, threshold: float) -> WinnowRun:
    """Threshold Winnow on features in [0, 1]: weights are multiplied by factor^(y x)."""
    exponents = [0.0] * d
    run = WinnowRun()
    for x, y in stream:
        score = sum(factor**c * v for c, v in zip(exponents, x, strict=True))
        if (1 if score >= threshold else -1) == y:
            continue
        run.false_negatives += y == 1
        run.false_positives += y == -1
        run.rounds.append((frozenset(i for i, v in enumerate(x) if v), y))
        exponents = [c + y * float(v) for c, v in zip(exponents, x, strict=True)]
    return run


def elimination(stream: Iterable[Active], d: int) -> WinnowRun:
    kept = set(range(d))
    run = WinnowRun()
    for active, y in stream:
        if (1 if kept & active else -1) == y:
            continue
        run.false_negatives += y == 1
        run.false_positives += y == -1
        kept -= active
    return run


def conjunction(stream: Iterable[Active], d: int) -> WinnowRun:
    kept = set(range(d))
    run = WinnowRun()
    for active, y in stream:
        if (1 if kept <= active else -1) == y:
            continue
        run.false_negatives += y == 1
        run.false_positives += y == -1
        kept &= active
    return run


def halving(stream: Iterable[tuple[Sequence[int], int]], n_concepts: int) -> int:
    """Each round shows what every concept answers; the concepts left vote, ties to +1."""
    left, mistakes = set(range(n_concepts)), 0
    for answers, y in stream:
        votes = sum(answers[c] for c in left)
        mistakes += (1 if votes >= 0 else -1) != y
        left = {c for c in left if answers[c] == y}
    return mistakes


def weighted_majority(
    stream: Iterable[tuple[Sequence[int], int]], n_experts: int, beta: Fraction
) -> tuple[int, int]:
    """Mistakes of the vote and of the best expert."""
    weights, wrong, mistakes = [Fraction(1)] * n_experts, [0] * n_experts, 0
    for votes, y in stream:
        balance = sum((w * v for w, v in zip(weights, votes, strict=True)), Fraction(0))
        mistakes += (1 if balance >= 0 else -1) != y
        for i, vote in enumerate(votes):
            if vote != y:
                weights[i] *= beta
                wrong[i] += 1
    return mistakes, min(wrong)


def expected_majority(
    stream: Iterable[tuple[Sequence[int], int]], n_experts: int, beta: float
) -> tuple[float, int]:
    """Expected mistakes of the randomised vote, and mistakes of the best expert."""
    weights, wrong, expected = [1.0] * n_experts, [0] * n_experts, 0.0
    for votes, y in stream:
        share = sum(w for w, v in zip(weights, votes, strict=True) if v != y) / sum(weights)
        expected += share
        for i, vote in enumerate(votes):
            if vote != y:
                weights[i] *= beta
                wrong[i] += 1
    return expected, min(wrong)


def multiclass(
    stream: Iterable[tuple[Vector, int]], d: int, k: int, link: Link
) -> list[tuple[Vector, int, int]]:
    """The mistakes (x, label, prediction) of a learner with one dual row per class."""
    duals: list[list[Fraction | int | float]] = [[0] * d for _ in range(k)]
    mistakes = []
    for x, label in stream:
        flat = link([value for row in duals for value in row])
        scores = [dot(flat[r * d : (r + 1) * d], x) for r in range(k)]
        guess = scores.index(max(scores))
        if guess != label:
            duals[label] = [a + b for a, b in zip(duals[label], x, strict=True)]
            duals[guess] = [a - b for a, b in zip(duals[guess], x, strict=True)]
            mistakes.append((x, label, guess))
    return mistakes

"""Twin of `cluster/mixing.py`: the rules as they are written, number by number, in fractions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction


def average(shards: Sequence[Sequence[float]], before: Sequence[float]) -> list[float]:
    """What nobody changed stays; else the exact sum, rounded once, over the number of shards."""
    found = []
    for old, *new in zip(before, *shards, strict=True):
        changed = any(value.hex() != old.hex() for value in new)
        total = float(sum(map(Fraction, new), Fraction(0)))
        found.append(total / len(new) if changed else old)
    return found


def by_precision(
    weights: Sequence[Sequence[float]],
    precisions: Sequence[Sequence[float]],
    weight: Sequence[float],
    precision: Sequence[float],
) -> tuple[list[float], list[float]]:
    """Moves weighted by precisions, over those of all and a share of what all had before."""
    new_weight, new_precision = list(weight), list(precision)
    for i, (w0, p0) in enumerate(zip(weight, precision, strict=True)):
        pairs = [(w[i], p[i]) for w, p in zip(weights, precisions, strict=True)]
        if all((w.hex(), p.hex()) == (w0.hex(), p0.hex()) for w, p in pairs):
            continue
        moved = 0.0
        for w, p in pairs:
            moved += p * (w - w0)
            new_precision[i] += p - p0
        share = math.sqrt(len(pairs)) - 1.0
        new_weight[i] = w0 + moved / (new_precision[i] + share * p0)
    return new_weight, new_precision


def by_squares(
    weights: Sequence[Sequence[float]],
    squares: Sequence[Sequence[float]],
    weight: Sequence[float],
    square: Sequence[float],
) -> tuple[list[float], list[float]]:
    """Moves weighted by the squares of the gradients that made them; squares add up."""
    new_weight, new_square = list(weight), list(square)
    for i, (w0, s0) in enumerate(zip(weight, square, strict=True)):
        total = moved = 0.0
        for w, s in zip(weights, squares, strict=True):
            total += s[i] - s0
            moved += (s[i] - s0) * (w[i] - w0)
        if total > 0.0:
            new_weight[i] = w0 + moved / total
        new_square[i] = s0 + total
    return new_weight, new_square

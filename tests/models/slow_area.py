"""The area under the ROC curve as its definition has it."""

from __future__ import annotations

from fractions import Fraction


def slow_area(scores: list[float], positive: list[bool]) -> Fraction:
    """Every pair, one after the other."""
    pairs = [
        Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0)
        for a, up in zip(scores, positive, strict=True)
        for b, other in zip(scores, positive, strict=True)
        if up and not other
    ]
    return sum(pairs, Fraction(0)) / len(pairs)

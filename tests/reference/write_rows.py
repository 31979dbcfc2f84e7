"""Sparse rows as text, the way a person would write it; see `kernels/rows/write_rows.pyx`."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction


def number(value: float) -> str:
    """The value without an exponent if eight decimals are enough, otherwise its `repr`."""
    for decimals in range(9):
        scaled = round(Fraction(value) * 10**decimals)
        if abs(scaled) >= 10**15:
            break
        if float(Fraction(scaled, 10**decimals)) == value:
            return f"{value:.{decimals}f}"
    text = repr(value)
    return text.removesuffix(".0")


def line(head: str, row: Mapping[int, float], marks: tuple[str, str, str, str]) -> str:
    """One row: the marks stand before the first feature, before others, inside, and after."""
    first, before, between, tail = marks
    features = [f"{column}{between}{number(value)}" for column, value in row.items()]
    return head + (first if features else "") + before.join(features) + tail

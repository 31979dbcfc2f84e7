"""Bars: numbers of either sign beside their names, as lengths from one line."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import NamedTuple

from thresher.pictures.chart import LETTER
from thresher.pictures.names import plain, shown
from thresher.pictures.scale import number
from thresher.pictures.svg import HUES, Svg

LINE = 22
#: The longest name, in characters.
LONGEST = 28


class Bar(NamedTuple):
    """A name and its number."""

    name: str
    value: float


def length_of(value: float, largest: float, *, signed: bool) -> str:
    """One bar as a picture that stretches; the line from which lengths count is in its middle.

    >>> length_of(1.0, 2.0, signed=False).count("<rect")
    2
    """
    share = min(1.0, abs(value) / largest) if largest else 0.0
    hue = 1 if value < 0 else 0
    wide = 100 * share / (2 if signed else 1)
    left = (50 - wide if value < 0 else 50) if signed else 0
    return (
        '<svg class="tp bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="100" height="10" fill="currentColor" fill-opacity=".07"/>'
        f'<rect class="f{hue}" x="{left:.2f}" width="{wide:.2f}" height="10" fill="{HUES[hue]}"/>'
        "</svg>"
    )


def bars(rows: Sequence[Bar], title: str, width: int = 440) -> Svg:
    """Names, bars and numbers as one picture.

    >>> str(bars([Bar("odor", 2.0), Bar("<b>", -1.0)], "weights")).count("<rect")
    5
    """
    signed = any(row.value < 0 for row in rows)
    largest = max((abs(row.value) for row in rows if isfinite(row.value)), default=0.0)
    names = [plain(row.name, LONGEST) for row in rows]
    start = min(0.5 * width, max((len(name) for name in names), default=0) * LETTER + 10)
    stop = width - 64
    origin = (start + stop) / 2 if signed else start
    body = []
    for place, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = LINE * place + 6
        reach = (stop - origin) * (min(1.0, abs(row.value) / largest) if largest else 0.0)
        left = origin - reach if row.value < 0 else origin
        hue = 1 if row.value < 0 else 0
        body.append(
            f'<text x="0" y="{y + 10}" font-size="12" fill="currentColor">{shown(name)}</text>'
            f'<rect x="{start:.1f}" y="{y + 1}" width="{stop - start:.1f}" height="10" rx="2" '
            'fill="currentColor" fill-opacity=".07"/>'
            f'<rect class="f{hue}" x="{left:.1f}" y="{y + 1}" width="{reach:.1f}" height="10" '
            f'rx="2" fill="{HUES[hue]}"/>'
            f'<text x="{width}" y="{y + 10}" font-size="12" text-anchor="end" '
            f'fill="currentColor">{number(row.value)}</text>'
        )
    return Svg(width, LINE * max(1, len(rows)) + 8, body, title)

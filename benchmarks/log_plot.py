"""Curves over two logarithmic axes as SVG, in the colours of the project's other pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import ceil, floor, log10

from thresher.pictures.svg import HUES

WIDTH, HEIGHT = 520, 340
LEFT, TOP, BOTTOM, LEGEND, LINE = 80, 20, 55, 240, 20


def log_plot(curves: Mapping[str, Sequence[tuple[float, float]]], across: str, upwards: str) -> str:
    """The curves in one picture: both axes by powers of ten, names beside it.

    >>> picture = log_plot({"a<b": [(10, 1.0), (1000, 20.0)]}, "values", "ns")
    >>> picture.count("<polyline"), picture.count("<circle"), "a&lt;b" in picture
    (1, 2, True)
    >>> [tick in picture for tick in (">10<", ">100<", ">1,000<", ">1<")]
    [True, True, True, True]
    """
    points = [point for found in curves.values() for point in found]
    wide, high = (_decades([point[axis] for point in points]) for axis in (0, 1))

    def placed(x: float, y: float) -> tuple[float, float]:
        right = (log10(x) - wide[0]) / (wide[1] - wide[0])
        up = (log10(y) - high[0]) / (high[1] - high[0])
        return LEFT + WIDTH * right, TOP + HEIGHT * (1 - up)

    low = TOP + HEIGHT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + LEGEND}" '
        f'height="{low + BOTTOM}" font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for tick in _ticks(wide):
        x, _ = placed(tick, 10 ** high[0])
        lines.append(f'<path d="M{x:.1f} {TOP}V{low}" stroke="#ddd"/>')
        lines.append(f'<text x="{x:.1f}" y="{low + 18}" text-anchor="middle">{_short(tick)}</text>')
    for tick in _ticks(high):
        _, y = placed(10 ** wide[0], tick)
        lines.append(f'<path d="M{LEFT} {y:.1f}H{LEFT + WIDTH}" stroke="#ddd"/>')
        lines.append(
            f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_short(tick)}</text>'
        )
    lines.append(f'<path d="M{LEFT} {TOP}V{low}H{LEFT + WIDTH}" fill="none" stroke="#666"/>')
    for number, (name, found) in enumerate(curves.items()):
        colour = HUES[number % len(HUES)]
        at = [placed(*point) for point in found]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        lines.append(
            f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{path}"/>'
        )
        lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in at]
        x, y = LEFT + WIDTH + 15, TOP + LINE * number + 10
        lines.append(f'<path d="M{x} {y}h25" stroke="{colour}" stroke-width="1.5"/>')
        lines.append(f'<text x="{x + 32}" y="{y + 4}">{escape(name)}</text>')
    middle = f'x="{LEFT + WIDTH / 2:.0f}" y="{low + 42}" text-anchor="middle"'
    lines.append(f"<text {middle}>{escape(across)}</text>")
    turned = f'transform="translate(16 {TOP + HEIGHT / 2:.0f}) rotate(-90)" text-anchor="middle"'
    lines.append(f"<text {turned}>{escape(upwards)}</text>")
    return "\n".join([*lines, "</svg>"]) + "\n"


def _decades(numbers: Sequence[float]) -> tuple[int, int]:
    """The powers of ten that the numbers are between."""
    low, high = floor(log10(min(numbers))), ceil(log10(max(numbers)))
    return low, max(high, low + 1)


def _ticks(decades: tuple[int, int]) -> Iterator[float]:
    for power in range(decades[0], decades[1] + 1):
        yield 10.0**power


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 1 else f"{number:g}"

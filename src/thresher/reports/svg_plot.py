"""Curves as a picture for pages and papers: SVG, which is text and needs no other package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

Points = Sequence[tuple[int, int]]

#: Colours that are told apart in print and by the colour-blind (Okabe and Ito), in turn.
COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#000000", "#f0e442")
#: With every other round through the colours the lines are broken.
DASHES = ("", "6 3", "2 3")
WIDTH, HEIGHT = 640, 400
LEFT, TOP, BOTTOM = 70, 20, 50
#: Room for the names beside the picture, and what one of them takes.
LEGEND, LINE = 300, 20


def svg_plot(curves: Mapping[str, Points], top: int | None = None) -> str:
    """The curves in one picture: rounds to the right, mistakes upwards, names beside it.

    A curve that rises above `top` leaves the picture there.

    >>> picture = svg_plot({"winnow": [(0, 0), (8, 3)], "a<b": [(0, 0), (8, 5)]})
    >>> picture.startswith("<svg xmlns="), picture.count("<polyline"), "a&lt;b" in picture
    (True, 2, True)
    """
    rounds = max((points[-1][0] for points in curves.values()), default=0)
    most = max((points[-1][1] for points in curves.values()), default=0)
    most = max(1, most if top is None else min(most, top))
    height = max(HEIGHT, TOP + BOTTOM + LINE * len(curves))
    deep = height - TOP - BOTTOM
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{LEFT + WIDTH + LEGEND}" '
        f'height="{height}" font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<clipPath id="frame"><rect x="{LEFT}" y="{TOP}" width="{WIDTH}" height="{deep}"/>'
        "</clipPath>",
        f'<path d="M{LEFT} {TOP}V{TOP + deep}H{LEFT + WIDTH}" fill="none" stroke="#666"/>',
        *_axes(rounds, most, deep),
    ]
    for number, (name, points) in enumerate(curves.items()):
        style = _style(number)
        placed = " ".join(
            f"{LEFT + WIDTH * r / max(1, rounds):.1f},{TOP + deep - deep * m / most:.1f}"
            for r, m in points
        )
        lines.append(f'<polyline clip-path="url(#frame)" fill="none" {style} points="{placed}"/>')
        x, y = LEFT + WIDTH + 15, TOP + LINE * number + 10
        lines.append(f'<path d="M{x} {y}h25" {style}/>')
        said = f"{name}  {points[-1][1]:,}"
        lines.append(f'<text x="{x + 32}" y="{y + 4}" xml:space="preserve">{escape(said)}</text>')
    return "\n".join([*lines, "</svg>"]) + "\n"


def _style(number: int) -> str:
    dash = DASHES[number // len(COLOURS) % len(DASHES)]
    broken = f' stroke-dasharray="{dash}"' if dash else ""
    return f'stroke="{COLOURS[number % len(COLOURS)]}" stroke-width="1.5"{broken}'


def _axes(rounds: int, most: int, deep: int) -> list[str]:
    """What the ends of the axes stand for."""
    low = TOP + deep
    return [
        f'<text x="{LEFT - 6}" y="{TOP + 10}" text-anchor="end">{most:,}</text>',
        f'<text x="{LEFT - 6}" y="{low}" text-anchor="end">0</text>',
        f'<text x="{LEFT + WIDTH}" y="{low + 18}" text-anchor="end">{rounds:,}</text>',
        f'<text x="{LEFT + WIDTH / 2:.0f}" y="{low + 36}" text-anchor="middle">rounds</text>',
        f'<text transform="translate(16 {TOP + deep / 2:.0f}) rotate(-90)" '
        'text-anchor="middle">mistakes</text>',
    ]

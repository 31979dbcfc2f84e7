"""What a notebook shows of an object: a title, a small picture, and a table of what it is."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite

from thresher.pictures.chart import path_of
from thresher.pictures.curve import Points, thinned
from thresher.pictures.names import shown
from thresher.pictures.scale import Scale
from thresher.pictures.svg import HUES, Svg

#: Lines of a table that are shown.
MOST_ROWS = 40


def sparkline(points: Points, limit: float | None = None, *, steps: bool = True) -> Svg | None:
    """A curve without words, under a dashed line at `limit`; None without two points.

    >>> sparkline([(0, 0), (10, 3)], 5)
    Svg(160 x 34: from 0 to 3)
    """
    if len(points) < 2:
        return None
    ys = [y for _, y in points if isfinite(y)] or [0.0]
    low, high = min(0.0, *ys), max(*ys, limit if limit is not None else ys[0])
    across = Scale(points[0][0], points[-1][0], 2, 158)
    up = Scale(low, max(high, low + 1e-300), 31, 3)
    path = path_of(thinned(points, 256, steps=steps), across, up, steps=steps)
    body = [
        f'<path class="s0" d="{path}" '
        f'fill="none" stroke="{HUES[0]}" stroke-width="1.6" stroke-linejoin="round"/>'
    ]
    if limit is not None:
        y = up(limit)
        body.append(
            f'<path class="s0" d="M2 {y:.1f}H158" stroke="{HUES[0]}" stroke-dasharray="4 3" '
            'fill="none"/>'
        )
    return Svg(160, 34, body, f"from {ys[0]:g} to {ys[-1]:g}")


def display(
    title: object, rows: Iterable[tuple[object, object]], picture: Svg | None = None
) -> str:
    """The title in bold, the picture, and what is known line by line; nothing of it is a script.

    >>> display("<winnow>", [("rounds", "5,644")])
    '<div><b>&lt;winnow&gt;</b><table><tr><th scope="row" align="left">rounds</th>\
<td align="left">5,644</td></tr></table></div>'
    """
    listed = list(rows)
    lines = "".join(
        f'<tr><th scope="row" align="left">{shown(name)}</th>'
        f'<td align="left">{shown(value, 400)}</td></tr>'
        for name, value in listed[:MOST_ROWS]
    )
    more = len(listed) - MOST_ROWS
    lines += f'<tr><td colspan="2">and {more:,} more</td></tr>' if more > 0 else ""
    drawn = "" if picture is None else f"<div>{picture._repr_html_()}</div>"
    return f"<div><b>{shown(title, 200)}</b>{drawn}<table>{lines}</table></div>"

"""Curves: however long a run was, a bounded number of points, chosen by the points alone."""

from __future__ import annotations

from collections.abc import Sequence

#: Points that a curve has at most.
MOST_POINTS = 1024

Points = Sequence[tuple[float, float]]


def thinned(
    points: Points, most: int = MOST_POINTS, *, steps: bool = False
) -> list[tuple[float, float]]:
    """At most so many of the points: the ends, and of each stretch the lowest and the highest.

    Those that change nothing go first: on the line between their neighbours, or, where a curve
    stays as it is until its next point, as high as the one before. A curve of few steps keeps each
    of them where it is. What is kept depends on the points alone.

    >>> thinned([(0, 0), (1, 0), (2, 0), (3, 1), (4, 1)])
    [(0, 0), (2, 0), (3, 1), (4, 1)]
    >>> thinned([(0, 0), (1, 1), (2, 2), (3, 2), (4, 2)], steps=True)
    [(0, 0), (1, 1), (2, 2), (4, 2)]
    >>> wild = [(t, t % 7) for t in range(10_000)]
    >>> few = thinned(wild, 64)
    >>> len(few) <= 64, few[0], few[-1], max(y for _, y in few)
    (True, (0, 0), (9999, 3), 6)
    """
    kept = _without_levels(points) if steps else _without_straights(points)
    if len(kept) <= most:
        return kept
    # Two of each stretch, and the two ends.
    stretches = max(1, (most - 2) // 2)
    inner = kept[1:-1]
    found = [kept[0]]
    for number in range(stretches):
        part = inner[len(inner) * number // stretches : len(inner) * (number + 1) // stretches]
        if part:
            ends = {min(part, key=_height), max(part, key=_height)}
            found += sorted(ends)
    return [*found, kept[-1]]


def _height(point: tuple[float, float]) -> float:
    return point[1]


def _without_straights(points: Points) -> list[tuple[float, float]]:
    """The points without those that lie on the line between the last kept and the next."""
    kept: list[tuple[float, float]] = []
    for point in points:
        if len(kept) >= 2:
            (x0, y0), (x1, y1), (x2, y2) = kept[-2], kept[-1], point
            if (y1 - y0) * (x2 - x0) == (y2 - y0) * (x1 - x0) and x0 <= x1 <= x2:
                kept.pop()
        kept.append(point)
    return kept


def _without_levels(points: Points) -> list[tuple[float, float]]:
    """The points at which a curve of steps is at another height than before, and its end."""
    kept = [
        point for place, point in enumerate(points) if not place or point[1] != points[place - 1][1]
    ]
    return kept if not points or kept[-1] == points[-1] else [*kept, points[-1]]

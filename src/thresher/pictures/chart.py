"""Chart: lines with their names at their ends, what is allowed dashed, what is left shaded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import floor, isfinite

from thresher.pictures.curve import MOST_POINTS, Points, thinned
from thresher.pictures.names import plain, shown
from thresher.pictures.scale import Scale, number
from thresher.pictures.svg import HUES, Svg

#: Pixels between two names at the right, and of a letter of them on average.
LINE_HEIGHT, LETTER = 15, 7.4
LEFT, TOP, BOTTOM = 46, 12, 34
#: The longest name at the end of a line, in characters.
LONGEST = 44


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A curve of a chart."""

    points: Points
    #: What stands at its end; nothing if it is empty.
    label: str = ""
    #: Its number in the row of hues.
    hue: int = 0
    #: Whether it is what is allowed, and not what was.
    dashed: bool = False
    #: Whether it stays where it is until its next point.
    steps: bool = False
    #: Whether it is one of those that the chart is about.
    strong: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Curves over one axis.

    Parameters
    ----------
    lines
        The last is drawn on top.
    title
        What is said to those who do not see it.
    x, y
        What is counted to the right, and upwards.
    room
        Two lines by number: what lies between them is shaded.
    top
        The largest number upwards; what is above leaves the picture.
    right
        The largest number to the right.
    log
        Whether equal ratios take equal room to the right.
    tick
        How a number upwards is written.
    dots
        Lines by number whose points are marked.

    Examples
    --------
    >>> made = Line(points=[(0, 0), (4, 1), (8, 3)], label="winnow: 3 made", steps=True)
    >>> allowed = Line(points=[(0, 5), (8, 5)], label="at most 5", dashed=True)
    >>> picture = Chart(lines=[made, allowed], title="mistakes", x="rounds", room=(0, 1)).svg()
    >>> picture, "winnow: 3 made</text>" in str(picture)
    (Svg(640 x 300: mistakes), True)
    """

    lines: Sequence[Line]
    title: str
    x: str = ""
    y: str = ""
    room: tuple[int, int] | None = None
    top: float | None = None
    right: float | None = None
    log: bool = False
    tick: Callable[[float], str] = number
    dots: tuple[int, ...] = ()
    width: int = 640
    height: int = 300

    def svg(self) -> Svg:
        """The picture."""
        across, up = self._scales()
        # More points than pixels would be drawn over each other.
        most = min(MOST_POINTS, self.width, max(128, 4 * MOST_POINTS // max(1, len(self.lines))))
        curves = [thinned(line.points, most, steps=line.steps) for line in self.lines]
        body = [*self._grid(across, up)]
        # A picture in the picture cuts off what leaves it, and needs no name that others may have.
        left, wide = across.start - 3, across.stop - across.start + 6
        high = up.start - TOP + 9
        body.append(
            f'<svg x="{left:.1f}" y="{TOP - 6}" width="{wide:.1f}" height="{high:.1f}" '
            f'viewBox="{left:.1f} {TOP - 6} {wide:.1f} {high:.1f}">'
        )
        if self.room is not None:
            body.append(self._shade(curves, across, up))
        for place, (line, points) in enumerate(zip(self.lines, curves, strict=True)):
            body.append(_drawn(line, path_of(points, across, up, steps=line.steps)))
            if place in self.dots:
                body += _marked(line, points, across, up)
        body.append("</svg>")
        return Svg(self.width, self.height, [*body, *self._ends(across, up)], self.title)

    def _scales(self) -> tuple[Scale, Scale]:
        labels = [plain(line.label, LONGEST) for line in self.lines]
        beside = max((len(label) for label in labels), default=0) * LETTER
        edge = self.width - (beside + 18 if beside else 14)
        points = [
            point for line in self.lines for point in line.points if all(map(isfinite, point))
        ]
        rightmost = max((x for x, _ in points), default=0.0) if self.right is None else self.right
        highest = max((y for _, y in points), default=0.0) if self.top is None else self.top
        lowest = min((y for _, y in points), default=0.0)
        left = 1.0 if self.log else min(0.0, min((x for x, _ in points), default=0.0))
        up = Scale(min(0.0, lowest), max(highest, lowest + 1e-300), self.height - BOTTOM, TOP)
        wide = max(len(self.tick(tick)) for tick in up.ticks()) * LETTER
        start = max(26.0, min(2.0 * LEFT, wide + 12))
        return Scale(left, max(rightmost, left + 1e-300), start, edge, self.log), up

    def _grid(self, across: Scale, up: Scale) -> list[str]:
        found = []
        for tick in up.ticks():
            y = up(tick)
            found.append(
                f'<path class="g" d="M{across.start:.1f} {y:.1f}H{across.stop:.1f}" '
                'stroke="currentColor" stroke-opacity=".1" fill="none"/>'
            )
            found.append(_text(across.start - 8, y + 4, self.tick(tick), "end"))
        below = up.start + 18
        last = across.stop
        ticks = across.ticks(max(2, int(across.stop - across.start) // 75))
        for tick in ticks:
            x = across(tick)
            room = len(number(tick)) * LETTER
            if x < last - room / 2 - len(number(across.high)) * LETTER or tick == across.high:
                found.append(_text(x, below, number(tick), "middle"))
        if across.high not in ticks:
            found.append(_text(last, below, number(across.high), "end"))
        if self.x:
            found.append(_text(last, below + 13, self.x, "end"))
        if self.y:
            found.append(_text(across.start - 8, TOP - 2, self.y, "start"))
        return found

    def _shade(self, curves: Sequence[Points], across: Scale, up: Scale) -> str:
        """What lies between two lines."""
        assert self.room is not None
        low, high = self.room
        there = path_of(curves[low], across, up, steps=self.lines[low].steps)
        back = path_of(
            _backwards(curves[high], steps=self.lines[high].steps), across, up, steps=False
        )
        hue = self.lines[low].hue % len(HUES)
        joined = f"{there}L{back[1:]}Z"
        return f'<path class="f{hue}" d="{joined}" fill="{HUES[hue]}" fill-opacity=".09"/>'

    def _ends(self, across: Scale, up: Scale) -> list[str]:
        """The names at the ends of the lines, none over another."""
        named = [line for line in self.lines if line.label and line.points]
        wanted = [min(max(up(line.points[-1][1]), TOP), up.start) + 4 for line in named]
        found = []
        for line, y in zip(named, apart(wanted, TOP + 4, up.start + 6), strict=True):
            hue = line.hue % len(HUES)
            weight = ' font-weight="600"' if line.strong else ""
            found.append(
                f'<text class="f{hue}" x="{across.stop + 8:.1f}" y="{y:.1f}" font-size="12" '
                f'fill="{HUES[hue]}"{weight}>{shown(line.label, LONGEST)}</text>'
            )
        return found


def apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Heights near those that are wanted, a line of text apart, inside the picture if they fit.

    >>> apart([10, 12, 50], 0, 100), apart([95, 96], 0, 100)
    ([10, 25, 50], [85, 100])
    """
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    found = list(wanted)
    for before, place in pairwise(order):
        found[place] = max(found[place], found[before] + LINE_HEIGHT)
    limit = high
    for place in reversed(order):
        found[place] = min(found[place], limit)
        limit = found[place] - LINE_HEIGHT
    lift = max(0.0, low - min(found, default=low))
    return [height + lift for height in found] if lift else found


def path_of(points: Points, across: Scale, up: Scale, *, steps: bool = False) -> str:
    """The path of a curve: the same wherever the same curve is drawn at the same size.

    The lab draws it with `path` in lab-ui/src/plot.tsx, to the letter the same.

    >>> square = Scale(0, 4, 0, 40), Scale(0, 4, 40, 0)
    >>> path_of([(0, 0), (2, 1), (4, 4)], *square)
    'M0 40L20 30L40 0'
    >>> path_of([(0, 0), (2, 1), (4, 4)], *square, steps=True)
    'M0 40H20V30H40V0'
    """
    found: list[str] = []
    last = ("", "")
    for point in points:
        x, y = _short(across(point[0])), _short(up(point[1]))
        if not found:
            found.append(f"M{x} {y}")
        elif steps:
            found.append((f"H{x}" if x != last[0] else "") + (f"V{y}" if y != last[1] else ""))
        elif (x, y) != last:
            found.append(f"L{x} {y}")
        last = (x, y)
    return "".join(found)


def _short(place: float) -> str:
    # Not by `round`: the script of the lab must find the same tenth where two are equally near.
    return str(floor(place * 10 + 0.5) / 10).removesuffix(".0")


def _backwards(points: Points, *, steps: bool) -> list[tuple[float, float]]:
    """A curve from its end to its beginning; one of steps with its corners."""
    found = list(points)
    if steps:
        found = [corner for (_, y), (x1, y1) in pairwise(points) for corner in ((x1, y), (x1, y1))]
        found.insert(0, points[0])
    return found[::-1]


def _drawn(line: Line, path: str) -> str:
    hue = line.hue % len(HUES)
    width = "2.2" if line.strong else "1.3"
    broken = ' stroke-dasharray="5 4"' if line.dashed else ""
    return (
        f'<path class="s{hue}" d="{path}" fill="none" stroke="{HUES[hue]}" '
        f'stroke-width="{width}" stroke-linejoin="round"{broken}/>'
    )


def _marked(line: Line, points: Points, across: Scale, up: Scale) -> list[str]:
    hue = line.hue % len(HUES)
    return [
        f'<circle class="f{hue}" cx="{_short(across(x))}" cy="{_short(up(y))}" r="3.2" '
        f'fill="{HUES[hue]}"/>'
        for x, y in points
    ]


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="11.5" '
        f'fill="currentColor" fill-opacity=".66">{shown(text)}</text>'
    )

"""Curves as lines of text: Braille dots, or letters where the terminal knows no Braille."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase, digits

#: The dots of a Braille cell: two columns, four rows, as bits over U+2800.
DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
BLANK = 0x2800
MARKS = ascii_lowercase + ascii_uppercase + digits

#: Paints a text in the colour of the curve with this number.
Paint = Callable[[str, int], str]
Points = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Canvas:
    """How much room there is for the curves, in characters, and what may be drawn."""

    width: int
    height: int = 12
    braille: bool = True

    @property
    def dots(self) -> tuple[int, int]:
        """Dots across and down."""
        return (2 * self.width, 4 * self.height) if self.braille else (self.width, self.height)


def speaks_braille(encoding: str | None) -> bool:
    """Whether text in this encoding can hold Braille characters.

    >>> speaks_braille("utf-8"), speaks_braille("ascii"), speaks_braille(None)
    (True, False, False)
    """
    try:
        chr(BLANK + 0xFF).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def plot(
    curves: Sequence[Points],
    canvas: Canvas,
    paint: Paint = lambda text, _: text,
    top: int | None = None,
) -> str:
    """The curves in one picture: rounds to the right, mistakes upwards, a letter at each end.

    A curve that rises above `top` leaves the picture there.

    >>> rising = [(0, 0), (2, 2), (4, 4)]
    >>> flat = [(0, 0), (2, 2), (4, 2)]
    >>> print(plot([rising, flat], Canvas(width=8, height=4, braille=False)))
    4 |      aa a
      |    aabb b
      |  aa
    0 |aa
      +--------
       0      4
    """
    rounds = max((points[-1][0] for points in curves), default=0)
    most = max((mistakes for points in curves for _, mistakes in points), default=0)
    most = most if top is None else min(most, top)
    across, down = canvas.dots
    heights = [levels(points, rounds, most, (across, down)) for points in curves]
    cells: list[list[tuple[int | str, int]]] = [
        [(0, 0) for _ in range(canvas.width)] for _ in range(canvas.height)
    ]
    ends: dict[int, list[int]] = {}
    # The first curve is drawn last: where curves meet, the cell is its.
    for number in reversed(range(len(curves))):
        draw(cells, heights[number], number, canvas)
        last = next((level for level in reversed(heights[number]) if level is not None), 0)
        last = down - 1 if curves[number][-1][1] > most else last
        ends.setdefault(canvas.height - 1 - last * canvas.height // down, []).insert(0, number)
    return _framed(cells, ends, (rounds, most), paint)


def levels(points: Points, rounds: int, most: int, dots: tuple[int, int]) -> list[int | None]:
    """For each dot across, the dot upwards at which the curve stands; None beyond its end or above.

    >>> levels([(0, 0), (10, 5)], 20, 5, (4, 6))
    [0, 3, None, None]
    """
    across, down = dots
    found: list[int | None] = []
    at = 0
    for dot in range(across):
        here = rounds * dot / max(1, across - 1)
        if here > points[-1][0]:
            found.append(None)
            continue
        while at + 1 < len(points) and points[at + 1][0] <= here:
            at += 1
        mistakes = float(points[at][1])
        if at + 1 < len(points):
            (r0, m0), (r1, m1) = points[at], points[at + 1]
            mistakes = m0 + (m1 - m0) * (here - r0) / (r1 - r0)
        if mistakes > most:
            # Mistakes never get fewer: above the picture, it stays there.
            return found + [None] * (across - dot)
        found.append(round(mistakes / most * (down - 1)) if most else 0)
    return found


def draw(
    cells: list[list[tuple[int | str, int]]],
    heights: Sequence[int | None],
    number: int,
    canvas: Canvas,
) -> None:
    """Set the dots of one curve; a steep rise is a line, not a gap."""
    previous: int | None = None
    for x, level in enumerate(heights):
        if level is None:
            break
        low = level if previous is None or not canvas.braille else min(level, previous + 1)
        previous = level
        for y in range(low, level + 1):
            if canvas.braille:
                row, column = canvas.height - 1 - y // 4, x // 2
                bits = cells[row][column][0]
                dot = DOTS[3 - y % 4][x % 2]
                cells[row][column] = ((bits if isinstance(bits, int) else 0) | dot, number)
            else:
                cells[canvas.height - 1 - y][x] = (MARKS[number % len(MARKS)], number)


def _framed(
    cells: list[list[tuple[int | str, int]]],
    ends: dict[int, list[int]],
    largest: tuple[int, int],
    paint: Paint,
) -> str:
    rounds, most = largest
    side = len(f"{most:,}")
    lines = []
    for row, line in enumerate(cells):
        label = f"{most:,}" if row == 0 and most else "0" if row == len(cells) - 1 else ""
        text = "".join(_cell(what, number, paint) for what, number in line)
        marks = "".join(paint(MARKS[n % len(MARKS)], n) for n in ends.get(row, []))
        shown = f"{text} {marks}" if marks else text.rstrip(" ")
        lines.append(f"{label:>{side}} |{shown}".rstrip())
    width = len(cells[0])
    lines.append(f"{'':>{side}} +{'-' * width}")
    lines.append(f"{'':>{side}}  0{f'{rounds:,}':>{width - 1}}")
    return "\n".join(lines)


def _cell(what: int | str, number: int, paint: Paint) -> str:
    if what == 0:
        return " "
    return paint(what if isinstance(what, str) else chr(BLANK + what), number)

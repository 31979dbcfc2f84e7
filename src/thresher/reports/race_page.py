"""A race as a picture and as a page: who was wrong how often, and how often a theorem allows it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from thresher.pictures import Chart, Line, Svg, shown
from thresher.reports.html import Cell, Html, card, count, drawn, scrolled, share, table
from thresher.reports.page import framed

if TYPE_CHECKING:
    from thresher.models.runner import Runner

#: Whoever makes more than so many times the winner's mistakes leaves the picture at the top.
FAR_BEHIND = 8
#: Runners with a line of their own; a picture of more is hard to read.
MOST_LINES = 14
#: Characters of a title at the end of a line.
LONGEST = 32


def highest(runners: Sequence[Runner]) -> int:
    """Mistakes at the top of the picture: who is far behind does not flatten all others."""
    made = [runner.curve.mistakes for runner in runners if runner.out is None] or [1]
    return max(count for count in made if count <= FAR_BEHIND * max(1, min(made)))


def race_chart(runners: Sequence[Runner], width: int = 900, height: int = 420) -> Chart:
    """The mistake curves, with what theorems allow dashed; the winner is drawn last."""
    shown_ = list(runners[:MOST_LINES])
    top = highest(shown_)
    lines: list[Line] = []
    for hue, runner in reversed([*enumerate(shown_)]):
        curve, made = runner.curve, runner.curve.mistakes
        end = f"out in row {runner.out_in:,}" if runner.out is not None else f"{made:,}"
        if runner.allowed is not None and runner.allowed <= 2 * top:
            lines.append(
                Line(
                    points=[(0, runner.allowed), (curve.rounds, runner.allowed)],
                    label=f"at most {runner.allowed:,}",
                    hue=hue,
                    dashed=True,
                    strong=False,
                )
            )
        lines.append(
            Line(
                points=curve.steps(),
                label=f"{_short(runner.title)}: {end}",
                hue=hue,
                steps=curve.exact,
                strong=hue == 0,
            )
        )
    allowed = [line.points[0][1] for line in lines if line.dashed]
    return Chart(
        lines=lines,
        title="; ".join(f"{one.title}: {one.curve.mistakes} mistakes" for one in shown_),
        x="rounds",
        top=1.03 * max([float(max(top, 1)), *allowed]),
        width=width,
        height=max(height, 60 + 16 * len(lines)),
    )


def _short(title: str) -> str:
    """A title that leaves room for a number behind it."""
    return title if len(title) <= LONGEST else f"{title[: LONGEST - 1]}…"


def race_svg(runners: Sequence[Runner]) -> Svg:
    """The curves as one picture."""
    return race_chart(runners).svg()


def race_page(
    runners: Sequence[Runner], inputs: Sequence[str], commands: Sequence[str], what: str = "race"
) -> str:
    """A race, or what is like one, as a page; nothing depends on how fast the machine was."""
    rounds = max((runner.curve.rounds for runner in runners), default=0)
    name = Path(inputs[0]).name if inputs else "a stream"
    more = f" and {len(inputs) - 1:,} more" if len(inputs) > 1 else ""
    late = "last quarter" if runners[0].window is None else f"last {runners[0].window.size:,}"
    rows = [_row(runner) for runner in runners]
    head = (
        "learner",
        *(Cell(heading, "n") for heading in ("mistakes", "error", late, "allowed")),
        "theorem",
    )
    left = len(runners) - MOST_LINES
    note = "every row is predicted by all of them before its label is told"
    note += f"; {left:,} more are in the table" if left > 0 else ""
    code = "\n".join(shown(command, 600) for command in commands)
    standings = scrolled("Standings", table(head, rows))
    cards = [
        card("Mistakes", note, drawn(race_chart(runners, 1040), 350), span=12),
        card("Standings", "", standings, span=12),
    ]
    if commands:
        cards.append(card("Make it again", "", f"<pre><code>{code}</code></pre>", span=12))
    said = f"{count(rounds, 'round')} · {count(len(runners), 'contestant')}"
    return framed(f"{what} on {name}{more}", said, "".join(cards))


def _row(runner: Runner) -> tuple[object, ...]:
    curve = runner.curve
    if runner.out is not None:
        why = Html(shown(runner.out, 200))
        return (Cell(runner.title, "name"), f"out in row {runner.out_in:,}", "", "", "", why)
    late = curve.last_error if runner.window is None else runner.window.error
    theorem = runner.theorem or ""
    if runner.refuted_in is not None:
        theorem += f", refuted in row {runner.refuted_in:,}"
    return (
        Cell(runner.title, "name"),
        f"{curve.mistakes:,}",
        share(curve.error),
        share(late),
        "" if runner.allowed is None else f"{runner.allowed:,}",
        theorem,
    )

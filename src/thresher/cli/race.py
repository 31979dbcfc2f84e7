"""`thresher race`: several learners in one pass over one stream."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.cluster_option import on_a_cluster
from thresher.cli.curves import check_name, curves_option, write_curves
from thresher.cli.json_result import json_result
from thresher.cli.labelled import importance_option
from thresher.cli.learner_option import class_weight_option
from thresher.cli.options import Command, json_option, quiet_option, reads_data, window_option
from thresher.models.input_data import InputData
from thresher.models.usual_learners import (
    TRACKING_LEARNERS,
    USUAL_LEARNERS,
    USUAL_MULTICLASS_LEARNERS,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from thresher.cli.cluster_option import ClusterPlace
    from thresher.cluster.engine import Engine
    from thresher.models.comparison import Comparison
    from thresher.models.runner import Runner

COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "red", "white")
HEIGHT = 12


@click.command("race", cls=Command)
@reads_data()
@click.option(
    "--learner",
    "learners",
    multiple=True,
    metavar="NAME[:P=V,...]",
    help="A learner to run; can be repeated. Default:"
    + ", ".join(USUAL_LEARNERS)
    + "; with several classes: "
    + ", ".join(USUAL_MULTICLASS_LEARNERS)
    + ".",
)
@class_weight_option
@click.option(
    "--multiclass", is_flag=True, help="Expect several classes, whatever the first 1,000 rows show."
)
@click.option(
    "--tracking",
    is_flag=True,
    help=f"Variants that forget run along: {', '.join(TRACKING_LEARNERS)}.",
)
@window_option
@click.option(
    "--claim", metavar="CLAIM", help="What you believe about the stream, such as disjunction:k=4."
)
@click.option(
    "--bounds/--no-bounds",
    "hindsight",
    default=True,
    help="Whether to search a small stream (10,000 rows) for comparators after the race.",
)
@curves_option
@click.option("--plot/--no-plot", default=True, help="Whether to draw the mistake curves.")
@importance_option
@on_a_cluster(None)
@json_option
@quiet_option
def command(
    data: InputData,
    learners: tuple[str, ...],
    multiclass: bool,
    output: str | None,
    plot: bool,
    as_json: bool,
    quiet: bool,
    **asked: Any,
) -> None:
    """Compare several learners on one stream, side by side.

    Every learner predicts each row before its label is revealed. The table shows how often each was
    wrong, in all rows and in the last quarter of them, and how many mistakes a theorem allows.

    \b
    Examples:
      thresher race mail.svm
      thresher race mail.svm --learner winnow --learner winnow:beta=1/2
      thresher race mail.vw --bits 20 --claim disjunction:k=4 --json
      thresher race mail.svm -o curves.svg
      thresher race mail.svm -o race.html
      thresher race 'day-*.svm' --tracking --window 10000
      thresher race news.tsv --format text
      thresher race 'day-*.svm' --cluster local:4

    The bound of a committee follows from the losses of its best expert, whatever the stream. With
    several classes a two-class learner runs once for each class against the rest; no bounds are
    searched for then.

    If the target moves, an error over all rows hides it. --window N shows the error of the last N
    rows, and --tracking adds variants that forget (decay) or never rule a feature out (floor).

    A learner that cannot take a row (Winnow needs features from 0 to 1) is out of the race from
    that row on; the others go on. Names that share a column count as the strongest of them.
    """
    from contextlib import ExitStack

    from thresher.cli.labelled import telling
    from thresher.models.comparison import Comparison

    check_name(output)
    if multiclass and data.positive is not None:
        raise click.UsageError("--positive makes two classes, --multiclass keeps them all.")
    if twice := next((text for text in learners if learners.count(text) > 1), None):
        raise click.UsageError(f"--learner {twice} is given twice.")
    place: ClusterPlace | None = asked.pop("place")
    asked["several"] = multiclass or None
    with ExitStack() as until_the_end:
        if place is None:
            comparison = Comparison(data, learners or None, **asked)
        else:
            comparison = _apart(until_the_end.enter_context(place.engine()), place)(
                data, learners or None, **asked
            )
        tell = until_the_end.enter_context(telling(quiet=quiet))
        for event in comparison:
            tell(event)
    show(comparison, output, plot=plot, as_json=as_json)


def _apart(engine: Engine, place: ClusterPlace) -> Callable[..., Comparison]:
    """What makes a race whose learners run on workers, each by itself."""
    from thresher.cluster.racing import ClusterComparison

    return partial(ClusterComparison, engine=engine, deadline=place.deadline)


def show(comparison: Comparison, output: str | None, *, plot: bool, as_json: bool) -> None:
    """The result, as was asked for."""
    race, places = comparison.race, comparison.places
    runners = race.standings()
    results = [r.to_dict() | {"out": why_out(r), "out_at": places.get(r.title)} for r in runners]
    in_json = json_result("race", {"rounds": race.rounds, "learners": results})
    if output is not None:
        write_curves(output, runners, comparison.data.shown_paths, in_json)
        if output == "-":
            return
    if as_json:
        click.echo(in_json)
        return
    click.echo(result_table(runners))
    for runner in runners:
        if runner.out is not None:
            click.echo(f"{runner.title} is out: {places[runner.title]}: {why_out(runner)}")
    if plot:
        click.echo()
        click.echo(picture(runners))


def why_out(runner: Runner) -> str | None:
    """Why somebody is out of the race, and what helps."""
    if runner.out is None or runner.out_for != "memory":
        return runner.out
    return f"{runner.out.removesuffix('.')}; --bits helps."


def result_table(runners: list[Runner]) -> str:
    """Who was wrong how often, and how often a theorem allows it."""
    from thresher.cli.terminal.speech import short, width
    from thresher.cli.terminal.table import Column, Table
    from thresher.reports.plot import MARKS

    columns = [
        Column("", left=True),
        Column("learner", left=True),
        Column("mistakes"),
        Column("error"),
        Column(_recent(runners), rank=1),
        Column("allowed", rank=2),
        Column("theorem", left=True, rank=4),
        Column("rows/s", rank=3),
    ]
    rows = [(MARKS[i % len(MARKS)], *_cells(runner)) for i, runner in enumerate(runners)]
    # Beside the title there must be room for mistakes and error.
    most = max(10, width() - 24)
    rows = [(mark, short(title, most), *rest) for mark, title, *rest in rows]
    # Columns in which nobody has anything take no room.
    used = [c for c in range(len(columns)) if c == 0 or any(row[c] for row in rows)]
    table = Table([columns[c] for c in used])
    return table.text([[row[c] for c in used] for row in rows], width())


def _recent(runners: list[Runner]) -> str:
    """What the late rows are called: those of the window, if there is one."""
    window = runners[0].window
    return "last quarter" if window is None else f"last {window.size:,}"


def _cells(runner: Runner) -> tuple[str, ...]:
    curve = runner.curve
    speed = runner.rounds_per_second
    if runner.out is not None:
        return (runner.title, "out", f"row {runner.out_in:,}", "", "", "", "")
    theorem = runner.theorem or ""
    late = curve.last_error if runner.window is None else runner.window.error
    if runner.refuted_in is not None:
        theorem += f", refuted in row {runner.refuted_in:,}"
    return (
        runner.title,
        f"{curve.mistakes:,}",
        "" if curve.error is None else f"{curve.error:.2%}",
        "" if late is None else f"{late:.2%}",
        "" if runner.allowed is None else f"{runner.allowed:,}",
        theorem,
        "" if speed is None else f"{speed:,.0f}",
    )


def picture(runners: list[Runner]) -> str:
    """The mistake curves, as wide as the terminal."""
    import sys

    from thresher.cli.terminal.speech import painted, width
    from thresher.reports.plot import Canvas, plot, speaks_braille
    from thresher.reports.race_page import highest

    top = highest(runners)
    # The label and the bar to the left; letters to the right, where several curves may end.
    room = min(100, width()) - len(f"{top:,}") - 2 - 1 - len(runners)
    canvas = Canvas(max(10, room), HEIGHT, braille=speaks_braille(sys.stdout.encoding))
    return plot(
        [runner.curve.points() for runner in runners],
        canvas,
        lambda text, n: painted(text, COLOURS[n % len(COLOURS)], stream=sys.stdout),
        top,
    )

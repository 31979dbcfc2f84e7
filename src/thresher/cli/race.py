"""`thresher race`: several learners in one pass over one stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from thresher.cli.labelled import importance_option
from thresher.cli.learner_choice import DEFAULT_BITS, LearnerChoice
from thresher.cli.options import Command, DataOptions, json_option, quiet_option, reads_data

if TYPE_CHECKING:
    from thresher.cli.labelled import LabelledStream
    from thresher.reports.race import Race, Runner

#: Who runs when nobody is named: the learners whose theorems the advice compares.
DEFAULT_LEARNERS = (
    "perceptron",
    "perceptron:bias=yes",
    "winnow",
    "signed_winnow",
    "balanced_winnow",
    "elimination",
)
BASELINE = "commoner label"
COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "red", "white")
HEIGHT = 12
#: Whoever makes more than so many times the winner's mistakes leaves the picture at the top.
FAR_BEHIND = 8


@click.command("race", cls=Command)
@reads_data()
@click.option(
    "--learner",
    "learners",
    multiple=True,
    metavar="NAME[:P=V,...]",
    help="Who runs; may be given several times. Default: " + ", ".join(DEFAULT_LEARNERS) + ".",
)
@click.option("--claim", metavar="CLAIM", help="What is believed of the stream: disjunction:k=4.")
@click.option(
    "--bounds/--no-bounds",
    default=True,
    help="Whether to search a small stream (10,000 rows) for comparators after the race.",
)
@click.option(
    "-o",
    "--csv",
    "csv_file",
    metavar="FILE",
    help="Write the mistake curves to FILE; - prints them, and nothing else.",
)
@click.option("--plot/--no-plot", default=True, help="Whether to draw the mistake curves.")
@importance_option
@json_option
@quiet_option
def command(
    data: DataOptions,
    learners: tuple[str, ...],
    claim: str | None,
    bounds: bool,
    ignore_importance: bool,
    **output: Any,
) -> None:
    """Let several learners run over one stream, side by side.

    Each row is predicted by every learner before its label is told. The table says who was wrong
    how often, in all rows and in the last quarter of them, and how often a theorem allows it.

    \b
    Examples:
      thresher race mail.svm
      thresher race mail.svm --learner winnow --learner winnow:beta=1/2 --learner perceptron
      thresher race mail.vw --bits 20 --claim disjunction:k=4 --json
      thresher race mail.svm -o curves.csv

    A learner that cannot take a row (Winnow needs features from 0 to 1) is out of the race from
    that row on; the others go on. Names that share a column count as the strongest of them.
    """
    from thresher.cli.labelled import labelled_stream
    from thresher.cli.resuming import check_output
    from thresher.reports.race import Race

    if output["csv_file"] not in (None, "-"):
        check_output(output["csv_file"], list(data.paths))
    chosen = contestants(learners or DEFAULT_LEARNERS, data.n_features)
    race = Race(chosen, _claim(claim, data), hindsight=bounds)
    with labelled_stream(data, quiet=output["quiet"], weights=ignore_importance) as stream:
        places = run(race, stream)
    if not race.rounds:
        raise click.UsageError("there is no row to race on.")
    race.look_back()
    show(race, places, **output)


def contestants(learners: tuple[str, ...], n_features: int | None) -> dict[str, Any]:
    """The learners, fresh, by the way they were written; the same one twice is an error."""
    from thresher.reports.race import CommonerLabel

    made: dict[str, Any] = {}
    for text in learners:
        if text in made:
            raise click.UsageError(f"--learner {text} is given twice.")
        made[text] = LearnerChoice.parse(text).create(n_features=n_features, journal=False)
    return made | {BASELINE: CommonerLabel()}


def _claim(text: str | None, data: DataOptions) -> Any:
    from thresher.cli.claims import parse_claim

    return None if text is None else parse_claim(text, data.n_features or 2**DEFAULT_BITS)


def run(race: Race, stream: LabelledStream) -> dict[str, str]:
    """Everybody over the whole stream; where in which file whoever is out had to leave."""
    places: dict[str, str] = {}
    for piece in stream:
        first = race.rounds
        race.learn(piece.batch)
        for runner in race.runners:
            if runner.out_in is not None and runner.title not in places:
                places[runner.title] = piece.place(runner.out_in - first - 1)
    return places


def show(
    race: Race,
    places: dict[str, str],
    *,
    csv_file: str | None,
    plot: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """The result, as was asked for."""
    del quiet
    runners = race.standings()
    if csv_file is not None:
        with click.open_file(csv_file, "w", encoding="utf-8") as file:
            file.write(curves_as_csv(runners))
        if csv_file == "-":
            return
    if as_json:
        import json

        results = [r.to_dict() | {"out_at": places.get(r.title)} for r in runners]
        click.echo(json.dumps({"rounds": race.rounds, "learners": results}))
        return
    click.echo(result_table(runners))
    for runner in runners:
        if runner.out is not None:
            click.echo(f"{runner.title} is out: {places[runner.title]}: {runner.out}")
    if plot:
        click.echo()
        click.echo(picture(runners))


def result_table(runners: list[Runner]) -> str:
    """Who was wrong how often, and how often a theorem allows it."""
    from thresher.cli.table import Column, Table
    from thresher.cli.terminal import width
    from thresher.reports.plot import MARKS

    table = Table(
        [
            Column("", left=True),
            Column("learner", left=True),
            Column("mistakes"),
            Column("error"),
            Column("last quarter", rank=1),
            Column("allowed", rank=2),
            Column("theorem", left=True, rank=4),
            Column("rows/s", rank=3),
        ]
    )
    rows = [(MARKS[i % len(MARKS)], *_cells(runner)) for i, runner in enumerate(runners)]
    return table.text(rows, width())


def _cells(runner: Runner) -> tuple[str, ...]:
    curve = runner.curve
    speed = runner.rounds_per_second
    if runner.out is not None:
        return (runner.title, "out", f"row {runner.out_in:,}", "", "", "", "")
    theorem = runner.theorem or ""
    if runner.refuted_in is not None:
        theorem += f", refuted in row {runner.refuted_in:,}"
    return (
        runner.title,
        f"{curve.mistakes:,}",
        "" if curve.error is None else f"{curve.error:.2%}",
        "" if curve.last_error is None else f"{curve.last_error:.2%}",
        "" if runner.allowed is None else f"{runner.allowed:,}",
        theorem,
        "" if speed is None else f"{speed:,.0f}",
    )


def picture(runners: list[Runner]) -> str:
    """The mistake curves, as wide as the terminal."""
    import sys

    from thresher.cli.terminal import painted, width
    from thresher.reports.plot import Canvas, plot, speaks_braille

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


def highest(runners: list[Runner]) -> int:
    """Mistakes at the top of the picture: who is far behind does not flatten all others."""
    made = [runner.curve.mistakes for runner in runners if runner.out is None] or [1]
    return max(count for count in made if count <= FAR_BEHIND * max(1, min(made)))


def curves_as_csv(runners: list[Runner]) -> str:
    """The points of all curves, one on each line."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("learner", "rounds", "mistakes"))
    for runner in runners:
        writer.writerows((runner.title, *point) for point in runner.curve.points())
    return text.getvalue()

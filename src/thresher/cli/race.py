"""`thresher race`: several learners in one pass over one stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from thresher.cli.labelled import importance_option
from thresher.cli.options import Command, json_option, quiet_option, reads_data
from thresher.models.choice import LearnerChoice
from thresher.models.input_data import DEFAULT_BITS, InputData

if TYPE_CHECKING:
    from thresher.cli.labelled import Piece
    from thresher.reports.race import Race, Runner

#: Who runs when nobody is named: the learners whose theorems the advice compares, and those for
#: real data.
DEFAULT_LEARNERS = (
    "perceptron",
    "perceptron:bias=yes",
    "winnow",
    "signed_winnow",
    "balanced_winnow",
    "elimination",
    "passive_aggressive:bias=yes",
    "arow:bias=yes",
    "adagrad:bias=yes",
    "committee",
)
#: The same with several classes; of a two-class learner there is one for each class.
DEFAULT_OF_SEVERAL = (
    "multiclass_perceptron",
    "multiclass_passive_aggressive",
    "perceptron:bias=yes",
    "passive_aggressive:bias=yes",
    "arow:bias=yes",
    "adagrad:bias=yes",
    "committee",
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
    help="Who runs; may be given several times. Default: "
    + ", ".join(DEFAULT_LEARNERS)
    + "; with several classes: "
    + ", ".join(DEFAULT_OF_SEVERAL)
    + ".",
)
@click.option(
    "--multiclass", is_flag=True, help="Several classes, whatever the first 1,000 rows show."
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
    data: InputData,
    learners: tuple[str, ...],
    claim: str | None,
    bounds: bool,
    ignore_importance: bool,
    multiclass: bool,
    **output: Any,
) -> None:
    """Let several learners run over one stream, side by side.

    Each row is predicted by every learner before its label is told. The table says who was wrong
    how often, in all rows and in the last quarter of them, and how often a theorem allows it.

    \b
    Examples:
      thresher race mail.svm
      thresher race mail.svm --learner winnow --learner winnow:beta=1/2
      thresher race mail.vw --bits 20 --claim disjunction:k=4 --json
      thresher race mail.svm -o curves.csv
      thresher race news.tsv --format text

    What a committee is allowed follows from the losses of its best expert, whatever the stream.
    With several classes a two-class learner runs once for each class against the rest; no bounds
    are searched for then.

    A learner that cannot take a row (Winnow needs features from 0 to 1) is out of the race from
    that row on; the others go on. Names that share a column count as the strongest of them.
    """
    from thresher.cli.labelled import labelled_stream
    from thresher.reports.race import Race

    if multiclass and data.positive is not None:
        raise click.UsageError("--positive makes two classes, --multiclass keeps them all.")
    several = multiclass or (None if data.positive is None else False)
    race: Race | None = None
    places: dict[str, str] = {}
    reading = {"quiet": output["quiet"], "weights": ignore_importance, "several": several}
    with labelled_stream(data, **reading) as stream:
        for piece in stream:
            if race is None:
                chosen = who_runs(learners, data.n_features, piece)
                race = Race(chosen, _claim(claim, data, piece), hindsight=bounds)
            run(race, piece, places)
    if race is None:
        raise click.UsageError("there is no row to race on.")
    race.look_back()
    show(race, places, **output)


def who_runs(learners: tuple[str, ...], n_features: int | None, piece: Piece) -> dict[str, Any]:
    """The contestants for a stream whose first rows these are."""
    several = piece.several
    default = DEFAULT_OF_SEVERAL if several else DEFAULT_LEARNERS
    return contestants(learners or default, n_features, several=several)


def contestants(
    learners: tuple[str, ...], n_features: int | None, *, several: bool = False
) -> dict[str, Any]:
    """The learners, fresh, by the way they were written; the same one twice is an error."""
    from thresher.learners.multiclass.arrangement import arranged
    from thresher.reports.race import CommonestLabel

    made: dict[str, Any] = {}
    for text in learners:
        if text in made:
            raise click.UsageError(f"--learner {text} is given twice.")
        learner = LearnerChoice.parse(text).create(n_features=n_features, journal=False)
        made[text] = arranged(learner, several=several)
    return made | {BASELINE: CommonestLabel()}


def _claim(text: str | None, data: InputData, piece: Piece) -> Any:
    from thresher.models.claims import parse_claim

    if text is not None and piece.several:
        raise click.UsageError(f"--claim {text} speaks of two classes: --positive makes two.")
    return None if text is None else parse_claim(text, data.n_features or 2**DEFAULT_BITS)


def run(race: Race, piece: Piece, places: dict[str, str]) -> None:
    """Everybody over some rows; note where in which file whoever is out had to leave."""
    first = race.rounds
    if piece.several:
        make_room(race, piece, places)
    race.learn(piece.batch)
    for runner in race.runners:
        if runner.out_in is not None and runner.title not in places:
            places[runner.title] = piece.place(runner.out_in - first - 1)


def make_room(race: Race, piece: Piece, places: dict[str, str]) -> None:
    """Whoever would take too much memory for so many classes leaves the race."""
    from thresher.models.several_classes import MUCH_MEMORY

    n_classes = len(piece.stream.label_names)
    for runner in race.runners:
        needed = n_classes * runner.learner.bytes_of_a_class
        if runner.out is None and needed > MUCH_MEMORY:
            runner.out = f"{n_classes:,} classes would take {needed / 1e9:.1f} GB; --bits helps."
            runner.out_in = race.rounds + 1
            places[runner.title] = piece.place(0)


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
    from thresher.cli.terminal.speech import width
    from thresher.cli.terminal.table import Column, Table
    from thresher.reports.plot import MARKS

    columns = [
        Column("", left=True),
        Column("learner", left=True),
        Column("mistakes"),
        Column("error"),
        Column("last quarter", rank=1),
        Column("allowed", rank=2),
        Column("theorem", left=True, rank=4),
        Column("rows/s", rank=3),
    ]
    rows = [(MARKS[i % len(MARKS)], *_cells(runner)) for i, runner in enumerate(runners)]
    # Beside the title there must be room for mistakes and error.
    most = max(10, width() - 24)
    rows = [(mark, _short(title, most), *rest) for mark, title, *rest in rows]
    # Columns in which nobody has anything take no room.
    used = [c for c in range(len(columns)) if c == 0 or any(row[c] for row in rows)]
    table = Table([columns[c] for c in used])
    return table.text([[row[c] for c in used] for row in rows], width())


def _short(title: str, most: int) -> str:
    return title if len(title) <= most else title[: most - 3] + "..."


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

    from thresher.cli.terminal.speech import painted, width
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

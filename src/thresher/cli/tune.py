"""`thresher tune`: a grid of settings in one pass over one stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from thresher.cli.curves import check_name, curves_option, write_curves
from thresher.cli.labelled import importance_option, reading_words
from thresher.cli.options import Command, json_option, quiet_option, reads_data
from thresher.models.input_data import InputData

if TYPE_CHECKING:
    from thresher.models.tuning import Setting, Tuning

#: Settings that people are shown; programs get all.
SHOWN = 12
#: So many standard errors behind the best, a setting is worse and not unlucky.
CLEARLY = 2


@click.command("tune", cls=Command)
@reads_data()
@click.option(
    "--learner",
    metavar="NAME[:P=V,...]",
    help="The learner to tune.  [default: perceptron, passive_aggressive, arow and adagrad]",
)
@click.option(
    "--grid",
    "written",
    multiple=True,
    metavar="P=V,V,...",
    help="Values of a parameter of --learner; repeat it for other parameters, and every "
    "combination is tried.  [default: the usual ones]",
)
@click.option(
    "--multiclass", is_flag=True, help="Expect several classes, whatever the first 1,000 rows show."
)
@curves_option
@importance_option
@json_option
@quiet_option
def command(
    data: InputData,
    learner: str | None,
    written: tuple[str, ...],
    output: str | None,
    as_json: bool,
    quiet: bool,
    **asked: bool,
) -> None:
    """Try many settings of learners in one pass, and say which did best.

    The data is read once. Every setting predicts each row before its label is revealed, and the
    best setting makes the fewest mistakes. A setting within two standard errors of it is marked: it
    may be as good.

    \b
    Examples:
      thresher tune mail.svm
      thresher tune mail.svm --learner arow
      thresher tune mail.vw --learner arow --grid r=0.01,0.1,1 --grid bias=yes,no
      thresher tune news.tsv --format text --learner adagrad --json
      thresher tune mail.svm -o tune.html

    The last line is the command that trains the best setting. Its error is a little too low,
    because it was used for the choice; `thresher train --holdout` or other data show how good it
    is. A committee
    needs no tuning: `thresher race` compares.
    """
    from thresher.cli.labelled import telling
    from thresher.models.tuning import Tuning

    check_name(output)
    multiclass, ignore_importance = asked["multiclass"], asked["ignore_importance"]
    if multiclass and data.positive is not None:
        raise click.UsageError("--positive makes two classes, --multiclass keeps them all.")
    if written and learner is None:
        raise click.UsageError(
            "--grid is about the parameters of one learner: name it by --learner."
        )
    tuning = Tuning(
        data,
        learner,
        parsed_grid(written) or None,
        several=multiclass or None,
        ignore_importance=ignore_importance,
    )
    with telling(quiet=quiet) as tell:
        for event in tuning:
            tell(event)
    train = train_command(tuning, multiclass=multiclass, ignore_importance=ignore_importance)
    in_json = as_one_object(tuning, train)
    if output is not None:
        write_curves(output, tuning.runners(), data.shown_paths, in_json)
        if output == "-":
            return
    click.echo(in_json if as_json else as_text(tuning, train))


def parsed_grid(written: tuple[str, ...]) -> dict[str, list[str]]:
    """Values by parameter, from texts such as `r=0.1,1,10`.

    >>> parsed_grid(("r=0.1,1", "bias=yes"))
    {'r': ['0.1', '1'], 'bias': ['yes']}
    """
    grid: dict[str, list[str]] = {}
    for text in written:
        name, equals, values = text.partition("=")
        listed = [value.strip() for value in values.split(",") if value.strip()]
        if not equals or not name.strip() or not listed or name.strip() in grid:
            raise click.UsageError(
                f"--grid {text}: one parameter and its values, as in r=0.1,1,10."
            )
        grid[name.strip()] = listed
    return grid


def train_command(tuning: Tuning, *, multiclass: bool, ignore_importance: bool) -> str:
    """The command that trains the best setting as it ran; an error, if nobody could learn."""
    import shlex

    from thresher.models.grid import described

    words = [*tuning.data.shown_paths, *reading_words(tuning.data)]
    words += ["--multiclass"] * multiclass + ["--ignore-importance"] * ignore_importance
    return shlex.join(
        ["thresher", "train", *words, "--learner", described(tuning.best), "-o", "MODEL"]
    )


def as_one_object(tuning: Tuning, train: str) -> str:
    """The result for programs."""
    from thresher.cli.json_result import json_result

    found = [_in_json(tuning, setting) for setting in tuning.standings()]
    result = {"rows": tuning.rows, "settings": found, "train": train}
    return json_result("tune", result)


def _in_json(tuning: Tuning, setting: Setting) -> dict[str, Any]:
    found = {"learner": setting.title, "also": setting.also, "out": setting.out}
    if setting.out is not None:
        return found
    error, deviation = tuning.error(setting)
    behind, of_difference = tuning.behind(setting)
    return found | {
        "mistakes": setting.mistakes,
        "error": error,
        "standard_error": deviation,
        "behind": behind,
        "standard_error_behind": of_difference,
    }


def as_text(tuning: Tuning, train: str) -> str:
    """The result for people."""
    from thresher.cli.terminal.speech import short, width
    from thresher.cli.terminal.table import Column, Table

    standings = tuning.standings()
    table = Table(
        [
            Column("setting", left=True),
            Column("mistakes"),
            Column("error"),
            Column("±", rank=2),
            Column("behind", rank=1),
            Column("", left=True, rank=3),
        ]
    )
    most = max(10, width() - 24)
    rows = [(short(s.title, most), *_cells(tuning, s)) for s in standings[:SHOWN]]
    lines = [table.text([[*row] for row in rows], width())]
    if len(standings) > SHOWN:
        lines.append(f"and {len(standings) - SHOWN} more; --json has all")
    return "\n".join([*lines, "", train])


def _cells(tuning: Tuning, setting: Setting) -> tuple[str, str, str, str, str]:
    if setting.out is not None:
        return "out", "", "", "", setting.out
    error, deviation = tuning.error(setting)
    behind, of_difference = tuning.behind(setting)
    first = setting is tuning.standings()[0]
    close = not first and behind <= CLEARLY * of_difference
    return (
        f"{setting.mistakes:,}",
        f"{error:.2%}",
        f"{deviation:.2%}",
        "" if first else f"{behind:.2%} ± {of_difference:.2%}",
        "may be as good" if close else "",
    )

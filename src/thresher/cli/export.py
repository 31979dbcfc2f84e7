"""`thresher export`: a model in a form that others read."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.options import Command, quiet_option, reads_data
from thresher.cli.terminal.speech import say, warn
from thresher.models.input_data import InputData

if TYPE_CHECKING:
    from thresher.export import Export, Rule
    from thresher.models.model import Model

#: As `thresher.export` has them; a test compares, so that help need not import it.
FORMS = ("text", "json", "c", "js", "onnx", "sql", "rule")
#: What the name of a file ends with.
ENDINGS = {
    ".txt": "text",
    ".tsv": "text",
    ".json": "json",
    ".h": "c",
    ".c": "c",
    ".js": "js",
    ".mjs": "js",
    ".onnx": "onnx",
    ".sql": "sql",
}


@click.command("export", cls=Command)
@click.argument("model", metavar="MODEL")
@reads_data(labels=False, names=False, required=False)
@click.option(
    "--to",
    "form",
    type=click.Choice(FORMS),
    help="The form.  [default: by the extension of the file; otherwise text]",
)
@click.option("-o", "--output", metavar="FILE", default="-", help="Output file.")
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar="N",
    help="Only the N features with the largest weights.",
)
@click.option(
    "--reach",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="SHARE",
    help="Rules: the share of the threshold that a feature must reach alone (1 by "
    "default); SQL: write such a rule instead of the score.",
)
@click.option("--class", "class_", metavar="NAME", help="Several classes: only this one.")
@click.option("--prefix", metavar="NAME", help="C: the prefix of all names.  [default: from MODEL]")
@click.option(
    "--table",
    metavar="NAME",
    default="data",
    show_default=True,
    help="SQL: the table with the rows.",
)
@quiet_option
def command(
    model: str,
    data: InputData,
    form: str | None,
    output: str,
    top: int | None,
    quiet: bool,
    **said: Any,
) -> None:
    """Write a model as text, JSON, C, JavaScript, ONNX, SQL or a rule.

    text: the name and weights of each feature, the largest first. json: everything needed to
    compute the scores elsewhere. c: a header with functions that score rows, names or texts. js:
    the same as a module for browsers. onnx: a graph over columns and values. sql: a query that
    scores the rows of a table. rule: the features that reach the threshold alone, in words.

    c, js and json can hold a Committee and all of several classes; onnx, sql and text can hold all
    classes of a linear learner. --class NAME exports the learner that separates one class from all
    others.

    With DATA, the command prints on standard error how often a rule or a shortened model agrees
    with the full model.

    \b
    Examples:
      thresher export mail.thr --top 50
      thresher export mail.thr -o mail.h
      thresher export mail.thr -o mail.mjs
      thresher export mushrooms.thr -o mushrooms.sql --table mushrooms
      thresher export mushrooms.thr --to rule --reach 0.5 mushrooms.csv
      thresher export news.thr --class sci.space --to text
    """
    from thresher.export import exported

    form = form or _form_for(output)
    loaded = _loaded(model, said["class_"], form, said["reach"])
    made = exported(
        loaded,
        form,
        top=top,
        reach=said["reach"],
        prefix=said["prefix"] or PurePath(model).stem,
        table=said["table"],
    )
    if made.rule is not None:
        _say_about(made.rule)
    if loaded.learner.calibration is not None and not quiet:
        say("scores and labels are exported; the map from scores to probabilities is not")
    # Agreement first: a mistake in DATA shows before anything is written.
    if data.paths:
        compared = _agreement(loaded, data, made)
        if not quiet:
            say(compared)
    elif made.rule is not None and not quiet:
        say("give DATA to see how often the rule agrees with the model")
    _write(made.content, output, binary=form == "onnx")


def _form_for(output: str) -> str:
    """The form that the name of a file asks for."""
    ending = PurePath(output).suffix.lower()
    if output == "-" or output.startswith("/dev/"):
        return "text"
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise click.UsageError(
            f"{output}: the ending {ending or '(there is none)'} says nothing about the form. "
            f"Say it with --to, or end the name with one of {known}."
        )
    return ENDINGS[ending]


def _loaded(path: str, class_: str | None, form: str, reach: float | None) -> Model:
    """The model, or what it knows of one class."""
    from thresher.models.file import load_model
    from thresher.models.multiclass import require_two_classes
    from thresher.models.one_class import model_of_class

    model = load_model(path, journal=True)
    if class_ is None:
        if form == "rule" or reach is not None:
            hint = "Say which class shall be told from the rest: --class NAME."
            require_two_classes(model, path, "a rule has", hint)
        return model
    if not model.learner.several:
        raise click.UsageError("--class: this model has two classes and one list of weights.")
    return model_of_class(model, class_)


def _say_about(rule: Rule) -> None:
    if not rule.literals and rule.word == "or" and rule.highest < 1.0:
        warn(
            f"no feature reaches the threshold alone; the heaviest has {rule.highest:.0%} of it. "
            f"Try --reach {max(0.01, int(100 * rule.highest) / 100):g}."
        )
    elif rule.exact:
        say("the rule says the same as the model on every row of 0s and 1s")


def _agreement(model: Model, data: InputData, made: Export) -> str:
    """How often the export agrees with the model, in words."""
    from thresher.export import agreement
    from thresher.models.opening import open_for_model

    stream = open_for_model(model, data, labels=False)
    compared = agreement(model, made.predicts, (chunk.rows for chunk in stream.chunks()))
    for remark in stream.bad.remarks():
        warn(remark)
    return str(compared)


def _write(content: bytes, output: str, *, binary: bool) -> None:
    import sys

    if output != "-":
        from thresher.storage.atomic_write import atomic_write

        atomic_write(output, [content])
        return
    if binary and sys.stdout.isatty():
        raise click.UsageError("ONNX is not for terminals; give a file with -o.")
    click.echo(content, nl=False)

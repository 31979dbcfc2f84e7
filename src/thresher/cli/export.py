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
FORMS = ("text", "json", "c", "onnx", "rule", "sql")


@click.command("export", cls=Command)
@click.argument("model", metavar="MODEL")
@reads_data(labels=False, names=False, required=False)
@click.option("--to", "form", type=click.Choice(FORMS), default="text", show_default=True)
@click.option("-o", "--output", metavar="FILE", default="-", help="Where to write.")
@click.option("--top", type=click.IntRange(1), metavar="N", help="Only the N heaviest features.")
@click.option(
    "--reach",
    type=click.FloatRange(0, 1, min_open=True),
    default=1.0,
    show_default=True,
    help="Rules: the share of the threshold that a feature must reach alone.",
)
@click.option("--class", "class_", metavar="NAME", help="Of several classes, this one.")
@click.option(
    "--prefix", metavar="NAME", help="C: what all names begin with.  [default: from MODEL]"
)
@quiet_option
def command(
    model: str,
    data: InputData,
    form: str,
    output: str,
    top: int | None,
    quiet: bool,
    **said: Any,
) -> None:
    """Write a model as text, JSON, C, ONNX, SQL or a rule.

    text: name and weight of each feature, the heaviest first. json: all it takes to compute the
    scores elsewhere. c: a header with a scoring function. onnx: a graph over columns and values.
    rule: the features that reach the threshold alone, in words; sql: the same as an expression.

    With DATA, rules and shortened models say on standard error how often they agree with the
    model on its rows.

    \b
    Examples:
      thresher export mail.thr --top 50
      thresher export mail.thr --to c -o mail.h
      thresher export mushrooms.thr --to sql mushrooms.csv
      thresher export news.thr --class sci.space --to json

    Of a model with a learner for each class, --class NAME exports the one that tells this class
    from all others. The class with the highest score above its threshold is the prediction.
    """
    from thresher.export import exported

    loaded = _loaded(model, said["class_"])
    prefix = said["prefix"] or PurePath(model).stem
    made = exported(loaded, form, top=top, reach=said["reach"], prefix=prefix)
    if made.rule is not None:
        _say_about(made.rule)
    # Agreement first: a mistake in DATA shows before anything is written.
    if data.paths:
        compared = _agreement(loaded, data, made)
        if not quiet:
            say(compared)
    elif made.rule is not None and not quiet:
        say("give DATA to see how often the rule agrees with the model")
    _write(made.content, output, binary=form == "onnx")


def _loaded(path: str, class_: str | None) -> Model:
    """The model, or what it knows of one class."""
    from thresher.models.file import load_model
    from thresher.models.multiclass import require_two_classes
    from thresher.models.one_class import model_of_class

    model = load_model(path, journal=True)
    if class_ is None:
        hint = "Say which class shall be told from the rest: --class NAME."
        require_two_classes(model, path, "an export has", hint)
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
    compared = agreement(model, made.holds, (chunk.rows for chunk in stream.chunks()))
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

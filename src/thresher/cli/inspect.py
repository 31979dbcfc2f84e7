"""`thresher inspect`: what a model is, what it has learned, and why it predicts what it does."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.json_result import json_result, strict_json
from thresher.cli.options import Command, json_option, quiet_option, reads_data
from thresher.cli.terminal.speech import say, warn
from thresher.models.input_data import InputData

if TYPE_CHECKING:
    from collections.abc import Iterator

    from thresher.learners.base.explanation import Explanation
    from thresher.models.model import Model


@click.command("inspect", cls=Command)
@click.argument("model", metavar="MODEL")
@reads_data(labels=False, names=False, required=False)
@click.option("--top", type=click.IntRange(0), default=20, show_default=True, metavar="N",
              help="Number of features to show.")  # fmt: skip
@click.option("--explain", is_flag=True, help="Explain the scores of the rows of DATA.")
@click.option("--example", metavar="LINE",
              help="A line to explain: as in a file, as JSON, or after a header.")  # fmt: skip
@click.option("--rows", type=click.IntRange(1), default=10, show_default=True, metavar="N",
              help="Explain at most N rows.")  # fmt: skip
@click.option("--class", "class_", metavar="NAME", help="Several classes: only this one.")
@click.option(
    "--blame", "feature", metavar="FEATURE", help="Show the updates that made this weight."
)
@click.option("--collisions", is_flag=True, help="Show which features share a column.")
@json_option
@quiet_option
def command(
    model: str,
    data: InputData,
    top: int,
    explain: bool,
    example: str | None,
    rows: int,
    **asked: Any,
) -> None:
    """Show what a model has learned, and why it predicts what it does.

    With DATA it measures how much each feature matters: the importance of a feature is the standard
    deviation, over all rows, of what it adds. With --explain it splits the score of each row into
    parts that add up to it. A committee adds up log-odds: (clipping), (mixing) and (rounding) are
    the parts that are not sums over features, and its experts' votes and weights are listed below.

    --example takes a line as it would appear in a file, a JSON object, or, for a model of a table,
    a header and a row of CSV on two lines.

    With several classes it shows the features that favour each class most, and explains the score
    of the predicted class against the runner-up; --class NAME shows one class in full. For a class
    with its own learner, --blame and --collisions work as well.

    \b
    Examples:
      thresher inspect mail.thr
      thresher inspect mail.thr new.svm
      thresher inspect mail.thr --explain new.svm
      thresher inspect mail.thr --example 'free cash now'
      thresher inspect risk.thr --example '{"age": 41, "job": "clerk"}'
      thresher inspect mail.thr --blame free
      thresher inspect mail.thr --collisions --json
      thresher inspect news.thr --class sci.space --explain new.tsv
    """
    from thresher.cli.explanation_report import explanation_json, explanation_text
    from thresher.models.file import load_model

    explain = explain or example is not None
    others = (asked["feature"] is not None) + asked["collisions"]
    if data.paths and not explain and others:
        raise click.UsageError("--blame and --collisions take no DATA.")
    if explain and bool(data.paths) == (example is not None):
        raise click.UsageError("--explain takes the rows of DATA, or one --example.")
    if explain + others > 1:
        raise click.UsageError("--explain, --blame and --collisions are for one at a time.")
    loaded = load_model(str(model))
    as_json = asked["as_json"]
    _check_class(loaded, asked)
    if explain:
        for place, why in _explained(loaded, data, example, rows, asked):
            click.echo(strict_json(explanation_json(place, why)) if as_json else
                       explanation_text(place, why, top))  # fmt: skip
        return
    content, text = _measured(loaded, data, top, asked) if data.paths else (
        _answer(loaded, model, top, asked))  # fmt: skip
    click.echo(json_result("inspect", content) + "\n" if as_json else text, nl=False)


def _check_class(model: Model, asked: dict[str, Any]) -> None:
    """Complain about a class where there is none, and about none where one is needed."""
    if not model.learner.several:
        if asked["class_"] is not None:
            raise click.UsageError("--class: this model has two classes and one list of weights.")
    elif asked["class_"] is None and (asked["feature"] is not None or asked["collisions"]):
        raise click.UsageError("this model has several classes; say of which: --class NAME.")


def _answer(model: Model, path: str, top: int, asked: dict[str, Any]) -> tuple[Any, str]:
    """What was asked for, as JSON-ready values and as text."""
    from thresher.cli import explanation_report as report
    from thresher.cli.model_report import summary_text

    label = asked["class_"]
    if asked["feature"] is not None:
        from thresher.models.blame import blame

        history = blame(model, asked["feature"], label)
        return asdict(history), report.blame_text(history)
    if asked["collisions"]:
        from thresher.models.shared_columns import collisions_of

        shared = collisions_of(model, top, label)
        content = asdict(shared) | {"expected_sharing": shared.expected_sharing}
        return content, report.collisions_text(shared)
    from thresher.models.summary import summary

    facts = summary(model, top, label)
    return facts, summary_text(facts, path)


def _measured(model: Model, data: InputData, top: int, asked: dict[str, Any]) -> tuple[Any, str]:
    """How much each feature matters in the rows of DATA, as JSON-ready values and as text."""
    from thresher.cli.explanation_report import importances_text
    from thresher.cli.terminal.speech import printable

    label = asked["class_"]
    found = model.importances(data, label=label)
    of = f" of {printable(label or model.label_names[1])}"
    if model.learner.several and label is None:
        of = " of each class"
    features = [one._asdict() for one in found.features[:top]]
    return found._asdict() | {"features": features}, importances_text(found, top, of)


def _explained(
    model: Model, data: InputData, example: str | None, rows: int, asked: dict[str, Any]
) -> Iterator[tuple[str, Explanation]]:
    """Where each row stands, and why it has its score; what is said of all is said on the way."""
    from thresher.models.events import Explained, MoreRows
    from thresher.models.example import EXAMPLE, explain_line
    from thresher.models.explained_rows import explanations

    label = asked["class_"]
    if example is not None:
        yield EXAMPLE, explain_line(model, example, data, label)
        return
    for event in explanations(model, data, rows, label):
        if isinstance(event, Explained):
            yield event.place, event.why
        elif not isinstance(event, MoreRows):
            warn(event.text)
        elif not asked["quiet"]:
            say(f"only the first {event.rows} rows; --rows N for more")

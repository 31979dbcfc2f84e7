"""`thresher inspect`: what a model is, what it has learned, and why it predicts what it does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.options import Command, DataOptions, json_option, reads_data

if TYPE_CHECKING:
    from thresher.storage import Model


@click.command("inspect", cls=Command)
@click.argument("model", metavar="MODEL")
@reads_data(labels=False, names=False, required=False)
@click.option("--top", type=click.IntRange(0), default=20, show_default=True, metavar="N",
              help="How many features to show.")  # fmt: skip
@click.option("--explain", is_flag=True, help="Why the rows of DATA have the scores they have.")
@click.option("--example", metavar="LINE", help="A line to explain, as it would stand in a file.")
@click.option("--rows", type=click.IntRange(1), default=10, show_default=True, metavar="N",
              help="Explain at most N rows.")  # fmt: skip
@click.option("--blame", "feature", metavar="FEATURE", help="The updates that made this weight.")
@click.option("--collisions", is_flag=True, help="Which features share a column.")
@json_option
def command(
    model: str,
    data: DataOptions,
    top: int,
    explain: bool,
    example: str | None,
    rows: int,
    **asked: Any,
) -> None:
    """Show what a model has learned, and why it predicts what it does.

    \b
    Examples:
      thresher inspect mail.thr
      thresher inspect mail.thr --explain new.svm
      thresher inspect mail.thr --example 'free cash now'
      thresher inspect mail.thr --blame free
      thresher inspect mail.thr --collisions --json
    """
    from thresher.cli.two_class import load_two_class

    explain = explain or example is not None
    if data.paths and not explain:
        raise click.UsageError("DATA goes with --explain.")
    if explain and bool(data.paths) == (example is not None):
        raise click.UsageError("--explain takes the rows of DATA, or one --example.")
    if explain + (asked["feature"] is not None) + asked["collisions"] > 1:
        raise click.UsageError("--explain, --blame and --collisions are for one at a time.")
    loaded = load_two_class(str(model))
    as_json = asked["as_json"]
    if explain:
        _explain(loaded, data, example, rows, top, as_json)
        return
    content, text = _answer(loaded, model, top, asked)
    click.echo(json.dumps(content, ensure_ascii=False) + "\n" if as_json else text, nl=False)


def _answer(model: Model, path: str, top: int, asked: dict[str, Any]) -> tuple[Any, str]:
    """What was asked for, as JSON-ready values and as text."""
    from dataclasses import asdict

    from thresher.cli import model_report as report

    if asked["feature"] is not None:
        from thresher.export.blame import blame

        found = blame(model, asked["feature"])
        return asdict(found), report.blame_text(found)
    if asked["collisions"]:
        from thresher.export.summary import collisions_of

        shared = collisions_of(model, top)
        return asdict(shared) | {"expected_sharing": shared.expected_sharing}, (
            report.collisions_text(shared)
        )
    from thresher.export.summary import summary

    facts = summary(model, top)
    return facts, report.summary_text(facts, path)


def _explain(
    model: Model, data: DataOptions, example: str | None, rows: int, top: int, as_json: bool
) -> None:
    from dataclasses import asdict

    from thresher.cli.explaining import explanations
    from thresher.cli.model_report import explanation_text

    for place, why in explanations(model, data, example, rows):
        if as_json:
            click.echo(json.dumps({"place": place} | asdict(why), ensure_ascii=False))
        else:
            click.echo(explanation_text(place, why, top))

"""`thresher test`: a model's predictions held against the labels of a stream."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.options import Command, DataOptions, json_option, reads_data
from thresher.cli.table import Column, Table
from thresher.cli.terminal import warn, width

if TYPE_CHECKING:
    from thresher.cli.scorecard import Scorecard


@click.command("test", cls=Command)
@click.argument("model", metavar="MODEL")
@reads_data(names=False)
@json_option
def command(model: str, data: DataOptions, as_json: bool) -> None:
    """Compare a model's predictions with the labels of a stream.

    Prints the error, the confusion of labels, precision, recall and F1 of each label, and the area
    under the ROC curve. Nothing is learned. The area is exact for up to four million distinct
    scores; beyond that it is given as two numbers between which it lies.

    \b
    Examples:
      thresher test mail.thr new.svm
      thresher test mail.thr 'day-*.svm.gz' --json
      thresher train a.svm -o m.thr && thresher test m.thr b.svm
    """
    from thresher.cli.prediction import opened, reading, scores_of
    from thresher.cli.scorecard import Scorecard
    from thresher.errors import SourceError

    loaded, stream = opened(model, data, labels=True)
    card = Scorecard()
    with reading(data, stream) as chunks:
        for chunk in chunks:
            card.add(scores_of(loaded, chunk), stream.signs(chunk), loaded.learner.threshold)
    if stream.bad.count:
        warn(stream.bad.report())
    if not card.rows:
        raise SourceError(", ".join(data.paths), "there is not a single row to test on")
    names = loaded.label_names
    click.echo(json.dumps(report(card, names), indent=2) if as_json else text(card, names))


def report(card: Scorecard, names: tuple[str, str]) -> dict[str, Any]:
    """The figures as JSON-ready values; what cannot be said is null."""
    area = card.ranking.area()
    return {
        "rows": card.rows,
        "mistakes": card.mistakes,
        "error": card.error,
        "area_under_roc": None if area is None else sum(area) / 2,
        "area_under_roc_between": area,
        "confusion": [
            {"label": names[i], "predicted": names[j], "rows": card.confusion[i][j]}
            for i in (0, 1)
            for j in (0, 1)
        ],
        "labels": [
            {
                "label": figures.label,
                "precision": figures.precision,
                "recall": figures.recall,
                "f1": figures.f1,
                "rows": figures.rows,
            }
            for figures in card.figures(names)
        ],
    }


def text(card: Scorecard, names: tuple[str, str]) -> str:
    """The figures for people."""
    area = card.ranking.area()
    if area is None:
        ranked = "not defined: all rows have the same label"
    elif area[0] == area[1]:
        ranked = f"{area[0]:.6f}"
    else:
        ranked = f"between {area[0]:.6f} and {area[1]:.6f}"
    room = width()
    confusion = Table(
        [Column("label", left=True), *(Column(f"predicted {name}") for name in names)]
    ).text([(names[i], *(f"{card.confusion[i][j]:,}" for j in (0, 1))) for i in (0, 1)], room)
    labels = Table(
        [Column("label", left=True), *map(Column, ("precision", "recall", "F1", "rows"))]
    ).text(
        [
            (f.label, *(_percent(share) for share in (f.precision, f.recall, f.f1)), f"{f.rows:,}")
            for f in card.figures(names)
        ],
        room,
    )
    head = [
        f"rows      {card.rows:,}",
        f"mistakes  {card.mistakes:,}, {_percent(card.error)}",
        f"area under ROC  {ranked}",
    ]
    return "\n".join([*head, "", confusion, "", labels])


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.2%}"

"""`thresher test`: a model's predictions held against the labels of a stream."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.options import Command, json_option, quiet_option, reads_data
from thresher.cli.terminal.speech import printable, warn, width
from thresher.cli.terminal.table import Column, Table
from thresher.models.input_data import InputData

if TYPE_CHECKING:
    from collections.abc import Iterator

    from thresher.cli.scorecard import Scorecard
    from thresher.models.model import Model
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream


@click.command("test", cls=Command)
@click.argument("model", metavar="MODEL")
@reads_data(names=False)
@json_option
@quiet_option
def command(model: str, data: InputData, as_json: bool, quiet: bool) -> None:
    """Compare a model's predictions with the labels of a stream.

    Prints the error, the confusion of labels, precision, recall and F1 of each label, and the area
    under the ROC curve. Nothing is learned. The area is exact for up to four million distinct
    scores; beyond that it is given as two numbers between which it lies.

    With several classes the area is that of each class against the rest, for models with a learner
    for each class; (mean) is the mean over all labels that occur or were predicted. Labels that the
    model does not know are mistakes. Where the table of confusions has no room the largest are
    listed; --json has all.

    \b
    Examples:
      thresher test mail.thr new.svm
      thresher test mail.thr 'day-*.svm.gz' --json
      thresher train a.svm -o m.thr && thresher test m.thr b.svm
    """
    from thresher.cli import class_report
    from thresher.cli.prediction import opened
    from thresher.errors import SourceError

    loaded, stream = opened(model, data, labels=True)
    several = loaded.learner.several
    card = (_class_card if several else _card)(loaded, data, stream, quiet=quiet)
    if stream.bad.count:
        warn(stream.bad.report())
    if not card.rows:
        raise SourceError(", ".join(data.paths), "there is not a single row to test on")
    if several:
        click.echo(_json(class_report.report(card)) if as_json else class_report.text(card))
        return
    names = loaded.label_names
    click.echo(_json(report(card, names)) if as_json else text(card, names))


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2)


def _card(model: Model, data: InputData, stream: Stream, *, quiet: bool) -> Any:
    """The scorecard of two classes."""
    from thresher.cli.prediction import scores_of
    from thresher.cli.scorecard import Scorecard

    card = Scorecard()
    for chunk in _chunks(model, data, stream, quiet=quiet):
        card.add(scores_of(model, chunk), stream.batch(chunk).label, model.learner.threshold)
    return card


def _class_card(model: Model, data: InputData, stream: Stream, *, quiet: bool) -> Any:
    """The scorecard of several classes."""
    from thresher.cli.class_scorecard import ClassScorecard
    from thresher.cli.prediction import scores_of

    learner = model.learner
    card = ClassScorecard([*map(str, learner.classes)], ranked=(learner.each_class is not None))
    for chunk in _chunks(model, data, stream, quiet=quiet):
        if len(chunk.rows):
            card.add(scores_of(model, chunk), stream.batch(chunk).labels)
    return card


def _chunks(model: Model, data: InputData, stream: Stream, *, quiet: bool) -> Iterator[Chunk]:
    """The chunks of a stream; somebody at a terminal sees how many rows were read."""
    from thresher.cli.prediction import reading
    from thresher.cli.terminal.live_line import LiveLine

    rows = 0
    with LiveLine(quiet=quiet) as line, reading(data, stream, model.learner) as chunks:
        for chunk in chunks:
            yield chunk
            rows += len(chunk.rows)
            line.show(rows, chunk.position, stream.total_bytes)


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
    shown = [*map(printable, names)]
    confusion = Table(
        [Column("label", left=True), *(Column(f"predicted {name}") for name in shown)]
    ).text([(shown[i], *(f"{card.confusion[i][j]:,}" for j in (0, 1))) for i in (0, 1)], room)
    labels = Table(
        [Column("label", left=True), *map(Column, ("precision", "recall", "F1", "rows"))]
    ).text(
        [
            (
                printable(f.label),
                *(_percent(share) for share in (f.precision, f.recall, f.f1)),
                f"{f.rows:,}",
            )
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

"""`thresher test`: a model's predictions held against the labels of a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from thresher.cli.cluster_option import on_a_cluster
from thresher.cli.json_result import json_result
from thresher.cli.options import Command, json_option, quiet_option, reads_data, window_option
from thresher.cli.terminal.speech import warn
from thresher.models.input_data import InputData

if TYPE_CHECKING:
    from thresher.cli.cluster_option import ClusterPlace
    from thresher.cluster.scoring import ClusterEvaluation


@click.command("test", cls=Command)
@click.argument("model", metavar="MODEL")
@reads_data(names=False)
@window_option
@on_a_cluster("divide the files into N parts; the result does not depend on N")
@json_option
@quiet_option
def command(
    model: str,
    data: InputData,
    window: int | None,
    place: ClusterPlace | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Compare a model's predictions with the labels of a stream.

    Prints the error, the confusion matrix, precision, recall and F1 of each label, and the area
    under the ROC curve. Nothing is learned. The area is exact for up to four million distinct
    scores; beyond that it is given as two numbers between which it lies.

    With several classes the area is that of each class against the rest, for models with a learner
    for each class; (mean) is the mean over all labels that occur or were predicted. Labels that the
    model does not know are mistakes. If the confusion matrix is too wide, the largest entries are
    listed; --json has all.

    --window N shows the error of the last N rows, and of the best and the worst N consecutive rows:
    a model that used to be right and no longer is has a bad last window.

    \b
    Examples:
      thresher test mail.thr new.svm
      thresher test mail.thr 'day-*.svm.gz' --json
      thresher test mail.thr 'day-*.svm.gz' --window 10000
      thresher train a.svm -o m.thr && thresher test m.thr b.svm
      thresher test mail.thr 'day-*.svm.gz' --cluster local:2
    """
    from contextlib import ExitStack

    from thresher.cli.scorecard_text import text
    from thresher.cli.terminal.live_line import LiveLine
    from thresher.models.evaluation import Evaluation
    from thresher.models.events import Progressed
    from thresher.models.file import load_model

    loaded = load_model(model, journal=False, names=False)
    with ExitStack() as until_the_end:
        evaluation: Evaluation | ClusterEvaluation
        if place is None:
            evaluation = Evaluation(loaded, data, window)
        else:
            from thresher.cluster.scoring import ClusterEvaluation

            engine = until_the_end.enter_context(place.engine())
            evaluation = ClusterEvaluation(loaded, data, engine, window, **place.settings)
        line = until_the_end.enter_context(LiveLine(quiet=quiet))
        for event in evaluation:
            if isinstance(event, Progressed):
                line.show(event)
            else:
                line.clear()
                warn(event.text)
    card = evaluation.card
    click.echo(json_result("test", card.to_dict()) if as_json else text(card))

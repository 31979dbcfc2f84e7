"""`thresher predict`: the label, and the score if wanted, of each row of a stream."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.cluster_option import on_a_cluster
from thresher.cli.options import Command, quiet_option, reads_data
from thresher.cli.terminal.speech import warn
from thresher.cli.writing import writing
from thresher.models.input_data import InputData

if TYPE_CHECKING:
    from thresher.cli.cluster_option import ClusterPlace
    from thresher.cli.prediction_lines import LineFormat
    from thresher.learners.base.learner import Learner


@click.command("predict", cls=Command)
@click.argument("model", metavar="MODEL")
@reads_data(labels=False, names=False)
@click.option("-o", "--output", metavar="FILE", default="-", help="Output file.")
@click.option("--scores", is_flag=True, help="Also print the score, after a tab.")
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar="K",
    help="Several classes: print the K best labels, each with its score, best first.",
)
@click.option(
    "--probabilities",
    is_flag=True,
    help="Also print the probability of the label; needs a calibrated model or a committee.",
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object per line: label and score."
)
@on_a_cluster("divide the files into N parts; the predictions do not depend on N")
@quiet_option
def command(
    model: str,
    data: InputData,
    output: str,
    place: ClusterPlace | None,
    quiet: bool,
    **wanted: Any,
) -> None:
    """Predict the label of each row of a stream.

    Prints one line per row, in order, as the rows come in. Labels have the names they had in the
    training data. Labels in DATA are ignored and may be missing.

    With --on-bad skip or quarantine, a line that cannot be read gives a question mark (null in
    JSON), so that the k-th line of output belongs to the k-th row. Blank lines, comments and
    headers are not rows.

    With a learner for each class, the score of a class is that of its own learner minus its
    threshold. With one learner for all classes, only differences between the scores of a row have a
    meaning. With --top and --probabilities, labels are ordered by their scores. In JSON,
    --probabilities gives those of all classes.

    \b
    Examples:
      thresher predict mail.thr new.svm
      thresher predict mail.thr new.svm --scores | sort -t '\t' -k 2 -g
      zcat clicks.vw.gz | thresher predict clicks.thr - -o labels.txt
      thresher predict mail.thr new.jsonl --json --on-bad quarantine bad.jsonl
      thresher predict news.thr new.tsv --top 3
      thresher predict news.thr new.tsv --probabilities
      thresher predict mail.thr 'day-*.svm.gz' -o labels.txt --cluster local:2
    """
    from contextlib import ExitStack

    from thresher.cli.prediction_lines import LineFormat, encoded_lines
    from thresher.models.file import load_model
    from thresher.models.prediction import Predictions

    # Nothing is said but warnings, which are said in any case.
    del quiet
    format_ = LineFormat(**wanted)
    loaded = load_model(model, journal=False, names=False)
    _check(loaded.learner, format_)
    render, probabilities = partial(encoded_lines, format_=format_), format_.probabilities
    with ExitStack() as until_the_end:
        if place is None:
            predictions = Predictions(loaded, data, probabilities=probabilities)
            answers: Iterator[bytes] = map(render, predictions)
            bad = predictions.bad
        else:
            from thresher.cluster.scoring import ClusterPredictions

            engine = until_the_end.enter_context(place.engine())
            apart = ClusterPredictions(
                loaded, data, engine, render, probabilities=probabilities, **place.settings
            )
            answers, bad = iter(apart), apart.bad
        # The first answer comes before the file is opened: a bad start leaves a file as it was.
        first = next(filter(None, answers), b"")
        with writing(output) as file:
            for answer in chain((first,), answers):
                file.write(answer)
                # Whoever waits at the other end of a pipe sees each chunk when it is done.
                file.flush()
            for remark in bad.remarks():
                warn(remark)


def _check(learner: Learner, format_: LineFormat) -> None:
    """Refuse what the learner cannot answer."""
    if format_.top is not None and not learner.several:
        raise click.UsageError("--top: this model has two classes; --scores tells them apart.")
    if format_.probabilities and not learner.gives_probabilities:
        from thresher.models.choice import LEAN_LEARNER

        each = learner.each_class or learner
        name = LEAN_LEARNER if each.several else each.name
        raise click.UsageError(
            f"--probabilities: this model ({learner.plain_name}) knows scores alone. Train one "
            f"with --learner {name} --calibrate isotonic, or with --learner committee."
        )

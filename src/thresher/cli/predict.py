"""`thresher predict`: the label, and the score if wanted, of each row of a stream."""

from __future__ import annotations

import click

from thresher.cli.options import Command, DataOptions, reads_data
from thresher.cli.terminal import warn
from thresher.cli.writing import writing


@click.command("predict", cls=Command)
@click.argument("model", metavar="MODEL")
@reads_data(labels=False, names=False)
@click.option("-o", "--output", metavar="FILE", default="-", help="Where to write.")
@click.option("--scores", is_flag=True, help="The score as well, after a tab.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line: label and score.")
def command(model: str, data: DataOptions, output: str, scores: bool, as_json: bool) -> None:
    """Predict the label of each row of a stream.

    One line of output per row, in order, written as the rows come in. Labels are called as they
    were in the training data; labels in DATA are not looked at and may be missing.

    With --on-bad skip or quarantine a line that cannot be read is answered by a question mark
    (null in JSON), so that the k-th line of output belongs to the k-th row. Blank lines, comments
    and headers are no rows.

    \b
    Examples:
      thresher predict mail.thr new.svm
      thresher predict mail.thr new.svm --scores | sort -t '\t' -k 2 -g
      zcat clicks.vw.gz | thresher predict clicks.thr - -o labels.txt
      thresher predict mail.thr new.jsonl --json --on-bad quarantine bad.jsonl
    """
    from thresher.cli.prediction import lines_of, predictions

    with writing(output, data.paths) as file:
        for prediction in predictions(model, data, warn):
            file.write(lines_of(prediction, scores=scores, as_json=as_json).encode())
            # Whoever waits at the other end of a pipe sees each chunk when it is done.
            file.flush()

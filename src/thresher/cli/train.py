"""`thresher train`: learn from a stream, with a table of progressive validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from thresher.cli.cluster_option import on_a_cluster
from thresher.cli.learner_option import chooses_learner, class_weight_option
from thresher.cli.options import Command, json_option, quiet_option, reads_data, window_option
from thresher.models.choice import CLASSICAL_LEARNER, DEFAULT_LEARNER

if TYPE_CHECKING:
    from thresher.cli.cluster_option import ClusterPlace
    from thresher.models.choice import LearnerChoice
    from thresher.models.input_data import InputData
    from thresher.models.run_record import RunRecord
    from thresher.models.training import TrainingRun

CLAIM_DOES_NOT_HOLD = 1


@click.command("train", cls=Command)
@reads_data()
@click.option("-o", "--output", metavar="MODEL", required=True, help="The model file to write.")
@chooses_learner(f"{DEFAULT_LEARNER}; {CLASSICAL_LEARNER} with --claim")
@class_weight_option
@click.option(
    "--passes",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of passes over the data; at most 512 MiB of the rows of a text are kept "
    "in memory for this.",
)
@click.option(
    "--holdout",
    type=click.IntRange(2),
    metavar="EVERY",
    help="Hold out every EVERYth row from learning. From the second pass on, show the "
    "error on these rows, and keep the model after the best pass.",
)
@window_option
@click.option(
    "--multiclass",
    is_flag=True,
    help="Expect several classes, whatever the first 1,000 rows show.",
)
@click.option(
    "--calibrate",
    type=click.Choice(("isotonic", "platt")),
    help="Also learn probabilities, for predict --probabilities.",
)
@click.option(
    "--claim", metavar="CLAIM", help="What you believe about the stream, such as disjunction:k=4."
)
@click.option(
    "--save-every", type=click.IntRange(1), metavar="ROWS", help="Save the model every ROWS rows."
)
@click.option(
    "--resume",
    metavar="MODEL",
    help="Continue training a model; if it was interrupted, from where it stopped.",
)
@click.option(
    "--skip-rows",
    type=click.IntRange(0),
    metavar="N",
    help="Skip the first N rows.  [default: the rows that an interrupted model has seen]",
)
@click.option(
    "--journal/--no-journal",
    default=None,
    help="Whether to keep the journal of updates.  [default: yes for learners that change "
    "only on mistakes, no for others and for one learner per class]",
)
@click.option("--ignore-importance", is_flag=True, help="Give every row the weight 1.")
@click.option(
    "--report", metavar="FILE", help="Write an HTML report on the run, as thresher report does."
)
@on_a_cluster("N shards learn separately in each pass, and the model depends on N")
@click.option(
    "--mode",
    type=click.Choice(("mixing", "exact", "counterexamples")),
    help="On a cluster: shards learn separately and are mixed; or the bits of one "
    "machine, by playing ahead; or shards send rows that the learner gets "
    "wrong.  [default: mixing]",
)
@click.option("--exact", "mode", flag_value="exact", help="The same as --mode exact.")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    metavar="N",
    help="With --mode counterexamples: search at most N times.  [default: 10000]",
)
@json_option
@quiet_option
@click.pass_context
def command(
    context: click.Context,
    /,
    data: InputData,
    choice: LearnerChoice | None,
    output: str,
    report: str | None,
    as_json: bool,
    quiet: bool,
    **settings: Any,
) -> int:
    """Learn from a stream, row by row, and say how often the learner was wrong.

    Every row is predicted before its label is used, so the error in the table is honest. A line is
    printed whenever the number of rounds is a power of two.

    \b
    Examples:
      thresher train mail.svm -o mail.thr
      thresher train 'part-*.vw.gz' -o m.thr --learner winnow --beta 1/2 --bits 20
      thresher train texts.tsv -o m.thr --words 1-2 --positive spam \\
          --passes 5 --holdout 10
      thresher generate disjunctions --set r=4 | thresher train - -o m.thr \\
          --learner winnow --features 100 --claim disjunction:k=4
      thresher train more.svm -o mail.thr --resume mail.thr
      thresher train news.tsv --format text -o news.thr --class-weight sport:3
      thresher train mail.svm -o mail.thr --report mail.html
      thresher train 'part-*.svm.gz' -o m.thr --cluster local:2 --passes 3
      thresher train 'part-*.svm' -o m.thr --learner perceptron --cluster local:4 --exact
      thresher train 'part-*.svm' -o m.thr --learner winnow --cluster auto \\
          --mode counterexamples

    The default learner is a committee, which mixes learners of different kinds and needs no tuning.
    With --claim it is a perceptron, because a claim is about the mistakes that a theorem allows.
    `thresher race` and `thresher advise` compare learners on your data.

    With more than two labels, each label is a class with its own learner, or --learner names one
    for all classes, such as multiclass_passive_aggressive. By default each class has a committee if
    the classes of the first 1,000 rows fit into 2 GiB, and otherwise arow with scaling=online. A
    class may appear at any time. --positive LABEL makes two classes: that one, and all others.

    --cluster divides the files into shards, which learn separately on the workers of a Dask cluster
    and are combined after each pass. Every pass is saved, and --resume continues with the next. The
    same shards give the same model, however many workers there are or are lost. docs/cluster.md
    says which learners can be combined, and how.

    With --exact the model is, to the bit, that of one machine which reads all files in order.
    Workers play ahead with copies of the learner, and their work counts if nothing changed before
    it. That pays off if mistakes are rare. It needs a learner that changes only on mistakes or
    within a margin.

    --mode counterexamples needs such a learner, too. Every shard sends the first row that the
    learner gets wrong, until no shard finds one. The rows it learned from are written next to the
    model (m.examples.svm); thresher certify m.thr m.examples.svm 'part-*.svm' proves that they are
    within the bound for one learner, and that it gets all rows right.

    Ctrl-C saves what was learned and prints the command that continues from there. Exit status: 0;
    1 if the claim was refuted, or counter-examples are left (the model is still written); 2 if
    nothing was written; 130 if it was interrupted and saved.
    """
    import shlex
    import time

    from thresher.addresses import shown
    from thresher.cli.interruption import Interruption
    from thresher.cli.train_report import report_as_json, report_as_text
    from thresher.cli.train_voice import TrainVoice
    from thresher.models.training import TrainingRun
    from thresher.models.training_request import TrainingRequest

    began = time.perf_counter()
    if output == "-":
        raise click.UsageError("a model is written to a file, not to standard output: -o FILE.")
    words = context.meta["thresher.words"]
    typed = shlex.join(["thresher", "train", *map(shown, words)])
    settings["record"] = None if report is None else _record()
    place: ClusterPlace | None = settings.pop("place")
    mode, rounds = settings.pop("mode"), settings.pop("rounds")
    if mode is not None and place is None:
        raise click.UsageError("--mode and --exact go with --cluster.")
    if rounds is not None and mode != "counterexamples":
        raise click.UsageError("--rounds goes with --mode counterexamples.")
    if place is not None:
        from thresher.cli.cluster_training import train_on

        request = TrainingRequest(
            data=data, learner=choice, save_to=output, command=typed, **settings
        )
        how = {"mode": mode or "mixing", "rounds": rounds, "as_json": as_json, "quiet": quiet}
        return train_on(place, request, words, **how)
    run = TrainingRun(
        TrainingRequest(data=data, learner=choice, save_to=output, command=typed, **settings)
    )
    interruption = Interruption(run)
    with interruption.listening(), TrainVoice(run, words, quiet=quiet) as voice:
        for event in run:
            voice.tell(event)
    if run.learned:
        seconds = time.perf_counter() - began
        click.echo(report_as_json(run, seconds) if as_json else report_as_text(run))
        if report is not None:
            _write_report(run, report, output, quiet=quiet)
    if not run.finished:
        return interruption.exit_status
    return CLAIM_DOES_NOT_HOLD if run.refuted_at is not None else 0


def _record() -> RunRecord:
    from thresher.models.run_record import RunRecord

    return RunRecord()


def _write_report(run: TrainingRun, path: str, model_file: str, *, quiet: bool) -> None:
    """The page about the run, to its file."""
    from thresher.cli.report import evidence_commands, made
    from thresher.cli.terminal.speech import say
    from thresher.cli.writing import writing
    from thresher.models.account import Account

    commands = evidence_commands(model_file, run.model, run.request.data)
    page = made(run.model, Account.of_training(run), None, commands).html().encode()
    with writing(path) as file:
        file.write(page)
    if not quiet:
        say(f"report   {path} ({len(page):,} bytes)")

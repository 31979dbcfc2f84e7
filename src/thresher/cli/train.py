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
    help="Times to go through the data; of a text, 512 MiB of rows at most are kept for it.",
)
@click.option(
    "--holdout",
    type=click.IntRange(2),
    metavar="EVERY",
    help="Never learn from every EVERYth row; show the error on them from the second pass on, and "
    "keep the model after the best of several passes.",
)
@window_option
@click.option(
    "--multiclass",
    is_flag=True,
    help="Several classes, whatever the first 1,000 rows show.",
)
@click.option(
    "--calibrate",
    type=click.Choice(("isotonic", "platt")),
    help="Learn probabilities along, for predict --probabilities.",
)
@click.option("--claim", metavar="CLAIM", help="What is believed of the stream: disjunction:k=4.")
@click.option("--save-every", type=click.IntRange(1), metavar="ROWS", help="Save now and then.")
@click.option("--resume", metavar="MODEL", help="Go on with a model, where it stopped if it did.")
@click.option(
    "--skip-rows",
    type=click.IntRange(0),
    metavar="N",
    help="Pass over the first N rows.  [default: what an interrupted model has seen]",
)
@click.option(
    "--journal/--no-journal",
    default=None,
    help="Keep the journal of updates, or not.  [default: yes for learners that change on mistakes "
    "alone, no for others and for one learner per class]",
)
@click.option("--ignore-importance", is_flag=True, help="Give every row the weight 1.")
@click.option(
    "--report", metavar="FILE", help="Write a page about the run, as thresher report does."
)
@on_a_cluster("so many shards learn apart in each pass, and the model depends on how many")
@click.option(
    "--mode",
    type=click.Choice(("mixing", "exact", "counterexamples")),
    help="On a cluster: shards learn apart and are mixed; or the bits of one machine, by playing "
    "ahead; or shards send rows that the learner gets wrong.  [default: mixing]",
)
@click.option("--exact", "mode", flag_value="exact", help="The same as --mode exact.")
@click.option(
    "--rounds",
    type=click.IntRange(1),
    metavar="N",
    help="With --mode counterexamples: search for them N times at most.  [default: 10000]",
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

    Every row is predicted before its label is looked at, so the error in the table is an honest
    one. A line is printed whenever the number of rounds is a power of two.

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

    A committee mixes learners of different kinds and needs no tuning, which makes it the default.
    A claim speaks of the mistakes that a theorem allows: there it is a perceptron. `thresher race`
    and `thresher advise` compare learners on your data.

    More than two labels are as many classes: there is one learner for each, or --learner names one
    for all, such as multiclass_passive_aggressive. If nobody names one, each class has a committee
    while the classes of the first 1,000 rows fit into 2 GiB, and otherwise arow with
    scaling=online. A class may appear at any time. --positive LABEL makes two classes: that one,
    and all others.

    --cluster cuts the files into shards, which learn apart on the workers of a Dask cluster and are
    combined after each pass; every pass is saved, and --resume goes on with the next. The same
    shards give the same model, however many workers there are or are lost. docs/cluster.md says
    which learners can be combined, and how.

    With --exact the model is, to the bit, that of one machine which reads all files in order:
    workers play ahead with copies of the learner, and what they played counts if nothing changed
    before it. That pays where mistakes are rare, and is for learners that change only on mistakes
    or within a margin. So is --mode counterexamples: every shard sends the first row that the
    learner gets wrong, until no shard finds one. The rows it learned from are written next to the
    model (m.examples.svm); thresher certify m.thr m.examples.svm 'part-*.svm' proves that they are
    within the bound for one learner, and that it gets all rows right.

    Ctrl-C saves what was learned and prints the command that goes on from there. Exit status: 0;
    1 if the claim was refuted, or counter-examples are left (the model is written all the same);
    2 if nothing was written; 130 if it was interrupted and saved.
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

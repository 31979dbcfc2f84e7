"""`thresher try`: a file, and nothing else to say: a model, a report, and what to do next."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

import click

from thresher.cli.json_result import json_result
from thresher.cli.options import Command, json_option, quiet_option

if TYPE_CHECKING:
    from thresher.errors import ThresherError
    from thresher.models.training import TrainingRun

#: What follows the name of the data in the names of what is written.
MODEL, REPORT = ".thr", ".report.html"


@click.command("try", cls=Command)
@click.argument("paths", metavar="FILE", nargs=1, type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--into",
    metavar="FOLDER",
    help="The folder for the model and the report.  [default: the current folder]",
)
@json_option
@quiet_option
def command(paths: str, into: str | None, as_json: bool, quiet: bool) -> None:
    """Guess how to read a file, learn from it, and write a model and a report.

    Guesses the format, the labels and the label column, trains the default learner, and reports how
    it did. It prints what it guessed, and the commands to run next.

    \b
    Examples:
      thresher try mail.tsv
      thresher try table.csv --into build

    Only a model replaces a file that holds a model; a report never does.
    """
    from thresher.cli.report import evidence_commands, made
    from thresher.cli.writing import check_files, writing
    from thresher.errors import ThresherError
    from thresher.models.account import Account

    folder = into or "."
    if not os.path.isdir(folder):
        raise click.UsageError(f"--into {folder}: there is no such folder; make it first.")
    stem = os.path.normpath(os.path.join(folder, os.path.basename(paths).split(".")[0] or "data"))
    model_file, page_file = stem + MODEL, stem + REPORT
    check_files("train", {"output": model_file, "paths": [paths], "report": page_file})
    try:
        run, options = learned(paths, model_file, quiet=quiet)
    except ThresherError as error:
        raise _for_train(error, paths, model_file) from None
    train = str(run.request.command)
    commands = evidence_commands(model_file, run.model, run.request.data)
    report = made(run.model, Account.of_training(run), None, commands)
    with writing(page_file) as file:
        file.write(report.html().encode())
    follow = [
        shlex.join(["thresher", "predict", model_file, paths]),
        shlex.join(["thresher", "inspect", model_file, "--explain", paths, "--rows", "1"]),
        shlex.join(["thresher", "race", paths, *options]),
    ]
    if as_json:
        found = {"model": model_file, "report": page_file, "trained_by": train, "next": follow}
        click.echo(json_result("try", found | {"facts": report.facts}))
        return
    learner = run.learner
    lines = [
        f"learner  {learner.plain_name}",
        f"wrong    {learner.mistakes:,} of {learner.n_rounds:,} rows, each predicted before its "
        "label was revealed",
        f"model    {model_file}",
        f"report   {page_file}",
        "",
        "Next:",
        *(f"  {line}" for line in follow),
    ]
    click.echo("\n".join(lines))


def _for_train(error: ThresherError, path: str, model_file: str) -> ThresherError:
    """The error; options that it speaks of are those of another command."""
    from thresher.cli.remedies import phrased
    from thresher.errors import ThresherError

    told = phrased(error)
    if "--" not in told:
        return error
    train = shlex.join(["thresher", "train", path, "-o", model_file])
    return ThresherError(told, f"`try` takes no options; `{train}` does.", code="try")


def learned(path: str, model_file: str, *, quiet: bool) -> tuple[TrainingRun, list[str]]:
    """The run, and the options that had to be guessed: which column of a table is the label."""
    from thresher.cli.terminal.speech import say
    from thresher.errors import ThresherError

    try:
        return trained(path, model_file, [], quiet=quiet), []
    except ThresherError as error:
        likely = error.fields.get("likely")
        if not likely:
            raise
    column = str(likely[0])
    if not quiet:
        others = f"; it might also be {', '.join(map(str, likely[1:]))}" if likely[1:] else ""
        say(f"label    no column is called label; using {column}{others}")
    options = ["--label-field", column]
    return trained(path, model_file, options, quiet=quiet), options


def trained(path: str, model_file: str, options: list[str], *, quiet: bool) -> TrainingRun:
    """The default learner, after it has learned the file."""
    from thresher.addresses import shown
    from thresher.cli.remedies import phrased
    from thresher.cli.train_voice import TrainVoice
    from thresher.models.input_data import InputData
    from thresher.models.run_record import RunRecord
    from thresher.models.training import TrainingRun
    from thresher.models.training_request import TrainingRequest

    given = {"label_field": options[1]} if options else {}
    run = TrainingRun(
        TrainingRequest(
            data=InputData(paths=(path,), given=given, phrase=phrased),
            save_to=model_file,
            command=shlex.join(["thresher", "train", shown(path), *options, "-o", model_file]),
            record=RunRecord(),
        )
    )
    with TrainVoice(run, [], quiet=quiet) as voice:
        for event in run:
            voice.tell(event)
    return run

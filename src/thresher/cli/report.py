"""`thresher report`: what a model has learned and how it did, as one page that opens anywhere."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.json_result import json_result
from thresher.cli.labelled import importance_option, reading_words
from thresher.cli.options import Command, json_option, quiet_option, reads_data
from thresher.models.input_data import InputData

if TYPE_CHECKING:
    from thresher.models.account import Account
    from thresher.models.model import Model
    from thresher.reports.report import Report
    from thresher.verifier import Certificate

CLAIM_DOES_NOT_HOLD = 1


@click.command("report", cls=Command)
@click.argument("model", metavar="MODEL")
@reads_data(names=False, required=False)
@click.option("-o", "--output", metavar="FILE", help="The HTML file to write; - prints it.")
@click.option(
    "--certificate",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False),
    help="A certificate of the model's run, to check and show.",
)
@click.option(
    "--include-examples",
    is_flag=True,
    help="Show the lines of the rows that were predicted worst.",
)
@importance_option
@json_option
@quiet_option
@click.pass_context
def command(
    context: click.Context,
    /,
    model: str,
    data: InputData,
    output: str | None,
    as_json: bool,
    quiet: bool,
    **asked: Any,
) -> int:
    """Write a report on a model: one HTML file without scripts, which opens anywhere.

    It shows the mistakes against what a theorem allows, confusion, ROC curve and calibration, the
    features with the largest weights, the potential inside its bounds with the audit, the costliest
    rounds, blame, what follows for new rows, and how to make it all again.

    If DATA is what the model learned from, the run is replayed, and every row counts as it was
    predicted before its label was revealed. A run of up to 10,000 rows is certified and checked on
    the way; a longer one is shown with its --certificate. Other DATA is a test. Without DATA the
    report shows only what is in the model.

    \b
    Examples:
      thresher report mail.thr mail.svm -o report.html
      thresher report mail.thr new.svm -o test.html
      thresher report mail.thr mail.svm --certificate run.cert.json -o report.html
      thresher report mail.thr --json

    The page contains names of features, labels and files, but lines of the data only with
    --include-examples. The exit status is 1 if the certificate does not hold.
    """
    from thresher.models.file import load_model

    if output is None and not as_json:
        raise click.UsageError("say where the page goes: -o report.html; or ask for --json.")
    loaded = load_model(model)
    certificate = None
    if asked["certificate"] is not None:
        from thresher.verifier import Certificate

        certificate = Certificate.load(asked["certificate"])
    account = None if not data.paths else _account(loaded, data, asked, quiet=quiet)
    commands = [shlex.join(["thresher", "report", *context.meta["thresher.words"]])]
    if certificate is None:
        commands += evidence_commands(model, loaded, data)
    report = made(loaded, account, certificate, commands)
    deliver(report, output, as_json=as_json, quiet=quiet)
    refuted = certificate is not None and report.facts["verdict"]["status"] == "does not hold"
    return CLAIM_DOES_NOT_HOLD if refuted else 0


def made(
    model: Model,
    account: Account | None,
    certificate: Certificate | None,
    commands: list[str],
) -> Report:
    """The report."""
    from thresher.reports.report import Report

    return Report.of(model, account, certificate=certificate, commands=commands)


def _account(model: Model, data: InputData, asked: dict[str, Any], *, quiet: bool) -> Account:
    """What the model did on data, while people are told how far it is."""
    from thresher.cli.labelled import telling
    from thresher.models.rerun import Rerun

    rerun = Rerun(
        model,
        data,
        examples=asked["include_examples"],
        ignore_importance=asked["ignore_importance"],
    )
    with telling(quiet=quiet) as tell:
        for event in rerun:
            tell(event)
    return rerun.account


def evidence_commands(path: str, model: Model, data: InputData) -> list[str]:
    """How to have the run certified, and the certificate checked by others."""
    if not data.paths or model.learner.name_table is None:
        return []
    certify = ["thresher", "certify", path, *data.shown_paths, "-o", "run.cert.json"]
    verify = ["thresher", "verify", "run.cert.json", *data.shown_paths, *reading_words(data, model)]
    return [shlex.join(certify), shlex.join(verify)]


def deliver(report: Report, output: str | None, *, as_json: bool, quiet: bool) -> None:
    """The page to its file, and in a few words what it says."""
    from thresher.cli.terminal.speech import say
    from thresher.cli.writing import writing

    page = report.html().encode()
    if output is not None:
        with writing(output) as file:
            file.write(page)
        if output == "-":
            return
        if not quiet:
            say(f"report   {output} ({len(page):,} bytes)")
    click.echo(json_result("report", report.facts) if as_json else told(report))


def told(report: Report) -> str:
    """The verdict in a line."""
    found = report.facts["verdict"]
    wrong = "mistake" if found["made"] == 1 else "mistakes"
    said = f"{found['made']:,} {wrong} in {found['rounds']:,} rounds"
    if found["allowed"] is None:
        counted = found["status"] == "counted"
        return f"{said}; {'counted again' if counted else found['says'] or 'no theorem applies'}"
    return f"{said}; {found['allowed']:,} allowed ({found['theorem']}, {found['time']})"

"""`thresher verify`: check a certificate against the data it speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from thresher.cli.cluster_option import on_a_cluster
from thresher.cli.json_result import json_result
from thresher.cli.options import Command, json_option, quiet_option, reads_data
from thresher.errors import CertificateError
from thresher.models.input_data import InputData
from thresher.parameters import features_by_default

if TYPE_CHECKING:
    from thresher.cli.cluster_option import ClusterPlace
    from thresher.verifier import Certificate, Verdict

EXIT_STATUS = {"holds": 0, "does not hold": 1, "could not tell": 2}
OWN_READER = "the verifier's own reader of svmlight: nothing but the certificate's code was trusted"
STREAM_READER = "thresher.streams, which was trusted to read the lines"


@click.command("verify", cls=Command)
@click.argument("certificate", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@reads_data(required=False)
@click.option(
    "--model", metavar="MODEL", help="A model that must equal the end of the run, to the last bit."
)
@click.option(
    "--trusted",
    metavar="KEYS",
    type=click.Path(exists=True, dir_okay=False),
    help="A file of public keys (ssh-ed25519), one of which must have signed the certificate.",
)
@click.option(
    "--reader",
    type=click.Choice(("auto", "own", "streams")),
    default="auto",
    show_default=True,
    help="Which reader to use: the verifier's own (svmlight only), or that of all "
    "commands. auto: its own for svmlight.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=None,
    metavar="N",
    help="Number of threads. Default: one per processor.",
)
@on_a_cluster("divide the files into N parts; the verdict does not depend on N")
@json_option
@quiet_option
def command(
    certificate: str,
    data: InputData,
    place: ClusterPlace | None,
    as_json: bool,
    quiet: bool,
    **said: Any,
) -> int:
    """Check a certificate against its data.

    The run is replayed by code that shares nothing with the learners, and the bound is computed
    again. Give the same options for reading the data as to certify: labels, hashing, format.

    \b
    Examples:
      thresher verify run.cert.json mail.svm
      thresher verify run.cert.json mail.svm --model mail.thr --trusted keys.pub
      thresher verify run.cert.json mail.svm --positive spam
      thresher verify run.cert.json mail.vw.gz --bits 20 --json
      thresher verify run.cert.json 'part-*.svm.gz' --cluster local:2

    \b
    Exit status:
      0  everything was checked and the claim holds
      1  the claim does not hold
      2  could not tell: no certificate, no data, data that cannot be read, or data of
         another kind than the theorem is about

    With --cluster, workers read and replay the rows. Each starts from the state that the mistakes
    before its rows have left. The verdict is the same to the letter.

    Without data only the seal and the arithmetic of the theorems are checked.
    """
    from thresher.verifier import Certificate, trusted_keys, verify
    from thresher.verifier.document import MOST_BYTES

    with click.open_file(certificate, "rb") as file:
        text = file.read(MOST_BYTES + 1)
    try:
        claimed = Certificate.from_json(text)
    except CertificateError as error:
        raise CertificateError(
            f"{certificate}: {error.what}",
            "A certificate is what `thresher certify -o FILE` writes, and comes before the data.",
            **error.fields,
        ) from error
    workers = said["workers"] or _processors()
    rows, read_by = None, None
    besides: dict[str, Any] = {
        "model": None if said["model"] is None else _learner(said["model"]),
        "trusted": None if said["trusted"] is None else trusted_keys(said["trusted"]),
    }
    if place is not None and data.paths:
        from thresher.cli.terminal.live_line import LiveLine
        from thresher.cli.told_tasks import ToldTasks
        from thresher.cluster.proving import verify_on
        from thresher.models.own_reader import reads_own

        read_by = OWN_READER if reads_own(data, said["reader"]) else STREAM_READER
        with place.engine() as engine, LiveLine(quiet=quiet) as line:
            told = ToldTasks(engine, line)
            verdict = verify_on(
                claimed, data, told, reader=said["reader"], **place.settings, **besides
            )
    else:
        if data.paths:
            rows, read_by = read_rows(data, claimed, said["reader"], workers)
        verdict = verify(claimed, rows, workers=workers, **besides)
    tell(verdict, read_by, as_json=as_json, quiet=quiet)
    return EXIT_STATUS[verdict.status]


def _processors() -> int:
    import os

    # What a verdict needs is little code to read: no reader is loaded for this number.
    if hasattr(os, "sched_getaffinity"):
        return min(64, len(os.sched_getaffinity(0)))
    return min(64, os.cpu_count() or 1)


def _learner(path: str) -> Any:
    from thresher.models.file import load_model

    return load_model(path, journal=False, names=False).learner


def tell(verdict: Verdict, read_by: str | None, *, as_json: bool, quiet: bool) -> None:
    """The verdict, to standard output; of a quiet command its last line."""
    from thresher.verifier.verdict_text import conclusion

    if as_json:
        click.echo(json_result("verify", document(verdict, read_by)))
    elif quiet:
        click.echo(conclusion(verdict))
    else:
        *lines, last = str(verdict).splitlines()
        reader = [] if read_by is None else [f"{'read by':<10}{read_by}"]
        click.echo("\n".join([*lines, *reader, last]))


def read_rows(data: InputData, claimed: Certificate, reader: str, workers: int) -> tuple[Any, str]:
    """The stream, and who read it."""
    from thresher.models.own_reader import own_paths, reads_own, strongest_counts
    from thresher.verifier import read_svmlight

    if reads_own(data, reader):
        plain = read_svmlight(
            own_paths(data),
            data.positive,
            one_based=bool(data.given.get("one_based")),
            n_columns=data.n_features or features_by_default("svmlight"),
            workers=workers,
        )
        return plain, OWN_READER
    from thresher.models.labelled import labelled_stream
    from thresher.models.opening import names_for_all
    from thresher.streams.batch import Batch

    several = claimed.classes is not None
    # A certificate knows no weights of rows; whoever made it had to say that they are ignored.
    data = data.looked_at()
    names = names_for_all(data, strongest=strongest_counts(claimed))
    with labelled_stream(data, names=names, several=several, ignore_importance=True) as stream:
        return Batch.joined([piece.batch for piece in stream]), STREAM_READER


def document(verdict: Verdict, read_by: str | None) -> dict[str, Any]:
    """The verdict in JSON's terms."""
    from thresher.verifier.verdict import shown

    certificate = verdict.certificate
    return {
        "verdict": verdict.status,
        "holds": verdict.holds,
        "consistent": verdict.consistent,
        "kind": certificate.kind,
        "learner": certificate.learner,
        "same_data": verdict.same_data,
        "rounds": certificate.learned,
        "held_out": certificate.held_out,
        "held_out_mistakes": certificate.held_out_mistakes,
        "claimed": verdict.claimed,
        "replayed": verdict.replayed,
        "allowed": verdict.allowed,
        "theorem": certificate.theorem,
        "claim": None if certificate.claim is None else str(certificate.claim),
        "premises": list(verdict.premises),
        "risks": [
            {
                "theorem": risk.theorem,
                "max_risk": risk.allows,
                "delta": str(certificate.delta or risk.quantities.get("delta")),
            }
            for risk in certificate.risks
        ],
        "signers": None if verdict.signers is None else list(verdict.signers),
        "differences": [
            {"what": f.what, "claimed": shown(f.claimed, 200), "found": shown(f.found, 200)}
            for f in verdict.differences
        ],
        "unmet": list(verdict.unmet),
        "unchecked": list(verdict.unchecked),
        "read_by": read_by,
    }

"""`thresher verify`: check a certificate against the data it speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from thresher.cli.options import Command, json_option, quiet_option, reads_data
from thresher.errors import LabelError
from thresher.models.input_data import InputData

if TYPE_CHECKING:
    from thresher.verifier import Verdict

HOLDS, FALSE, COULD_NOT_TELL = 0, 1, 2
OWN_READER = "the verifier's own reader of svmlight: nothing but the certificate's code was trusted"
STREAM_READER = "thresher.streams, which was trusted to read the lines"


@click.command("verify", cls=Command)
@click.argument("certificate", type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@reads_data(required=False)
@click.option(
    "--reader",
    type=click.Choice(("auto", "own", "streams")),
    default="auto",
    show_default=True,
    help="Who reads the data: a plain reader of the verifier's own (svmlight only, slow), or the "
    "one of all commands. auto: the own one for svmlight.",
)
@json_option
@quiet_option
def command(certificate: str, data: InputData, reader: str, as_json: bool, quiet: bool) -> int:
    """Check a certificate against the data it speaks of.

    The run is played again in exact arithmetic by code that knows no learner, and the theorem is
    asked again. Say how to read the data as it was said to certify: labels, hashing, format.

    \b
    Examples:
      thresher verify run.cert.json mail.svm
      thresher verify run.cert.json mail.svm --positive spam
      thresher verify run.cert.json mail.vw.gz --bits 20 --json

    \b
    Exit status:
      0  everything was checked and the claim holds
      1  the claim does not hold
      2  could not tell: no certificate, no data, or data that cannot be read

    Without data only the seal and the arithmetic of the theorems are checked.
    """
    from thresher.verifier import Certificate, verify

    with click.open_file(certificate, "rb") as file:
        claimed = Certificate.from_json(file.read())
    rows, read_by = (None, None) if not data.paths else read_rows(data, reader)
    verdict = verify(claimed, rows)
    if as_json:
        import json

        click.echo(json.dumps(document(verdict, read_by)))
    elif not quiet:
        click.echo(str(verdict))
        if read_by is not None:
            click.echo(f"read by   {read_by}")
    return HOLDS if verdict.holds else COULD_NOT_TELL if verdict.consistent else FALSE


def read_rows(data: InputData, reader: str) -> tuple[Any, str]:
    """The stream, and who read it."""
    from thresher.verifier import read_svmlight

    if reader == "own" or (reader == "auto" and _plain_svmlight(data)):
        one_based = bool(data.given.get("one_based"))
        try:
            return read_svmlight(data.paths, data.positive, one_based=one_based), OWN_READER
        except LabelError as error:
            raise click.UsageError(f"{error} (--positive LABEL)") from None
    from thresher.models.labelled import labelled_stream
    from thresher.streams.batch import Batch

    # A certificate knows no weights of rows; whoever made it had to say that they are ignored.
    with labelled_stream(data, ignore_importance=True) as stream:
        return Batch.joined([piece.batch for piece in stream]), STREAM_READER


def _plain_svmlight(data: InputData) -> bool:
    """Whether the own reader reads these files as certify did."""
    from thresher.verifier import looks_like_svmlight

    form = data.given.get("format")
    if form not in (None, "svmlight") or data.vocabulary or data.on_bad[0] != "stop":
        return False
    if any(path == "-" or not _is_file(path) for path in data.paths):
        return False
    return form == "svmlight" or all(looks_like_svmlight(_head(path)) for path in data.paths)


def _is_file(path: str) -> bool:
    from pathlib import Path

    # What is compressed otherwise, and globs, are left to the reader of all commands.
    return Path(path).is_file() and not path.endswith((".zst", ".xz", ".bz2"))


def _head(path: str) -> bytes:
    import gzip
    from pathlib import Path

    with gzip.open(path) if path.endswith(".gz") else Path(path).open("rb") as file:
        return bytes(file.read(4096))


def document(verdict: Verdict, read_by: str | None) -> dict[str, Any]:
    """The verdict in JSON's terms."""
    certificate = verdict.certificate
    return {
        "holds": verdict.holds,
        "consistent": verdict.consistent,
        "kind": certificate.kind,
        "learner": certificate.learner,
        "same_data": verdict.same_data,
        "rounds": certificate.rounds,
        "claimed": verdict.claimed,
        "replayed": verdict.replayed,
        "allowed": verdict.allowed,
        "theorem": certificate.theorem,
        "differences": [
            {"what": f.what, "claimed": str(f.claimed), "found": str(f.found)}
            for f in verdict.differences
        ],
        "unchecked": list(verdict.unchecked),
        "read_by": read_by,
    }

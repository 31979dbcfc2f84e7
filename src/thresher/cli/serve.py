"""`thresher serve`: models that predict and learn over HTTP."""

from __future__ import annotations

from typing import Any

import click

from thresher.cli.options import Command
from thresher.errors import RequestError

#: What is needed, and the extra that brings it.
PACKAGES = {
    **dict.fromkeys(("apsw", "starlette", "uvicorn", "httptools", "uvloop"), "serve"),
    "psycopg": "postgres",
    "httpx2": "client",
}


@click.command("serve", cls=Command)
@click.option(
    "--store",
    required=True,
    type=click.Path(file_okay=False),
    metavar="DIR|URL",
    help="The folder for models and their log, created if it does not exist; or a "
    "database, postgresql://USER@HOST/DATABASE?schema=NAME, for several instances.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="H", help="The address to listen on."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, metavar="P",
    help="The port; 0 picks a free one.",
)  # fmt: skip
@click.option(
    "--tokens",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Who may read, learn and administer; `thresher store token` writes it.",
)
@click.option("--read-only", is_flag=True, help="Predict only; learn nothing.")
@click.option("--tls-cert", type=click.Path(exists=True), metavar="FILE", help="For HTTPS.")
@click.option("--tls-key", type=click.Path(exists=True), metavar="FILE", help="For HTTPS.")
@click.option(
    "--advertise",
    metavar="URL",
    help="The address to which other instances on the same database send requests for this one.",
)
@click.option(
    "--follow",
    metavar="URL",
    help="Be a replica: replay the log of the service there, and learn nothing else.",
)
@click.option(
    "--leader-token",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="The token for --follow; or THRESHER_LEADER_TOKEN in the environment.",
)
@click.option(
    "--webhook",
    metavar="URL",
    help="POST here when a claim is refuted or a model errs more often.",
)
@click.option("--log-requests", is_flag=True, help="Log every request, not only errors.")
def command(
    store: str,
    host: str,
    port: int,
    tls_cert: str | None,
    tls_key: str | None,
    leader_token: str | None,
    **said: Any,
) -> int:
    """Serve models that predict and learn over HTTP, and forget nothing they acknowledged.

    The service acknowledges an event when it is on disk: after a power cut the models are, to the
    bit, what the acknowledged events made them. An event with an id is learned once, however often
    it is sent.

    Without --tokens the service answers only programs on this machine. The first line of standard
    output is its address. Standard error is a log with one JSON object per line. On SIGTERM or
    Ctrl-C it answers open requests, then exits. On SIGHUP it reads the tokens again.

    With a database in place of a folder, several instances serve one store. Each model belongs to
    one instance. The others say where it is, and one of them takes it over when that one ends. Keep
    the password in PGPASSWORD or ~/.pgpass, because others can see a command line.

    \b
    Examples:
      thresher serve --store models
      thresher serve --store 'postgresql://ann@db/mail?schema=thresher' --advertise http://10.0.0.7:8080
      thresher serve --store replica --port 8081 --follow http://127.0.0.1:8080
      thresher serve --store models --host 0.0.0.0 --tokens tokens.txt
      curl -X PUT localhost:8080/v1/models/mail -H 'content-type: application/json' -d '{}'
      curl localhost:8080/v1/models/mail/learn -H 'content-type: application/json' \\
        -d '{"id": "e-1", "features": {"cash": 1}, "label": 1}'
    """
    import json
    import os
    import sys
    from pathlib import Path

    try:
        from thresher.service.serving import ServeRequest, serve
    except ModuleNotFoundError as error:
        raise not_installed(error) from None
    token = os.environ.get("THRESHER_LEADER_TOKEN")
    if leader_token is not None:
        token = Path(leader_token).read_text(errors="replace").strip()

    def log(event: dict[str, Any]) -> None:
        sys.stderr.write(json.dumps(event) + "\n")
        sys.stderr.flush()

    request = ServeRequest(
        store=store,
        host=host,
        port=port,
        certificate=tls_cert,
        key=tls_key,
        leader_token=token,
        **said,
    )
    try:
        stopped_by = serve(request, log, click.echo)
    except ModuleNotFoundError as error:
        raise not_installed(error) from None
    # As a shell reports of a program that a signal ended; SIGTERM is how a service is stopped.
    return 0 if stopped_by == 15 else 128 + stopped_by


def not_installed(error: ModuleNotFoundError) -> Exception:
    """What to say where a package of the extra is missing."""
    missing = (error.name or "").partition(".")[0]
    if missing not in PACKAGES:
        return error
    return RequestError(
        f"the service needs {missing}, which is not installed.",
        f"Install it with the extra: pip install 'thresher[{PACKAGES[missing]}]'.",
        code="request.service_not_installed",
    )

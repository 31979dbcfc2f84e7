"""`thresher serve`: models that predict and learn over HTTP."""

from __future__ import annotations

from typing import Any

import click

from thresher.cli.options import Command
from thresher.errors import RequestError

#: What the extra brings.
PACKAGES = ("apsw", "starlette", "uvicorn", "httptools", "uvloop")


@click.command("serve", cls=Command)
@click.option(
    "--store",
    required=True,
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="The folder that keeps models and their log; made if it is not there.",
)
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="H", help="Where to listen."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=8080, show_default=True, metavar="P",
    help="The port; 0 takes any that is free.",
)  # fmt: skip
@click.option(
    "--tokens",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Who may read, learn and administer; `thresher store token` writes it.",
)
@click.option("--read-only", is_flag=True, help="Predict, and learn nothing.")
@click.option("--tls-cert", type=click.Path(exists=True), metavar="FILE", help="For HTTPS.")
@click.option("--tls-key", type=click.Path(exists=True), metavar="FILE", help="For HTTPS.")
@click.option(
    "--webhook",
    metavar="URL",
    help="Where to POST that a claim was refuted or a model errs more often.",
)
@click.option("--log-requests", is_flag=True, help="A line for every request, not only for faults.")
def command(
    store: str, host: str, port: int, tls_cert: str | None, tls_key: str | None, **said: Any
) -> int:
    """Serve models that predict and learn over HTTP, and forget nothing they acknowledged.

    An answer to a learner's event is sent when the event is on the disk: after a power cut the
    models are, to the bit, what the acknowledged events made them. An event with an id is learned
    once, however often it is sent.

    Without --tokens the service answers programs of this machine alone. The first line of standard
    output is its address; standard error has one JSON object a line for what happens. SIGTERM or
    Ctrl-C: what was asked is answered, then it ends. SIGHUP: the tokens are read again.

    \b
    Examples:
      thresher serve --store models
      thresher serve --store models --host 0.0.0.0 --tokens tokens.txt
      curl -X PUT localhost:8080/v1/models/mail -H 'content-type: application/json' -d '{}'
      curl localhost:8080/v1/models/mail/learn -H 'content-type: application/json' \\
        -d '{"id": "e-1", "features": {"cash": 1}, "label": 1}'
    """
    try:
        from thresher.service.serving import ServeRequest, serve
    except ModuleNotFoundError as error:
        raise not_installed(error) from None
    import json
    import sys

    def log(event: dict[str, Any]) -> None:
        sys.stderr.write(json.dumps(event) + "\n")
        sys.stderr.flush()

    request = ServeRequest(
        store=store, host=host, port=port, certificate=tls_cert, key=tls_key, **said
    )
    # As a shell reports of a program that a signal ended; SIGTERM is how a service is stopped.
    stopped_by = serve(request, log, click.echo)
    return 0 if stopped_by == 15 else 128 + stopped_by


def not_installed(error: ModuleNotFoundError) -> Exception:
    """What to say where a package of the extra is missing."""
    missing = (error.name or "").partition(".")[0]
    if missing not in PACKAGES:
        return error
    return RequestError(
        f"the service needs {missing}, which is not installed.",
        "Install it with the extra: pip install 'thresher[serve]'.",
        code="request.service_not_installed",
    )

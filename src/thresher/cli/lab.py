"""`thresher lab`: streams and learners to look at, step by step, in a browser."""

from __future__ import annotations

import click

from thresher.cli.options import Command
from thresher.errors import RequestError


@click.command("lab", cls=Command)
@click.argument("data", required=False, type=click.Path(exists=True, dir_okay=False))
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="P",
    help="The port on this machine.  [default: 8765, or a free one]",
)
@click.option(
    "--live",
    metavar="URL[,MODEL]",
    help="Watch a running service: http://127.0.0.1:8080, optionally followed by a comma "
    "and a model.",
)
@click.option(
    "--live-token",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="A file with the token for the service (role read).",
)
@click.option(
    "--view",
    metavar="VIEW",
    help="What to show first: the part of a copied link after the #.",
)
@click.option("--no-browser", is_flag=True, help="Print the address without opening a browser.")
def command(
    data: str | None,
    port: int | None,
    live: str | None,
    live_token: str | None,
    view: str | None,
    no_browser: bool,
) -> int:
    """Open the lab in a browser: step, race, look at a file, play, watch a service.

    Step shows any round of a run. Race runs learners side by side while you move sliders. Your data
    shows how well a file can be learned. In Game you play against a learner, or as one. Live, with
    --live, shows a model of `thresher serve` as it learns; the lab connects only to that address.

    The first line of standard output is the address, with a token that nobody can guess: anyone who
    has the address can use the lab, but it answers only on this machine. Ctrl-C stops it at once.

    --view opens the view of a copied link (Copy link) or of a page of the documentation: a screen
    and, after a question mark, what is selected there.

    \b
    Examples:
      thresher lab
      thresher lab mail.csv
      thresher lab --port 9000 --no-browser
      thresher lab --live http://127.0.0.1:8080,mail
      thresher lab --view 'step?stream=circle&learner=perceptron&t=5'
    """
    try:
        from thresher.lab.live import LiveService
        from thresher.lab.serving import serve
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("starlette", "uvicorn"):
            raise
        raise RequestError(
            f"the lab needs {missing}, which is not installed.",
            "Install it with the extra: pip install 'thresher[lab]'.",
            code="request.lab_not_installed",
        ) from None

    service = None
    if live is not None:
        service = LiveService.of(live, None if live_token is None else _token_in(live_token))

    def ready(address: str) -> None:
        from thresher.cli.terminal.speech import say

        click.echo(address)
        say("The lab is open. Ctrl-C closes it.")
        if not no_browser:
            import webbrowser

            webbrowser.open(address)

    # As a shell reports of a program that a signal ended.
    return 128 + serve(data, port=port, live=service, view=view, ready=ready)


def _token_in(path: str) -> str:
    """The token that a file holds, which is short and one word."""
    with open(path, encoding="utf-8", errors="replace") as file:
        token = file.read(1_000).strip()
    if not token.isascii() or not token.isprintable() or len(token.split()) != 1:
        raise RequestError(f"{path}: expected one token and nothing else.")
    return token

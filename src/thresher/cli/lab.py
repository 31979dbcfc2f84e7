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
    help="Where to listen on this machine.  [default: 8765, or a free one]",
)
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
def command(data: str | None, port: int | None, no_browser: bool) -> int:
    """Open the lab in a browser: step, race, look at a file, play.

    Step shows any round of a run; Race lets learners run side by side while you move sliders; Your
    data says how well a file can be learned; in Game you play against a learner, or as one.

    The first line of standard output is the address, with a token that nobody can guess: whoever
    has the address has the lab, and it answers on this machine alone. Ctrl-C ends it at once.

    \b
    Examples:
      thresher lab
      thresher lab mail.csv
      thresher lab --port 9000 --no-browser
    """
    try:
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

    def ready(address: str) -> None:
        from thresher.cli.terminal.speech import say

        click.echo(address)
        say("The lab is open. Ctrl-C closes it.")
        if not no_browser:
            import webbrowser

            webbrowser.open(address)

    # As a shell reports of a program that a signal ended.
    return 128 + serve(data, port=port, ready=ready)

"""`thresher generate`: synthetic streams whose target is known."""

from __future__ import annotations

import sys
from textwrap import wrap
from typing import Any

import click

from thresher.cli.options import Command, quiet_option
from thresher.cli.output_format import FORMATS, output_format
from thresher.cli.terminal.live_line import LiveLine
from thresher.cli.terminal.speech import is_terminal, say, width
from thresher.models.written import assignments, literal
from thresher.parameters import exact


def _rows(text: str) -> int | None:
    if text == "unlimited":
        return None
    if not text.replace("_", "").isdigit():
        raise click.BadParameter(f"{text!r} is neither a number of rows nor 'unlimited'.")
    return int(text)


def _rate(text: str) -> Any:
    number = exact(text)
    if number is None:
        raise click.BadParameter(f"{text!r} is no share such as 0.05 or 1/20.")
    return number


def _rounds(text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.strip().isdigit() for part in parts):
        raise click.BadParameter(f"{text!r} are no rounds such as 5000,10000.")
    return tuple(int(part) for part in parts)


@click.command("generate", cls=Command)
@click.argument("kind", required=False)
@click.option("--list", "listed", is_flag=True, help="List the kinds of streams and exit.")
@click.option(
    "-n",
    "--rows",
    type=_rows,
    metavar="N",
    default="10000",
    show_default=True,
    help="Number of rows of a random stream, or 'unlimited'.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Seed of the random numbers.",
)
@click.option("--noise", type=_rate, metavar="RATE", default="0", help="Share of labels to flip.")
@click.option(
    "--attribute-noise", type=_rate, metavar="RATE", default="0", help="Share of rows to corrupt."
)
@click.option(
    "--balance", type=_rate, metavar="RATE", default="1/2", help="Share of positive labels."
)
@click.option(
    "--drift", type=_rounds, metavar="ROUND,...", default=None, help="When the target changes."
)
@click.option(
    "--set", "settings", multiple=True, metavar="NAME=VALUE,...", help="Parameters of the kind."
)
@click.option(
    "--against",
    metavar="LEARNER",
    help="The learner that the adversary plays against.  [default: perceptron]",
)
@click.option(
    "-o", "--output", metavar="FILE", default="-", help="Output file; .gz and .zst compress."
)
@click.option(
    "--to",
    type=click.Choice(FORMATS),
    help="Format to write. Default: by the name of FILE, otherwise svmlight.",
)
@click.option(
    "--secret", metavar="FILE", help="Write the target that labels the rows to FILE, in full."
)
@quiet_option
def command(kind: str | None, listed: bool, output: str, quiet: bool, **options: Any) -> None:
    """Write a synthetic stream whose target is known.

    Random streams are drawn from a concept class, with any amount of noise and drift, and any
    length. Constructed streams force a learner to make as many mistakes as its theory allows. The
    same options give the same bytes. The target that labels the rows is printed on standard error.

    \b
    Examples:
      thresher generate --list
      thresher generate disjunctions -n 1000 --set n_features=1000,r=4 --noise 0.01 -o d.svm
      thresher generate words -n 400000 -o words.thb
      thresher generate words -n unlimited | thresher train - -o words.thr
      thresher generate greedy-winnow --set n_features=64 --to vw
      thresher generate lower-bound --against perceptron -o hard.svm
    """
    if listed:
        _list()
        return
    if kind is None:
        raise click.UsageError("say which stream; --list lists them.")
    from thresher.models.choice import LearnerChoice
    from thresher.models.generation import Generation
    from thresher.models.synthetic_streams import StreamDescription

    against, secret, to = options.pop("against"), options.pop("secret"), options.pop("to")
    settings = assignments(",".join(options.pop("settings")), "--set")
    wanted = StreamDescription(
        kind=kind,
        parameters={name: literal(value) for name, value in settings.items()},
        against=None if against is None else LearnerChoice.parse(against),
        drift=options.pop("drift") or (),
        **options,
    )
    format_ = output_format(output, to or ("svmlight" if output == "-" else None))
    generation = Generation(wanted, output, format=format_)
    if secret is not None:
        from thresher.storage.atomic_write import atomic_text

        atomic_text(secret, "".join(f"{line}\n" for line in generation.stream.secret()))
    if not quiet:
        say(_shortened(generation.stream.summary))
    with LiveLine(quiet=quiet) as line:
        for event in generation:
            line.show(event)


def _shortened(text: str) -> str:
    return text if len(text) <= 400 else text[:390] + "... (all of it: --secret FILE)"


def _list() -> None:
    from thresher.models.synthetic_streams import kinds_of_streams

    indent = " " * 18
    room = max(50, width()) if is_terminal(sys.stdout) else 10_000
    for kind, summary, parameters in kinds_of_streams():
        shown = ", ".join(f"{name}={value}" for name, value in parameters.items())
        for first, text in ((f"{kind:<18}", summary.replace("`", "")), (indent, shown)):
            lines = wrap(text, room, initial_indent=first, subsequent_indent=indent)
            click.echo("\n".join(lines))

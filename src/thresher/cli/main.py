"""The command `thresher`: a list of commands, each imported when it is used, and their manners.

Exit status: 0 yes, 1 no (a claim does not hold), 2 bad usage or input, or a fault of the program,
130 after Ctrl-C, 143 after SIGTERM, and 141 when whoever read the output went away: what a shell
reports of other programs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

import click

from thresher import __version__
from thresher.cli.leaving import DEBUG, ReaderGoneError, exit_status, leave, wants_traceback
from thresher.errors.error import did_you_mean

#: Each command with its line in the list of commands, so that the list imports none of them.
COMMANDS = {
    "try": "Guess how to read a file, learn from it, and write a model and a report.",
    "train": "Learn from a stream, row by row, and say how often the learner was wrong.",
    "predict": "Predict the label of each row of a stream.",
    "test": "Compare a model's predictions with the labels of a stream.",
    "inspect": "Show what a model has learned, and why it predicts what it does.",
    "report": "Write a report on a model: one HTML file without scripts, which opens anywhere.",
    "certify": "Certify how many mistakes a run made, and how many a theorem allows.",
    "verify": "Check a certificate against its data.",
    "race": "Compare several learners on one stream, side by side.",
    "tune": "Try many settings of learners in one pass, and say which did best.",
    "advise": "Recommend a learner for a problem, with its bound.",
    "lab": "Open the lab in a browser: step, race, look at a file, play, watch a service.",
    "serve": "Serve models that predict and learn over HTTP, and forget nothing they acknowledged.",
    "store": "Maintain the store of a service: check, compact, export, back up.",
    "trace": "Show every round of a small stream as a table.",
    "generate": "Write a synthetic stream whose target is known.",
    "convert": "Write a stream in another format.",
    "export": "Write a model as text, JSON, C, JavaScript, ONNX, SQL or a rule.",
    "demo": "Take a tour of the commands on a stream of mushrooms.",
    "completion": "Print the completion script for a shell.",
}

#: Modules whose names would otherwise mean something to a test runner, or to Python.
MODULES = {"test": "testing", "try": "trying"}


class Commands(click.Group):
    """The commands; asking for one imports its file."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every command, in the order in which people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, from its own file."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"thresher.cli.{MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command meant, or an error that names the nearest one."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"there is no command {args[0]!r}.{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # By this name click would leave with status 1, which says "no" here.
            raise ReaderGoneError from None

    def main(
        self, args: Sequence[str] | None = None, *positional: Any, **settings: Any
    ) -> NoReturn:
        """Run a command and leave with its exit status; see the head of this file."""
        settings["standalone_mode"] = False
        words = sys.argv[1:] if args is None else list(args)
        run = partial(super().main, words, *positional, **settings)
        sys.exit(exit_status(run, traceback=wants_traceback(words)))


@click.command(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    no_args_is_help=True,
)
@click.version_option(__version__, "-V", "--version", message="thresher %(version)s")
@click.option(
    DEBUG,
    is_flag=True,
    expose_value=False,
    help="Show the traceback of an error. May also follow the command name.",
)
def thresher() -> None:
    """Linear threshold classifiers learned from a stream, with evidence of how good they are.

    \b
    Examples:
      thresher train mail.svm -o mail.thr
      thresher predict mail.thr new.svm
      zcat clicks.vw.gz | thresher train - -o clicks.thr --learner winnow --bits 20
      thresher COMMAND --help

    Results go to standard output, everything else to standard error. A file named - is standard
    input. -o replaces an existing file. Only a model replaces a model, only a certificate replaces
    a certificate, and neither replaces anything else. You can also set options in thresher.toml or
    ~/.config/thresher/config.toml, or in variables such as THRESHER_BITS. Exit status: 0 yes, 1 no
    (a claim does not hold), 2 bad usage or input.
    """


def _fill_gaps() -> None:
    """Give a standard stream that is closed a place that fails, so that no file takes its number.

    What is written to standard output then fails as on a full disk; nobody misses standard error.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR if name == "stderr" else os.O_RDONLY)
            if name != "stdin":
                setattr(sys, name, open(number, "w", closefd=False))  # noqa: SIM115


def main() -> NoReturn:
    """Run the command line, and end the process."""
    _fill_gaps()
    # Before anybody imports NumPy: no command needs its pool of threads, and to start it takes
    # as long as to read ten megabytes.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        thresher.main(prog_name="thresher")
    except SystemExit as left:
        leave(left.code if isinstance(left.code, int) else 0)


# A call that begins a new piece of the interpreter's stack, of 16 KB, gives it back when it ends;
# where that happens in a loop, as it did 750 times while NumPy was imported, it takes 3 ms. What
# a call needs comes in one piece, with room for those within: so this one says it needs much.
main.__code__ = main.__code__.replace(co_stacksize=1 << 14)

"""How a command ends: from what it returned or raised to an exit status and at most one line.

An error that is the user's to fix takes one line and status 2. What nobody foresaw takes the same,
and says so: status 1 is an answer ("the claim does not hold"), and no accident may give it.
"""

from __future__ import annotations

import atexit
import errno
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NoReturn, TextIO

import click

from thresher.cli.remedies import phrased
from thresher.cli.terminal.speech import complain, printable, say, short, warn
from thresher.errors import JournalTruncatedWarning, ThresherError

BAD_INPUT, INTERRUPTED, READER_GONE = 2, 130, 141

#: The option, and the variable that stands for it where nobody can change the command.
DEBUG, DEBUG_VARIABLE = "--debug", "THRESHER_DEBUG"
#: Characters of a message that was not written for people.
_LONGEST = 300


class ReaderGoneError(Exception):
    """Whoever read the output has gone away."""


def wants_traceback(words: Sequence[str]) -> bool:
    """Whether a command line, or the environment, asks for the traceback of an error.

    >>> wants_traceback(["train", "--debug"]), wants_traceback(["train", "--", "--debug"])
    (True, False)
    """
    options = words[: words.index("--")] if "--" in words else words
    return DEBUG in options or os.environ.get(DEBUG_VARIABLE, "") not in ("", "0")


def exit_status(command: Callable[[], object], *, traceback: bool = False) -> int:
    """Run a command; the status to leave with, once everything has been said.

    Parameters
    ----------
    command
        What to run; an int that it returns is its status, and anything else means 0.
    traceback
        Whether to show where an error came from, before the line about it.
    """
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("always", category=JournalTruncatedWarning)
            warnings.showwarning = lambda message, *_: warn(str(message))
            status = command()
        _flush(sys.stdout)
    except (ReaderGoneError, BrokenPipeError):
        _detach(sys.stdout)
        return READER_GONE
    except (KeyboardInterrupt, click.exceptions.Abort):
        return INTERRUPTED
    except Exception as error:
        if traceback:
            _show_traceback(error)
        return _told(error)
    return status if isinstance(status, int) else 0


def leave(status: int) -> NoReturn:
    """End the process, once whoever asked to be told has been told.

    Nothing is taken apart: the system takes all memory back at once, and object by object that
    takes 19 ms after `train`.
    """
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            _flush(stream)
    os._exit(status)


def _told(error: Exception) -> int:
    """Say what went wrong, in one line where it is not about usage; the status to leave with."""
    if isinstance(error, click.ClickException):
        with suppress(OSError):
            error.show()
    elif isinstance(error, ThresherError):
        complain(phrased(error))
    elif isinstance(error, MemoryError):
        complain(f"there is not enough memory. {error}".rstrip())
    elif isinstance(error, OSError):
        complain(_plain(error))
        _detach(sys.stdout)
    else:
        complain(_unforeseen(error))
    return BAD_INPUT


def _unforeseen(error: Exception) -> str:
    try:
        said = short(" ".join(str(error).split()), _LONGEST)
    except Exception:
        # A message that cannot be made must not hide the error it is about.
        said = ""
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    return (
        f"internal error: {what.rstrip('.')}. This is a fault of thresher; "
        f"{DEBUG} shows the traceback."
    )


def _show_traceback(error: Exception) -> None:
    from traceback import format_exception

    for text in format_exception(error):
        for line in text.splitlines():
            say(printable(line))


def _plain(error: OSError) -> str:
    """What the system said, with the file it said it of."""
    if error.errno == errno.EBADF and error.filename is None:
        return "standard output is closed"
    what = error.strerror or str(error) or type(error).__name__
    return f"{error.filename}: {what}" if error.filename is not None else what


def _flush(stream: TextIO | None) -> None:
    # A full disk shows itself here at the latest; at exit nobody would hear of it.
    if stream is not None:
        stream.flush()


def _detach(stream: TextIO | None) -> None:
    """Nothing left in the buffer may be written when the interpreter ends: it would fail again."""
    try:
        if stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    except (OSError, ValueError):
        return

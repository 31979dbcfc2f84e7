"""What is said to people: on standard error, in colour where it is wanted, never in the way."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from typing import TextIO

import click

#: What would move the cursor, end the line or the column, or reorder what is read.
CONTROL = "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
#: Below this a table would be a column of dots; narrower terminals wrap.
NARROWEST = 20
#: Columns where there is no edge.
BOUNDLESS = 1 << 30


def is_terminal(stream: TextIO | None) -> bool:
    """Whether somebody is looking at a stream."""
    try:
        return stream is not None and stream.isatty()
    except (OSError, ValueError):
        return False


def can_write_over(stream: TextIO | None) -> bool:
    """Whether a line there can be wiped and written again: a terminal that is not a dumb one."""
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def coloured(stream: TextIO | None) -> bool:
    """Whether colour is wanted there: a terminal, and neither NO_COLOR nor a dumb one."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return is_terminal(stream) and not plain


def width() -> int:
    """Columns of the terminal: COLUMNS if set, 80 where nobody knows."""
    # As `shutil` has it, which takes 2 ms to import, with all its ways to compress.
    found = 0
    with suppress(ValueError):
        found = int(os.environ.get("COLUMNS", ""))
    if found <= 0:
        with suppress(AttributeError, OSError, ValueError):
            found = os.get_terminal_size(sys.__stdout__.fileno()).columns  # type: ignore[union-attr]
    return max(NARROWEST, found if found > 0 else 80)


def room_for_results() -> int:
    """Columns that a table on standard output may take: in a file or a pipe nothing is cut."""
    if is_terminal(sys.stdout) or os.environ.get("COLUMNS"):
        return width()
    return BOUNDLESS


def painted(text: str, colour: str, *, stream: TextIO | None = None, bold: bool = False) -> str:
    """The text, in colour if the stream (standard error unless given) takes it."""
    if not coloured(sys.stderr if stream is None else stream):
        return text
    return click.style(text, fg=colour, bold=bold or None)


def printable(name: str) -> str:
    r"""A name from a file on one line: control characters are written as escapes.

    >>> printable("a\tb\x1b[2J"), printable("né ,\\")
    ('a\\tb\\x1b[2J', 'né ,\\')
    """
    # Few names are anything else, and the expression takes half a millisecond to compile.
    if name.isprintable():
        return name
    return re.sub(CONTROL, lambda found: found[0].encode("unicode_escape").decode(), name)


def short(text: str, most: int) -> str:
    r"""A name from a file on one line, cut where it is longer than `most` characters.

    >>> short("a\tb", 8), short("hippopotamus", 8)
    ('a\\tb', 'hippo...')
    """
    plain = printable(text)
    return plain if len(plain) <= most else plain[: most - 3] + "..."


def say(text: str = "", *, end: str = "\n") -> None:
    """A line on standard error. If nobody can hear it, the work goes on."""
    with suppress(OSError, ValueError):
        click.echo(text + end, err=True, nl=False)


def complain(text: str) -> None:
    """An error, in one line, whatever names it has from files."""
    say(f"{painted('error:', 'red', bold=True)} {printable(text)}")


def warn(text: str) -> None:
    """Something the user should know although the work goes on."""
    say(f"{painted('warning:', 'yellow', bold=True)} {printable(text)}")

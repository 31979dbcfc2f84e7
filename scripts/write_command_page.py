"""Write docs/commands.md: the help of every command, as the commands print it.

The manual pages of docs/man are written along. Run it after changing a command; a test compares.
"""

from __future__ import annotations

from pathlib import Path

import click

from scripts import write_man_pages
from thresher.cli.main import COMMANDS, thresher

PAGE = Path(__file__).parents[1] / "docs" / "commands.md"
WIDTH = 100
HEAD = """\
# Commands

What `thresher COMMAND --help` prints, for every command. Results go to standard output, progress
and warnings to standard error. `-` as a file is standard input. Exit status 0 is yes, 1 is no (a
claim that does not hold), 2 is bad usage or input; a command ended by Ctrl-C leaves with 130, one
ended by SIGTERM with 143, and one whose reader went away with 141. `NO_COLOR` turns colours off,
`COLUMNS` says how wide tables may be. Options may also stand in a file or in variables
([configuration.md](configuration.md)); `man thresher-train` says what `thresher train --help` says.

This page is written by `scripts/write_command_page.py`.
"""


def page() -> str:
    """The whole page."""
    settings = {**thresher.context_settings, "terminal_width": WIDTH}
    root = click.Context(thresher, info_name="thresher", **settings)
    parts = [HEAD, _section("thresher", thresher.get_help(root))]
    for name in COMMANDS:
        command = thresher.get_command(root, name)
        assert command is not None
        context = click.Context(command, root, info_name=name, terminal_width=WIDTH)
        parts.append(_section(f"thresher {name}", command.get_help(context)))
    return "\n".join(parts)


def _section(title: str, text: str) -> str:
    lines = (line.rstrip() for line in text.splitlines())
    return f"## {title}\n\n```text\n" + "\n".join(lines) + "\n```\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    write_man_pages.write()

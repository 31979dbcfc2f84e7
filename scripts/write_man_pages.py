"""Write docs/man: a manual page for each command, from the same words as its help.

Run `python -m scripts.write_man_pages` after a help text has changed; a test compares.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from thresher.cli.main import COMMANDS, thresher

FOLDER = Path(__file__).parents[1] / "docs" / "man"


def pages() -> dict[str, str]:
    """Every page by the name of its file."""
    root = click.Context(thresher, info_name="thresher", **thresher.context_settings)
    found = {"thresher.1": page(root, "linear threshold classifiers, learned from a stream")}
    for name, line in COMMANDS.items():
        command = thresher.get_command(root, name)
        assert command is not None
        context = click.Context(command, root, info_name=name)
        found[f"thresher-{name}.1"] = page(context, line[:1].lower() + line[1:].rstrip("."))
    return found


def page(context: click.Context, line: str) -> str:
    """The page of a command, of which `line` says what it is for."""
    command = context.command
    name = context.command_path.replace(" ", "-")
    lines = [
        f'.TH {name.upper()} 1 "" "thresher" "User Commands"',
        ".SH NAME",
        rf"{escaped(name)} \- {escaped(line)}",
        ".SH SYNOPSIS",
        rf".B {escaped(context.command_path)}",
        escaped(" ".join(command.collect_usage_pieces(context))),
        ".SH DESCRIPTION",
        *_paragraphs(inspect.cleandoc(command.help or "")),
        ".SH OPTIONS",
        *_options(context),
    ]
    if isinstance(command, click.Group):
        lines.append(".SH COMMANDS")
        for one, said in COMMANDS.items():
            lines += [".TP", rf"\fBthresher-{escaped(one)}\fR(1)", escaped(said)]
    else:
        lines += [".SH SEE ALSO", r"\fBthresher\fR(1)"]
    return "\n".join(lines) + "\n"


def _options(context: click.Context) -> Iterator[str]:
    for parameter in context.command.get_params(context):
        if (record := parameter.get_help_record(context)) is not None:
            names, said = record
            yield from (".TP", rf"\fB{escaped(names)}\fR", escaped(" ".join(said.split())))


def _paragraphs(text: str) -> Iterator[str]:
    r"""The text of a help: paragraphs, and after a \b lines that stay as they are."""
    for part in re.split(r"\n\s*\n", text.replace("\f", "")):
        if part.startswith("\b"):
            yield from (".PP", ".nf", *map(escaped, part.splitlines()[1:]), ".fi")
        else:
            yield from (".PP", escaped(" ".join(part.split())))


def escaped(text: str) -> str:
    r"""The text as roff takes it for itself.

    >>> print(escaped("--bits\n.5"))
    \-\-bits
    \&.5
    """
    plain = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", plain, flags=re.MULTILINE)


def write() -> None:
    """Write all pages, and remove those of commands that are gone."""
    FOLDER.mkdir(exist_ok=True)
    found = pages()
    for old in FOLDER.glob("*.1"):
        if old.name not in found:
            old.unlink()
    for name, text in found.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()

"""The pages of the commands, written from the same words as their help."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from thresher.cli.main import COMMANDS, thresher

HEAD = """\
# Commands

`thresher COMMAND --help` prints the same as these pages, and so does `man thresher-train` if the
manual pages are installed.

Results go to standard output, progress and warnings to standard error. A file named `-` is standard
input. Exit status 0 means yes, 1 no (a claim does not hold), 2 bad usage or input. A command
interrupted by Ctrl-C exits with 130, by SIGTERM with 143, and with 141 if the reader of its output
went away. `NO_COLOR` turns colours off, and `COLUMNS` sets the width of tables. You can also set
options in a file or in variables ([configuration](../configuration.md)).
"""
#: What a sentence of the help may say of the command line: options, files, and other commands.
#: In capitals are what a user puts in, and names of formats and protocols, which are only words.
_WORD = re.compile(
    r"(?<![\w`/-])(--?[a-z][\w-]*"
    r"|(?!(?:CSV|HTML|HTTPS?|JSON|ONNX|POST|ROC|SIG[A-Z]+|SQL|UTF)\b)[A-Z][A-Z_]{2,}|[a-z]+(?:_[a-z]+)+|docs/[\w-]+\.md"
    r"|[\w.*-]*\.(?:thr|thb|svm|csv|json))\b"
)


def write(folder: Path) -> None:
    """Write the list and a page for each command."""
    folder.mkdir()
    rows = []
    for name, context in contexts().items():
        (folder / f"{name}.md").write_text(page(context), encoding="utf-8")
        rows.append(f"| [{name}]({name}.md) | {COMMANDS[name]} |")
    text = "\n".join([HEAD, "| command | what it does |", "|---|---|", *rows, ""])
    entries = "\n".join(COMMANDS)
    text += f"\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
    (folder / "index.md").write_text(text, encoding="utf-8")


def contexts() -> dict[str, click.Context]:
    """Every command by its name, as if it were called."""
    root = click.Context(thresher, info_name="thresher", **thresher.context_settings)
    found = {}
    for name in COMMANDS:
        command = thresher.get_command(root, name)
        assert command is not None
        found[name] = click.Context(command, root, info_name=name)
    return found


def page(context: click.Context) -> str:
    """What a command does, examples, and its options; those of its own commands below."""
    lines = [f"# {context.command_path}\n", *_described(context)]
    if isinstance(context.command, click.Group):
        for name, command in context.command.commands.items():
            inner = click.Context(command, context, info_name=name)
            lines += [f"## {inner.command_path}\n", *_described(inner, "###")]
    return "\n".join(lines)


def _described(context: click.Context, level: str = "##") -> Iterator[str]:
    command = context.command
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{usage}\n```\n"
    for part in re.split(r"\n\s*\n", inspect.cleandoc(command.help or "").replace("\f", "")):
        if not part.startswith("\b"):
            yield _marked(" ".join(part.split())) + "\n"
            continue
        title, *kept = part.splitlines()[1:]
        block = inspect.cleandoc(chr(10).join(kept))
        yield f"{level} {title.rstrip(':')}\n\n```text\n{block}\n```\n"
    yield f"{level} Options\n"
    for parameter in command.get_params(context):
        if (record := parameter.get_help_record(context)) is not None:
            names, said = record
            if said:
                yield f"`{names}`\n: {_marked(' '.join(said.split()))}\n"


def _marked(text: str) -> str:
    """A sentence of the help as Markdown: options and files as code, signs as themselves."""
    pieces = re.split(r"(`[^`]*`)", text)
    for n in range(0, len(pieces), 2):
        safe = re.sub(r"([*_$<>\[\]|\\])", r"\\\1", _WORD.sub("\0\\1\0", pieces[n]))
        pieces[n] = re.sub("\0([^\0]*)\0", lambda m: f"`{m[1].replace(chr(92), '')}`", safe)
    return re.sub(r"`thresher (\w+)`", _command_link, "".join(pieces))


def _command_link(found: re.Match[str]) -> str:
    return f"[{found[0]}]({found[1]}.md)" if found[1] in COMMANDS else found[0]

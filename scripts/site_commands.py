"""The pages of the commands: what each prints for --help, on a page of its own."""

from __future__ import annotations

from pathlib import Path

import click

from scripts.write_command_page import HEAD, WIDTH
from thresher.cli.main import COMMANDS, thresher


def write(folder: Path) -> None:
    """Write the list and a page for each command."""
    folder.mkdir()
    settings = {**thresher.context_settings, "terminal_width": WIDTH}
    root = click.Context(thresher, info_name="thresher", **settings)
    rows = []
    for name in COMMANDS:
        command = thresher.get_command(root, name)
        assert command is not None
        context = click.Context(command, root, info_name=name, terminal_width=WIDTH)
        text = "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
        page = f"# thresher {name}\n\n```text\n{text}\n```\n"
        (folder / f"{name}.md").write_text(page, encoding="utf-8")
        rows.append(f"| [{name}]({name}.md) | {command.get_short_help_str(200)} |")
    head = HEAD.rpartition("\n\n")[0].replace("](configuration.md)", "](../configuration.md)")
    entries = "\n".join(COMMANDS)
    text = "\n".join([head, "", "| command | what it does |", "|---|---|", *rows, ""])
    text += f"\n```{{toctree}}\n:hidden:\n\n{entries}\n```\n"
    (folder / "index.md").write_text(text, encoding="utf-8")

"""`thresher store`: looking after the store of a service."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.leaving import DEBUG
from thresher.cli.options import Command
from thresher.cli.serve import not_installed
from thresher.errors import RequestError
from thresher.service.place import is_postgres, place_of

if TYPE_CHECKING:
    from thresher.service.exporting import AsFile
    from thresher.service.store import Store


class Place(click.Path):
    """A folder that is there, or the address of a database."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Leave an address as it is."""
        return value if is_postgres(value) else super().convert(value, param, ctx)


FOLDER = click.argument("folder", metavar="DIR|URL", type=Place(exists=True, file_okay=False))


class Commands(click.Group):
    """Commands of their own, which take `--debug` together."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, and the option that the head of the command line has as well."""
        debug = click.Option([DEBUG], is_flag=True, expose_value=False, hidden=True)
        return [*super().get_params(ctx), debug]


@click.group("store", cls=Commands)
def command() -> None:
    """Maintain the store of a service: check, compact, export, back up.

    In a folder, all commands except `backup` need exclusive access to the store: stop the service
    first, or use a backup. In a database, `check` and `export` also work while instances are
    running.

    \b
    Examples:
      thresher store backup models copy
      thresher store check copy
      thresher store export copy mail > mail.jsonl
      thresher store check 'postgresql://ann@db/mail?schema=thresher'
    """


def _opened(folder: str) -> Store:
    try:
        from thresher.service.store import Store
    except ModuleNotFoundError as error:
        raise not_installed(error) from None
    if not is_postgres(folder) and not Path(folder, "thresher.db").is_file():
        raise RequestError(f"{folder}: there is no store in this folder.")
    try:
        return Store(folder)
    except ModuleNotFoundError as error:
        raise not_installed(error) from None


@command.command("check", cls=Command)
@FOLDER
def check(folder: str) -> int:
    """Replay the log between snapshots, and say whether it gives the same models to the bit.

    \b
    Example:
      thresher store check copy
    """
    store = _opened(folder)
    from thresher.service.upkeep import checked

    sound = True
    for finding in checked(store):
        sound &= finding.sound
        click.echo(f"{'ok ' if finding.sound else 'BAD'} {finding.said}")
    store.close()
    return 0 if sound else 1


@command.command("compact", cls=Command)
@FOLDER
def compact(folder: str) -> int:
    """Write a snapshot of every model, drop the log before it, and free the space.

    Models are not changed, and ids of events are still remembered, but no model can be rolled back
    any more. In a database the space is free for new rows, and returned as far as it is at the ends
    of tables.

    \b
    Example:
      thresher store compact models
    """
    store = _opened(folder)
    from thresher.service.upkeep import compacted

    saved = compacted(store)
    store.close()
    click.echo(f"{saved} bytes less")
    return 0


@command.command("export", cls=Command)
@FOLDER
@click.argument("model")
@click.option(
    "--kind",
    type=click.Choice(["json", "svmlight", "vw", "text", "csv"]),
    help="Only these lines.  [default: in the format of the model's files]",
)
@click.option("-o", "--output", type=click.Path(dir_okay=False), metavar="FILE.thr",
              help="Write the model as it is now, instead of its log.")  # fmt: skip
@click.option("--effective", is_flag=True, help="Leave out the lines that were taken back.")
def export(folder: str, model: str, kind: str | None, output: str | None, effective: bool) -> int:
    """Write the events in the log of a model, as they were received, or the model.

    `thresher train` learns from these lines what the service has learned from them: lines of JSON,
    of texts, or a table, in the format of the model's files. The log also contains lines that a
    rollback took back; --effective leaves them out.

    \b
    Examples:
      thresher store export copy mail > mail.jsonl
      thresher store export copy mail --effective > mail.jsonl
      thresher store export copy mail -o mail.thr
    """
    store = _opened(folder)
    from thresher.cli.terminal.speech import say
    from thresher.models.file import save_model
    from thresher.service.exporting import as_file
    from thresher.service.upkeep import model_of

    if output is not None:
        live = model_of(store, model).live
        save_model(live.champion.model, output)
        say(f"{output}: {model} after {live.sequence} events.")
    else:
        found = as_file(store, model, kind, effective=effective)
        for line in found.lines:
            click.echo(line, nl=False)
        for remark in _remarks(found, effective=effective):
            say(remark)
    store.close()
    return 0


def _remarks(found: AsFile, *, effective: bool) -> Iterator[str]:
    """What to know before learning from exported lines."""
    log = found.log
    if log.first > 1:
        yield f"The log begins with event {log.first}: what came before is in snapshots alone."
    if log.taken_back:
        left = "left out" if effective else "among these lines; --effective leaves them out"
        yield f"Events that were taken back by a rollback: {log.taken_back}, {left}."
    if log.swaps:
        yield (
            f"A shadow took over {log.swaps} times: the model was not made by all of these "
            "lines, but by those since the shadow began."
        )
    words = [f"--format {found.kind}"]
    for name, value in found.reading.items():
        option = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            words.append(option)
        elif name == "pairs":
            words += [f"{option} {shlex.quote(one)}" for one in value]
        else:
            listed = value if isinstance(value, str) else ",".join(value)
            words.append(f"{option} {shlex.quote(listed)}")
    if len(words) > 1:
        yield f"A new model reads these lines as this one did with: {' '.join(words)}"


@command.command("backup", cls=Command)
@FOLDER
@click.argument("target", type=click.Path(file_okay=False))
def backup(folder: str, target: str) -> int:
    """Copy a store, which may be in use, to a new folder.

    \b
    Example:
      thresher store backup models copy
    """
    if is_postgres(folder):
        raise RequestError(
            f"{place_of(folder).shown}: a database is backed up by its own tools.",
            f"Take pg_dump --schema={place_of(folder).schema}, or a base backup with its log.",
            code="request.backup",
        )
    if not Path(folder, "thresher.db").is_file():
        raise RequestError(f"{folder}: there is no store in this folder.")
    try:
        from thresher.service.backup import backed_up
        from thresher.service.database import connected
    except ModuleNotFoundError as error:
        raise not_installed(error) from None
    db = connected(Path(folder))
    count = backed_up(db, Path(folder), Path(target))
    db.close()
    click.echo(f"{target}: {count} models")
    return 0


@command.command("token", cls=Command)
@click.argument("file", type=click.Path(dir_okay=False))
@click.argument("role", type=click.Choice(["read", "learn", "admin"]))
@click.argument("name")
def token(file: str, role: str, name: str) -> int:
    """Make a token, print it once, and add its digest to a file of tokens.

    \b
    Example:
      thresher store token tokens.txt learn checkout
    """
    import os
    import re

    from thresher.service.tokens import new_token

    if re.fullmatch(r"[\w.-]{1,64}", name) is None:
        raise RequestError(f"a token is called by 1 to 64 letters, digits and ._-, found {name!r}.")
    made, line = new_token(role, name)
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    with open(handle, "r+b", buffering=0) as out:
        # An editor may have left the last line without its end.
        cut = out.readall()[-1:] not in (b"", b"\n")
        out.write(b"\n" * cut + line.encode() + b"\n")
    click.echo(made)
    return 0

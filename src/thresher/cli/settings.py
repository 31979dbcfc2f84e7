"""Settings: options that a file or the environment gives to whoever has not typed them.

A file in TOML has options for all commands that know them, and a table for each command:

    bits = 20
    [train]
    holdout = 10

One file is in force: the one that THRESHER_CONFIG names, or `thresher.toml` in the current folder,
or the user's own. A variable THRESHER_BITS, or THRESHER_TRAIN_BITS for one command, comes before
the file, and what is typed before both.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import click

from thresher.cli.leaving import DEBUG_VARIABLE
from thresher.errors.error import did_you_mean

PREFIX = "THRESHER_"
#: The variable that names the file; empty: there is none.
FILE_VARIABLE = "THRESHER_CONFIG"
FILE_HERE = "thresher.toml"


class Setting(NamedTuple):
    """The value of an option, and where it is from: a file, or a variable."""

    value: Any
    source: str
    #: Whether it is said of one command alone.
    own: bool


def settings_of(
    name: str, command: click.Command, every: Callable[[], Mapping[str, click.Command]]
) -> dict[str, Setting]:
    """What the file and the environment say about the options of a command, by parameter.

    Parameters
    ----------
    name, command
        The command that is to run.
    every
        Gives all commands by name; asked where a setting is not one of this command.
    """
    options = named_options(command)
    found: dict[str, Setting] = {}
    if (path := settings_file()) is not None:
        for key, value, own in _for_command(path, name, options, every):
            plain = _plain(options[key], value, path)
            found[parameter_of(options[key])] = Setting(plain, path, own)
    for key, option in options.items():
        for variable, own in ((_variable(key), False), (_variable(f"{name}_{key}"), True)):
            if (text := os.environ.get(variable)) is not None and variable != FILE_VARIABLE:
                value = _words(text, variable) if option.multiple else text
                found[parameter_of(option)] = Setting(value, variable, own)
    return found


def settings_file() -> str | None:
    """The file that is in force; None where there is none."""
    if (named := os.environ.get(FILE_VARIABLE)) is not None:
        return named or None
    own = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    found = (FILE_HERE, os.path.join(own, "thresher", "config.toml"))
    return next((path for path in found if os.path.isfile(path)), None)


def named_options(command: click.Command) -> dict[str, click.Option]:
    """The options of a command that can be set, by their names without hyphens in front."""
    shown = (one for one in command.params if isinstance(one, click.Option) and not one.hidden)
    return {max(one.opts, key=len).lstrip("-"): one for one in shown}


def _for_command(
    path: str,
    name: str,
    options: Mapping[str, click.Option],
    every: Callable[[], Mapping[str, click.Command]],
) -> Iterator[tuple[str, Any, bool]]:
    """What a file says about a command; what is said of it alone comes last, and is marked."""
    content = _content(path)
    general = {key: value for key, value in content.items() if not isinstance(value, dict)}
    strange = {key for key in content if key not in (options if key in general else {name})}
    commands = every() if strange else {}
    known = {one for other in commands.values() for one in named_options(other)}
    for key in sorted(strange):
        if key in general and key in commands and key not in known:
            raise click.UsageError(
                f"{path}: {key} is a command, whose options are a table: [{key}]."
            )
        if key in general and key not in known:
            raise click.UsageError(_no_option(path, key, known))
        if key not in general and key not in commands:
            near = did_you_mean(key, commands)
            raise click.UsageError(f"{path}: there is no command {key!r}.{near}")
    yield from ((key, value, False) for key, value in general.items() if key in options)
    for key, value in ({} if name in general else content.get(name, {})).items():
        if key not in options:
            raise click.UsageError(_no_option(f"{path}, [{name}]", key, options))
        yield key, value, True


def misspelt_variables(
    command: click.Command, every: Callable[[], Mapping[str, click.Command]]
) -> Iterator[str]:
    """What to say about variables that look like settings, and are none by a letter or two."""
    its = {*map(_variable, named_options(command))}
    ours = {FILE_VARIABLE, DEBUG_VARIABLE, *its}
    strange = [name for name in os.environ if name.startswith(PREFIX) and name not in ours]
    if not strange:
        return
    for name, other in every().items():
        for key in named_options(other):
            ours |= {_variable(key), _variable(f"{name}_{key}")}
    # Without what all have in common, which would make all of them look alike.
    for variable in strange:
        written = variable.removeprefix(PREFIX)
        # An option of this command is likelier than one of another.
        near = did_you_mean(written, (one.removeprefix(PREFIX) for one in sorted(its)))
        near = near or did_you_mean(written, (one.removeprefix(PREFIX) for one in sorted(ours)))
        if variable not in ours and near:
            yield f"{variable} sets nothing.{near}"


def _no_option(where: str, key: str, known: Iterable[str]) -> str:
    return f"{where}: there is no option {key!r}.{did_you_mean(key, known)}"


def _content(path: str) -> dict[str, Any]:
    import tomllib

    try:
        with open(path, "rb") as file:
            content = tomllib.load(file)
    except OSError as error:
        raise click.UsageError(f"{path}: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{path}: this is not TOML: {error}.") from None
    # As it is typed after two hyphens; an underscore is taken for one, as in the variables.
    return {
        key.replace("_", "-"): (
            {inner.replace("_", "-"): one for inner, one in value.items()}
            if isinstance(value, dict)
            else value
        )
        for key, value in content.items()
    }


def _words(text: str, variable: str) -> list[str]:
    """The values in a variable, as a shell splits words."""
    try:
        return shlex.split(text)
    except ValueError as error:
        why = str(error).lower()
        raise click.UsageError(
            f"{variable}: these are no words of a shell ({why}): {text}"
        ) from None


def _plain(option: click.Option, value: Any, path: str) -> Any:
    """A value of a file as it would be typed; yes or no for what takes no value."""
    key = max(option.opts, key=len)
    if option.is_flag:
        if not isinstance(value, bool):
            raise click.UsageError(f"{path}: {key[2:]} is true or false, found {value!r}.")
        return value
    listed = value if isinstance(value, list) else [value]
    if any(isinstance(one, bool) or not isinstance(one, str | int | float) for one in listed):
        raise click.UsageError(f"{path}: {key[2:]} is a text or a number, found {value!r}.")
    if not option.multiple and listed is value:
        raise click.UsageError(f"{path}: {key[2:]} has one value, found {value!r}.")
    return [str(one) for one in listed] if option.multiple else str(value)


def _variable(key: str) -> str:
    return PREFIX + key.replace("-", "_").upper()


def parameter_of(option: click.Option) -> str:
    """The name under which a command gets an option."""
    assert option.name is not None
    return option.name

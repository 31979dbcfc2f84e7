"""Settings in force: what becomes of them when a command is typed, and what is said about them."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterable, Mapping

import click
from click.core import ParameterSource

from thresher.cli.settings import Setting, named_options, parameter_of

#: What the names of models end with, where a model may stand for data.
MODEL_SUFFIX = ".thr"
#: Options about one thing: where one of them is typed, the others are not taken from settings.
ONE_THING = (
    {"bits", "features"},
    {"seed", "vocabulary"},
    {"positive", "multiclass"},
    {"learner", "assigned", "bias", "beta", "threshold", "eta", "margin"},
)


def every_command(parent: click.Context) -> dict[str, click.Command]:
    """All commands by name."""
    group = parent.command
    assert isinstance(group, click.Group)
    found = {name: group.get_command(parent, name) for name in group.list_commands(parent)}
    return {name: command for name, command in found.items() if command is not None}


def tell_settings(
    context: click.Context, found: Mapping[str, Setting], faults: Iterable[str]
) -> None:
    """Say which options are not from the command line, for they may surprise; and what is wrong."""
    from thresher.cli.terminal.speech import say, warn

    words = in_words(context)
    if words and not context.params.get("quiet"):
        sources = ", ".join(dict.fromkeys(setting.source for setting in found.values()))
        say(f"settings {shlex.join(words)} (from {sources})")
    for fault in faults:
        warn(fault)


def put_aside(context: click.Context, words: list[str], of_a_model: Collection[str]) -> None:
    """Leave out what settings say about a thing of which the words say something else.

    A model that is trained further, or certified, says something about all these things, and about
    those that are `of_a_model`.
    """
    if not context.default_map:
        return
    values, _, order = context.command.make_parser(context).parse_args([*words])
    typed = {parameter.name for parameter in order}
    certified = str(next(iter(values.get("paths") or ()), "")).endswith(MODEL_SUFFIX)
    resumed = certified or "resume" in typed or "resume" in context.default_map
    about: list[Collection[str]] = [things for things in ONE_THING if resumed or typed & things]
    about += [of_a_model] if resumed else []
    context.default_map = {
        name: value
        for name, value in context.default_map.items()
        if not any(name in things for things in about)
    }


def in_words(context: click.Context) -> list[str]:
    """The settings that are in force, as they would be typed."""
    words: list[str] = []
    for key, option in named_options(context.command).items():
        name = parameter_of(option)
        if _source(context, name) != _SET:
            continue
        value = (context.default_map or {})[name]
        if option.is_flag:
            yes = context.params.get(name, value) not in (False, None)
            words += [f"--{key}"] if yes else option.secondary_opts[:1]
        else:
            for one in value if isinstance(value, list) else [value]:
                words += [f"--{key}", str(one)]
    return words


def blamed(error: click.BadParameter, settings: Mapping[str, Setting]) -> click.BadParameter:
    """The error; where a setting is to blame, with the place that it is from."""
    context, name = error.ctx, None if error.param is None else error.param.name
    if context is None or name not in settings or name is None:
        return error
    if _source(context, name) != _SET:
        return error
    said = f"{error.message} (from {settings[name].source})"
    return click.BadParameter(said, context, error.param)


_SET = ParameterSource.DEFAULT_MAP


def _source(context: click.Context, name: str) -> ParameterSource | None:
    return context.get_parameter_source(name)

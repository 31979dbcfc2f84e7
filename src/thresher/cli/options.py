"""Options that commands share: what to read, how lines become rows, what to do with bad lines.

A command that reads data is decorated with `reads_data` and gets one argument, `data`, with
everything the options said. Nothing heavy is imported before the command runs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any, TypeVar

import click

from thresher.cli.leaving import DEBUG
from thresher.cli.parsing import lists_joined, name_list, on_bad, separator, span
from thresher.cli.remedies import phrased
from thresher.cli.renamed_options import with_new_names
from thresher.cli.settings import misspelt_variables, settings_of
from thresher.cli.settings_in_force import (
    blamed,
    every_command,
    in_words,
    put_aside,
    tell_settings,
)
from thresher.cli.writing import check_files
from thresher.errors import RequestError
from thresher.models.input_data import GRAMS, InputData

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]

#: As `streams.formats.detection` has them; a test compares, so that help need not import it.
FORMATS = ("svmlight", "vw", "json", "csv", "text", "parquet", "arrow", "binary")


class Command(click.Command):
    """A command that takes `--debug`, and the file of `--on-bad quarantine FILE` as a word."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, and the option that the head of the command line has as well."""
        # What it asks for is done where commands end.
        debug = click.Option([DEBUG], is_flag=True, expose_value=False, hidden=True)
        return [*super().get_params(ctx), debug]

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """The context, in which settings stand for options that were not typed."""
        if parent is None or info_name is None or extra.get("resilient_parsing"):
            return super().make_context(info_name, args, parent, **extra)
        every = partial(every_command, parent)
        found = settings_of(info_name, self, every)
        if any(isinstance(one, click.Argument) and one.name == "model" for one in self.params):
            # A model says itself how lines become rows; what is said of this command is meant.
            of_a_model = {*_OF_A_MODEL, "positive"}
            found = {k: one for k, one in found.items() if one.own or k not in of_a_model}
        given = {name: setting.value for name, setting in found.items()}
        try:
            context = super().make_context(info_name, args, parent, default_map=given, **extra)
        except click.BadParameter as error:
            raise blamed(error, found) from None
        tell_settings(context, found, misspelt_variables(self, every))
        return context

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join what is one value, and was typed as several words."""
        joined: list[str] = []
        words = iter(lists_joined(with_new_names(self.name, args), _LISTS))
        for word in words:
            if word == "quarantine" and joined and joined[-1] == "--on-bad":
                word = f"quarantine={next(words, '')}"
            joined.append(word)
        put_aside(ctx, joined, _OF_A_MODEL)
        left = super().parse_args(ctx, joined)
        #: As they were typed, and what settings add, for the model's history and for the command
        #: that resumes.
        ctx.meta["thresher.words"] = [word for word in args if word != DEBUG] + in_words(ctx)
        return left

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what cannot be asked for is bad usage."""
        check_files(self.name, ctx.params)
        try:
            return super().invoke(ctx)
        except RequestError as error:
            raise click.UsageError(phrased(error), ctx) from None


#: Options that take names with commas between them.
_LISTS = ("--numeric", "--categorical", "--ignore")
_OWN = ("paths", "on_bad", "max_bad", "threads", "chunk_bytes", "seed", "vocabulary")
_RECIPE = (
    *("format", "encoding", "ignore_initial", "one_based", "label_field", "numeric", "categorical"),
    *("ignored", "separator", "label_last", "pairs"),
)
#: What a model keeps, beside its learner and how names find columns.
_OF_A_MODEL = (*_RECIPE, *GRAMS, "calibrate", "class_weight")


def _stack(options: list[Decorator[Any]]) -> Decorator[Any]:
    """Several options as one decorator, in the order in which help shows them."""

    def decorate(function: Any) -> Any:
        for option in reversed(options):
            function = option(function)
        return function

    return decorate


def _format_options() -> list[Decorator[Any]]:
    return [
        click.option(
            "--format",
            type=click.Choice(FORMATS),
            help="Format of the data. Default: detected from its name and first lines.",
        ),
        click.option(
            "--encoding",
            metavar="NAME",
            help="Encoding of lines, such as latin-1 or utf-16; lines with invalid bytes are bad "
            "lines. Default: UTF-8, and texts with other bytes are read and counted.",
        ),
        click.option(
            "--one-based", is_flag=True, default=None, help="svmlight: index 1 is column 0."
        ),
        click.option(
            "--label-field",
            metavar="NAME",
            help="JSON, CSV, Parquet: the field with the label.  [default: label]",
        ),
        click.option(
            "--numeric",
            type=name_list,
            metavar="NAME,...",
            help="CSV, Parquet: columns to read as numbers.",
        ),
        click.option(
            "--categorical",
            type=name_list,
            metavar="NAME,...",
            help="CSV, Parquet: columns to read as categories.",
        ),
        click.option(
            "--ignore",
            "ignored",
            type=name_list,
            metavar="NAME,...",
            help="CSV, Parquet: columns to ignore.",
        ),
        click.option(
            "--ignore-initial",
            is_flag=True,
            default=None,
            help="VW text: ignore initial predictions (the third number).",
        ),
        click.option(
            "--separator",
            type=separator,
            metavar="CHAR",
            help="CSV: the separator between fields, such as ; or tab.  [default: detected from "
            "the header]",
        ),
        click.option(
            "--label-last",
            is_flag=True,
            default=None,
            help="Text: the label comes after the text.  [default: detected from the first lines]",
        ),
        click.option(
            "--words",
            type=span,
            metavar="N-M",
            help="Text: lengths of word sequences, such as 1.  [default: 1-2]",
        ),
        click.option(
            "--characters",
            type=span,
            metavar="N-M",
            help="Text: lengths of character sequences, such as 3-5.",
        ),
        click.option(
            "--sparse-bigrams",
            type=click.IntRange(2, 16),
            metavar="WINDOW",
            help="Text: orthogonal sparse bigrams in a window of this many words.",
        ),
        click.option(
            "--counts",
            is_flag=True,
            default=None,
            help="Text: the value of a feature is how often it occurs.",
        ),
        click.option(
            "--pairs",
            multiple=True,
            metavar="A,B|all",
            help="Add products of features of two columns or namespaces, or of every two "
            "features of a row; can be repeated.",
        ),
    ]


def _name_options() -> list[Decorator[Any]]:
    return [
        click.option(
            "--bits",
            type=click.IntRange(1, 30),
            metavar="B",
            help="Hash names into 2^B features.  [default: 18; for texts 20]",
        ),
        click.option(
            "--features",
            type=click.IntRange(1, 2**31 - 1),
            metavar="N",
            help="Use N features instead of 2^B.",
        ),
        click.option(
            "--seed",
            type=click.IntRange(0, 2**32 - 1),
            metavar="S",
            help="Seed of the hash.  [default: 0]",
        ),
        click.option(
            "--vocabulary", is_flag=True, help="Keep names exactly instead of hashing them."
        ),
    ]


def _bad_line_options() -> list[Decorator[Any]]:
    return [
        click.option(
            "--on-bad",
            type=on_bad,
            metavar="stop|skip|quarantine FILE",
            default="stop",
            show_default=True,
            help="What to do with a line that cannot be read: stop, skip and count it, or also "
            "write it to FILE with the reason.",
        ),
        click.option(
            "--max-bad",
            type=click.IntRange(0),
            metavar="N",
            help="Stop after more than N bad lines.",
        ),
        click.option(
            "--threads",
            type=click.IntRange(1, 64),
            metavar="N",
            help="Number of threads; the result does not depend on it.",
        ),
        click.option("--chunk-bytes", type=click.IntRange(1), hidden=True),
    ]


def reads_data(*, labels: bool = True, names: bool = True, required: bool = True) -> Decorator[Any]:
    """The argument DATA... and the options that go with it, as one argument `data`.

    `names` says whether the command decides how names find columns; one that has a model
    leaves that to the model.
    """
    options: list[Decorator[Any]] = [
        click.argument("paths", metavar="DATA...", nargs=-1, required=required)
    ]
    options += _format_options()
    if labels:
        options.append(
            click.option(
                "--positive",
                metavar="LABEL",
                help="The label that counts as +1; every other counts as -1.",
            )
        )
    options += (_name_options() if names else []) + _bad_line_options()

    def decorate(function: Any) -> Any:
        @wraps(function)
        def with_data(**arguments: Any) -> Any:
            return function(data=_collect(arguments), **arguments)

        return _stack(options)(with_data)

    return decorate


def _collect(arguments: dict[str, Any]) -> InputData:
    """Take what belongs to the data out of a command's arguments."""
    taken = {name: arguments.pop(name, None) for name in (*_RECIPE, *GRAMS)}
    own = {name: arguments.pop(name) for name in _OWN if name in arguments}
    bits, features = arguments.pop("bits", None), arguments.pop("features", None)
    if bits is not None and features is not None:
        raise click.UsageError("--bits and --features both say how many features there are.")
    if own["on_bad"][0] == "stop" and own["max_bad"] is not None:
        raise click.UsageError("--max-bad goes with --on-bad skip or quarantine.")
    if own.get("vocabulary") and own.get("seed") is not None:
        raise click.UsageError("--seed is of the hash; --vocabulary does not hash.")
    given = {name: value for name, value in taken.items() if value not in (None, ())}
    n_features = features if bits is None else 2**bits
    positive = arguments.pop("positive", None)
    return InputData(given=given, positive=positive, n_features=n_features, phrase=phrased, **own)


json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
window_option = click.option(
    "--window",
    type=click.IntRange(1),
    metavar="N",
    help="Also report the error of the last N rows, which shows drift.",
)
quiet_option = click.option(
    "-q", "--quiet", is_flag=True, help="Print only results, warnings and errors."
)

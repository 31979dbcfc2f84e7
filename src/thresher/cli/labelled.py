"""Labelled rows for commands that look at every one, and what people are told meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from thresher.models.input_data import GRAMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from thresher.models.input_data import InputData
    from thresher.models.labelled import LabelledStream, Piece
    from thresher.models.model import Model
    from thresher.streams.recipe import Recipe

#: For commands whose rows all count alike.
importance_option = click.option(
    "--ignore-importance", is_flag=True, help="Give every row the weight 1."
)


@contextmanager
def telling(*, quiet: bool) -> Iterator[Callable[[object], None]]:
    """A function that tells people of events: what is read, how far it is, what was bad."""
    from thresher.cli.remedies import chosen_by_order, shuffled_first
    from thresher.cli.terminal.live_line import LiveLine
    from thresher.cli.terminal.speech import printable, say, warn
    from thresher.models.events import Progressed, SortedByLabel, Understood, Warned

    with LiveLine(quiet=quiet) as line:

        def tell(event: object) -> None:
            if isinstance(event, Progressed):
                line.show(event)
            elif not quiet and isinstance(event, Understood):
                say(printable(f"{event.format}, {event.labels}{chosen_by_order(event.other)}"))
            elif isinstance(event, Warned | SortedByLabel):
                line.clear()
                warn(event.text if isinstance(event, Warned) else shuffled_first(event.told))

        yield tell


def told(stream: LabelledStream, *, quiet: bool) -> Iterator[Piece]:
    """The pieces of a stream, while people are told about it."""
    from thresher.models.labelled import Piece

    with telling(quiet=quiet) as tell:
        for event in stream.events():
            if isinstance(event, Piece):
                yield event
            else:
                tell(event)


def reading_words(data: InputData, model: Model | None = None) -> list[str]:
    """The options under which another command reads the data as this one did."""
    words: list[str] = []
    given = dict(data.given)
    if model is not None:
        given |= _said_by(model.recipe)
    for name, value in given.items():
        words += _words_of(name, value)
    positive = data.positive if model is None or not model.labels.rest else model.labels.positive
    words += [] if positive is None else ["--positive", positive]
    table = None if model is None else model.name_table
    n_features = data.n_features if table is None else table.n_features
    # A table that grows has no number of features.
    words += [] if not n_features else ["--features", str(n_features)]
    if data.vocabulary if table is None else not table.hashed:
        words.append("--vocabulary")
    elif seed := data.seed if table is None else table.seed:
        words += ["--seed", str(seed)]
    return words


def _said_by(recipe: Recipe) -> dict[str, Any]:
    """What must be said to have data read as a model reads it."""
    names = (
        *("format", "encoding", "ignore_initial", "one_based", "label_field", "separator"),
        *("label_last", "pairs"),
    )
    plain = type(recipe)()
    given = {n: getattr(recipe, n) for n in names if getattr(recipe, n) != getattr(plain, n)}
    if recipe.format == "csv":
        columns = ("numeric", "categorical", "ignored")
        given |= {n: getattr(recipe, n) for n in columns if getattr(recipe, n)}
    if recipe.format == "text":
        given |= {n: getattr(recipe.text, n) for n in GRAMS if getattr(recipe.text, n)}
    return given


def _words_of(name: str, value: Any) -> list[str]:
    """One option of a recipe as it is typed."""
    option = "--ignore" if name == "ignored" else "--" + name.replace("_", "-")
    if value is True:
        return [option]
    if name == "pairs":
        return [word for pair in value for word in (option, pair)]
    if name in ("words", "characters"):
        return [option, f"{value[0]}-{value[1]}"]
    return [option, ",".join(value) if isinstance(value, tuple) else str(value)]

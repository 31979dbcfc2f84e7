"""Labelled rows for commands that look at every one: batches, where they stand, and their names."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.learner_choice import DEFAULT_BITS
from thresher.errors import StreamFaultError

if TYPE_CHECKING:
    from thresher.cli.options import DataOptions
    from thresher.kernels.rows.named_rows import NameTable
    from thresher.models.model import Model
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream


@dataclass(frozen=True, slots=True)
class Piece:
    """Some rows of a stream with their labels: a `Batch`, or a `NamedBatch` of several classes."""

    batch: Any
    chunk: Chunk
    stream: Stream

    @property
    def several(self) -> bool:
        """Whether labels are the names of classes."""
        return self.stream.scheme is not None and self.stream.scheme.several

    def place(self, row: int) -> str:
        """File and line of a row."""
        return f"{self.chunk.file}:{int(self.chunk.line[row])}"

    def names_in(self, row: int) -> dict[int, str]:
        """What the columns of a row are called in the file; those without a name are left out."""
        return dict(self.stream.names_in(self.chunk, row))

    def refuse_weights(self) -> None:
        """Complain about the first row that wants to count more or less than the others."""
        importance = self.chunk.importance
        if importance is None or (importance == 1.0).all():
            return
        row = int((importance != 1.0).argmax())
        raise StreamFaultError(
            f"{self.place(row)}: this row has importance {importance[row]:g}, and here every row "
            "counts once. --ignore-importance gives all the weight 1."
        )


class LabelledStream:
    """A stream, piece by piece; what was found out about it is said once."""

    def __init__(self, stream: Stream, *, quiet: bool, weights: bool) -> None:
        self.stream, self.quiet, self.weights = stream, quiet, weights

    def what_labels_mean(self) -> str:
        """The scheme in words; with several classes, how many there are so far."""
        scheme, seen = self.stream.scheme, len(self.stream.label_names)
        more = f", {seen:,} so far" if scheme is not None and scheme.several else ""
        return f"{scheme}{more}"

    def __iter__(self) -> Iterator[Piece]:
        from thresher.cli.terminal.speech import say

        said = self.quiet
        live = LiveLine(self.stream.total_bytes, quiet=self.quiet)
        for chunk in self.stream.chunks():
            if not len(chunk.rows):
                continue
            several = self.stream.scheme is not None and self.stream.scheme.several
            batch = self.stream.named_batch(chunk) if several else self.stream.batch(chunk)
            piece = Piece(batch, chunk, self.stream)
            if not self.weights:
                piece.refuse_weights()
            if not said:
                say(f"{self.stream.format}, {self.what_labels_mean()}")
                said = True
            live.show(chunk.position)
            yield piece
        live.clear()
        if not self.quiet and (report := self.stream.bad.report()):
            say(report)


class LiveLine:
    """How much of the input was read, for whoever looks at a terminal."""

    def __init__(self, total: int | None, *, quiet: bool) -> None:
        import sys

        from thresher.cli.terminal.speech import can_write_over

        self.total = total
        self.wanted = not quiet and can_write_over(sys.stderr)
        self.shown = monotonic()

    def show(self, position: int) -> None:
        """Say how far it is, a few times a second at most."""
        from thresher.cli.progress import BETWEEN_LIVE_LINES
        from thresher.cli.terminal.speech import say

        if self.wanted and monotonic() - self.shown >= BETWEEN_LIVE_LINES:
            share = f"{position / self.total:.0%}" if self.total else f"{position / 1e6:,.0f} MB"
            say(f"\r{share} read ", end="")
            self.shown = monotonic()

    def clear(self) -> None:
        """Wipe the line."""
        from thresher.cli.terminal.speech import say

        if self.wanted:
            say("\r" + " " * 20 + "\r", end="")


#: For commands whose rows all count alike.
importance_option = click.option(
    "--ignore-importance", is_flag=True, help="Give every row the weight 1."
)


@contextmanager
def labelled_stream(
    data: DataOptions,
    learner: Any = None,
    *,
    model: Model | None = None,
    quiet: bool = False,
    weights: bool = False,
    several: bool | None = False,
) -> Iterator[LabelledStream]:
    """The stream that the options describe, read for a learner, a model, or for anybody.

    Rows all count alike: one with an importance other than 1 is refused, unless `weights` says
    that they may stand there. `several` says whether there may be several classes; None: as
    the first rows show.
    """
    from thresher.cli.opening import open_stream, scheme_of
    from thresher.models.model import Model
    from thresher.streams.label_scheme import LabelScheme

    if model is not None:
        scheme = scheme_of(data, model.labels)
        stream = open_stream(data, model.name_table, recipe=model.recipe, scheme=scheme, add=False)
    else:
        names = names_for_all(data) if learner is None else Model(learner=learner).name_table
        scheme = scheme_of(data, LabelScheme())
        if several is not False:
            scheme.allow_several(certain=several is True)
        stream = open_stream(data, names, scheme=scheme)
    with stream:
        yield LabelledStream(stream, quiet=quiet, weights=weights)


def names_for_all(data: DataOptions) -> NameTable:
    """The table of names where several learners see the same rows.

    Some of them take features up to 1 only, so names that share a column are not added up.
    """
    from thresher.kernels.rows.named_rows import NameTable

    if data.vocabulary:
        return NameTable(data.n_features, False, 0, True)
    return NameTable(data.n_features or 2**DEFAULT_BITS, True, data.seed or 0, True)


def reading_words(data: DataOptions, model: Model | None = None) -> list[str]:
    """The options under which another command reads the data as this one did."""
    words: list[str] = []
    given = dict(data.given)
    if model is not None:
        format_ = model.recipe.format
        given |= {} if format_ is None else {"format": format_}
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


def _words_of(name: str, value: Any) -> list[str]:
    """One option of a recipe as it is typed."""
    option = "--ignore" if name == "ignored" else "--" + name.replace("_", "-")
    if value is True:
        return [option]
    if name in ("words", "characters"):
        return [option, f"{value[0]}-{value[1]}"]
    return [option, ",".join(value) if isinstance(value, tuple) else str(value)]

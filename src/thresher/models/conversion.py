"""Conversion: a stream in one format, written again in another."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from thresher.errors import ParameterError, RequestError, SourceError
from thresher.kernels.rows.named_rows import NameTable
from thresher.models.events import Progressed
from thresher.models.input_data import InputData
from thresher.models.opening import open_stream
from thresher.models.shuffling import header_of, keeps_lines, lines_of, shuffled, shuffled_lines
from thresher.parameters import checked_count, features_by_default
from thresher.streams.formats.binary_frame import Columns
from thresher.streams.sources.source import STDIN, is_one_of
from thresher.streams.writers import WRITABLE, Examples, format_of, writing
from thresher.streams.writers.column_names import ColumnNames
from thresher.streams.writers.sink import sink

if TYPE_CHECKING:
    from thresher.streams.bad_lines import BadLinePolicy
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream

#: Formats whose features are columns already.
NAMELESS = ("svmlight", "binary")


@dataclass(frozen=True, slots=True)
class Converted:
    """What was done."""

    output: str
    read: str
    written: str
    rows: int
    values: int
    labels: list[str]
    bad_lines: int
    #: How features are called in the output: "names", "columns", "hashed" into how many, or as
    #: "they were" where lines have another order and nothing else.
    features: str
    #: What is to be said about how the rows were read.
    remarks: list[str]

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON-ready values."""
        return asdict(self)


class Conversion:
    """Reads a stream and writes it again: whoever goes through it gets events, then the result.

    Labels stay as they are. Names of features are kept where both formats have them, unless the
    input data say how to hash them.

    Parameters
    ----------
    data
        What to read.
    output
        The file to write, or ``"-"`` for standard output; ``.gz`` and ``.zst`` compress.
    to
        The format to write; None: what the name of the output says.
    strongest
        Of two names of one row on one column, keep the stronger value rather than the sum.
    ignore_importance
        Write rows as if each had importance 1.
    shuffle
        Write them in random order, which follows from this number; all are held in memory. Where
        the format stays, the lines stay as they are.
    """

    def __init__(
        self,
        data: InputData,
        output: str,
        *,
        to: str | None = None,
        strongest: bool = False,
        ignore_importance: bool = False,
        shuffle: int | None = None,
    ) -> None:
        self.data, self.output = data, output
        if output != STDIN and is_one_of(output, data.paths):
            raise SourceError(output, "this is one of the inputs", "Write to another file.")
        self.format = format_of(output, to)
        self._strongest, self._ignore_importance = strongest, ignore_importance
        self._shuffle = None if shuffle is None else checked_count("convert", "shuffle", shuffle, 0)
        #: What was done, once all is written.
        self.result: Converted | None = None
        if data.vocabulary and not self._takes_names:
            raise RequestError(
                f"vocabulary=True keeps names, which {self.format} cannot hold.",
                code="request.format_without_names",
                format=self.format,
            )

    @property
    def _takes_names(self) -> bool:
        return WRITABLE[self.format][1]

    def __iter__(self) -> Iterator[Progressed]:
        data = self.data.looked_at()
        hashed = self._hashed(data)
        with open_stream(data, hashing_table(hashed)) as stream:
            if self._shuffle is not None and not self._hashing and keeps_lines(stream, self.format):
                yield from self._shuffle_lines(stream, self._shuffle)
                return
            names = self._names(stream)
            chunks = stream.chunks()
            # The first chunk is read before the file is opened: a bad start leaves no file behind,
            # and a binary file has by then said how its names were hashed.
            first = next(chunks, None)
            columns = stream.hashed_as or (Columns() if stream.format in NAMELESS else hashed)
            rows = values = 0
            held: list[Examples] = []
            with writing(self.output, self.format, names=names, columns=columns) as writer:
                for chunk in chain([first] if first is not None else [], chunks):
                    examples = self._examples(stream, chunk)
                    if self._shuffle is None:
                        writer.write(examples)
                    else:
                        held.append(examples)
                    rows += len(chunk.rows)
                    values += len(chunk.rows.column)
                    yield Progressed(rows, chunk.position, stream.total_bytes)
                for examples in shuffled(held, self._shuffle or 0):
                    writer.write(examples)
            counts = rows, values, stream.label_names
            self._finish(stream.format, counts, called(names, columns), stream.bad)

    def _shuffle_lines(self, stream: Stream, seed: int) -> Iterator[Progressed]:
        """Write the lines as they are, in random order."""
        lines: list[bytes] = []
        values = 0
        for chunk in stream.chunks():
            lines += lines_of(chunk)
            values += len(chunk.rows.column)
            yield Progressed(len(lines), chunk.position, stream.total_bytes)
        header = header_of(stream)
        with sink(self.output) as file:
            file.write(header)
            file.writelines(shuffled_lines(lines, seed))
        counts = len(lines), values, stream.label_names
        self._finish(stream.format, counts, "they were", stream.bad)

    def _finish(
        self, read: str, counts: tuple[int, int, list[str]], features: str, bad: BadLinePolicy
    ) -> None:
        """Say what was done; the counts are rows, values, and the labels among them."""
        done = self.output, read, self.format, *counts, bad.count, features, bad.remarks()
        self.result = Converted(*done)

    def _hashed(self, data: InputData) -> Columns:
        """How names are hashed, where they are."""
        n_features, seed = data.features or features_by_default(None), data.seed or 0
        return Columns(hashed=True, n_features=n_features, seed=seed, strongest=self._strongest)

    @property
    def _hashing(self) -> bool:
        """Whether somebody asked for columns in place of names."""
        return self.data.n_features is not None or self.data.seed is not None

    def _names(self, stream: Stream) -> ColumnNames | None:
        """The names of the columns, where both formats have them and nobody asked for hashing."""
        if not self._takes_names or stream.format in NAMELESS or self._hashing:
            return None
        table = naming_table(self._strongest)
        stream.use(table)
        # The number of a text is a word; those of other formats are written as they were read.
        return ColumnNames(table, words=stream.format == "text")

    def _examples(self, stream: Stream, chunk: Chunk) -> Examples:
        importance = None if self._ignore_importance else chunk.importance
        return Examples(chunk.rows, chunk.label, stream.label_names, importance)


def hashing_table(hashed: Columns) -> NameTable:
    """A table that hashes names, as a file remembers it."""
    return NameTable(hashed.n_features, True, hashed.seed, hashed.strongest)


def naming_table(strongest: bool) -> NameTable:
    """A table that keeps names as they are written."""
    return NameTable(None, False, 0, strongest, as_written=True)


def called(names: ColumnNames | None, columns: Columns) -> str:
    """How features are called in the output."""
    if names is not None:
        return "names"
    return f"hashed into {columns.n_features}" if columns.hashed else "columns"


def convert(
    data: Any,
    output: str | os.PathLike[str],
    *,
    to: str | None = None,
    strongest: bool = False,
    ignore_importance: bool = False,
    shuffle: int | None = None,
    on_event: Callable[[Progressed], object] | None = None,
    **reading: Any,
) -> Converted:
    """Read files and write them again in another format.

    Parameters
    ----------
    data
        A file, a pattern or several of them, or an `InputData`.
    output
        The file to write; its name gives the format, unless `to` does.
    to, strongest, ignore_importance, shuffle
        As for `Conversion`.
    on_event
        Called with each event while files are read.
    reading
        How to read files: ``format="text"``, ``n_features=2**20``; see `InputData.described`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "mail.vw")
    >>> _ = file.write_text("spam | free size:2.5\\nham | cash\\n")
    >>> convert(file, file.with_suffix(".csv")).features
    'names'
    >>> print(file.with_suffix(".csv").read_text(), end="")
    label,free,size,cash
    spam,1,2.5,
    ham,,,1
    """
    files = InputData.of_paths(data, **reading)
    if files is None:
        raise ParameterError("convert", "data", "a file, several files, or an InputData", data)
    conversion = Conversion(
        files,
        os.fspath(output),
        to=to,
        strongest=strongest,
        ignore_importance=ignore_importance,
        shuffle=shuffle,
    )
    for event in conversion:
        if on_event is not None:
            on_event(event)
    assert conversion.result is not None
    return conversion.result

"""From a stream in one format to a file in another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import click

from thresher.kernels.rows.named_rows import NameTable
from thresher.models.input_data import DEFAULT_BITS
from thresher.models.opening import open_stream
from thresher.streams.formats.binary_frame import Columns
from thresher.streams.writers import WRITABLE, Examples, format_of, writing
from thresher.streams.writers.column_names import ColumnNames

if TYPE_CHECKING:
    from thresher.models.input_data import InputData
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream

#: Formats whose features are columns already.
_NAMELESS = ("svmlight", "binary")


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
    #: How features are called in the output: "names", "columns", or "hashed" into how many.
    features: str

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON-ready values."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where to write, and how."""

    output: str
    format: str
    #: Of two names of one row on one column, keep the stronger value rather than the sum.
    strongest: bool = False
    #: Write rows as if each had importance 1.
    ignore_importance: bool = False


def convert(
    data: InputData, target: Target, seen: Callable[[int, int, int | None], None]
) -> Converted:
    """Read what the options describe and write it again.

    `seen` is told the rows so far, the bytes so far, and the bytes there are, if known.
    """
    if data.vocabulary and not WRITABLE[target.format][1]:
        raise click.UsageError(f"--vocabulary keeps names, which {target.format} cannot hold.")
    n_features = data.n_features or 2**DEFAULT_BITS
    with open_stream(data, NameTable(n_features, True, data.seed or 0, target.strongest)) as stream:
        names = None
        if _keeps_names(data, target, stream):
            table = NameTable(None, False, 0, target.strongest)
            stream.use(table)
            names = ColumnNames(table)
        chunks = stream.chunks()
        # The first chunk is read before the file is opened: a bad start leaves no file behind,
        # and a binary file has by then said how its names were hashed.
        first = next(chunks, None)
        columns = _columns(stream, n_features, data.seed or 0, target.strongest)
        rows = values = 0
        with writing(target.output, target.format, names=names, columns=columns) as writer:
            for chunk in chain([first] if first is not None else [], chunks):
                writer.write(_examples(stream, chunk, target))
                rows += len(chunk.rows)
                values += len(chunk.rows.column)
                seen(rows, chunk.position, stream.total_bytes)
        features = f"hashed into {columns.n_features}" if columns.hashed else "columns"
        return Converted(
            target.output,
            stream.format,
            target.format,
            rows,
            values,
            stream.label_names,
            stream.bad.count,
            "names" if names is not None else features,
        )


def _keeps_names(data: InputData, target: Target, stream: Stream) -> bool:
    """Names are kept where both formats have them, unless hashing was asked for."""
    hashing = data.n_features is not None or data.seed is not None
    return WRITABLE[target.format][1] and stream.format not in _NAMELESS and not hashing


def _columns(stream: Stream, n_features: int, seed: int, strongest: bool) -> Columns:
    if stream.hashed_as is not None:
        return stream.hashed_as
    if stream.format in _NAMELESS:
        return Columns()
    return Columns(hashed=True, n_features=n_features, seed=seed, strongest=strongest)


def _examples(stream: Stream, chunk: Chunk, target: Target) -> Examples:
    importance = None if target.ignore_importance else chunk.importance
    return Examples(chunk.rows, chunk.label, stream.label_names, importance)


def output_format(output: str, to: str | None) -> str:
    """The format to write; standard output has no name to tell it by."""
    if output == "-" and to is None:
        raise click.UsageError(f"say which format to write: --to {'|'.join(WRITABLE)}.")
    return format_of(output, to)

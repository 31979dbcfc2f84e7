"""Parquet and Arrow tables, through pyarrow: a row is an object, as a line of JSON is.

Numbers, strings and truth values are features as in `objects.py`; lists of strings, structs and
maps too. A null or NaN cell has no feature. Columns of other types (times, bytes) are refused
unless the recipe ignores them or reads them as categories.
"""

from __future__ import annotations

from base64 import b64decode
from bisect import bisect
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import FormatError, MissingPackageError, ThresherError
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.streams.chunk import BadLine
from thresher.streams.formats.arrow_columns import ColumnReader
from thresher.streams.formats.column_remarks import absent_remark, unknown_remark
from thresher.streams.formats.format import Job, Scanned
from thresher.streams.formats.objects import FEATURES, ObjectReader, wanted
from thresher.streams.formats.pair_columns import check_pairs
from thresher.streams.pairs import Pairs
from thresher.streams.recipe import Recipe
from thresher.streams.remark import Remark
from thresher.streams.sources.source import PIECE, ByteSource

#: Rows that are made at a time.
BATCH_ROWS = 4096
#: What pyarrow raises for files that are damaged: its own errors are among these.
FAULTS = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, OSError,
          RuntimeError, MemoryError)  # fmt: skip
_NOWHERE = np.empty(0, np.int64)


def arrow_package(what: str) -> Any:
    """The package pyarrow with the parts used here; it takes 0.4 s to import, so only on demand."""
    try:
        arrow = import_module("pyarrow")
        for part in ("compute", "ipc", "parquet"):
            import_module(f"pyarrow.{part}")
    except ImportError:
        raise MissingPackageError(what, "pyarrow", "parquet") from None
    return arrow


class Arrow:
    """Reader of Arrow's own formats: files (Feather) and streams."""

    name: ClassVar[str] = "arrow"

    def __init__(self, recipe: Recipe, names: NameTable, add: bool = True) -> None:
        self._arrow = arrow_package("Reading Parquet and Arrow")
        self.recipe = recipe
        self.remarks: list[Remark] = []
        self._learns = add
        self.in_order = not names.hashed
        self._lexicon = Lexicon(names, add, crossing=Pairs.of(recipe.pairs))
        # A vocabulary numbers names row by row, so rows must be made one by one; so are pairs.
        by_columns = names.hashed and not recipe.pairs
        self._columns = ColumnReader(self._arrow, recipe, names) if by_columns else None
        self._only: Collection[str] | None = None

    def read_only(self, fields: Collection[str]) -> None:
        """Read no other columns, unless features have one of their own."""
        self._only = frozenset(fields)

    def jobs(self, source: ByteSource) -> Iterator[Job]:
        """One job for some thousand rows."""
        self._refuse(source)
        n_rows = 0
        try:
            for batch in self._batches(source):
                if not n_rows:
                    self._check_columns(source.name, batch)
                    self.remarks += unknown_remark(source.name, self._others(batch))
                for first in range(0, batch.num_rows, BATCH_ROWS):
                    part = self._typed(source.name, batch.slice(first, BATCH_ROWS))
                    rows = partial(self._rows, source.name, part, n_rows)
                    yield Job(rows, self._position(source), records=part)
                    n_rows += part.num_rows
        except ThresherError:
            raise
        except FAULTS as error:
            raise self._damaged(source.name, n_rows, error) from error
        _hash_the_rest(source)

    def _check_columns(self, file: str, batch: Any) -> None:
        """Look for columns that are spoken of, where all features are of columns."""
        types, recipe, names = self._arrow.types, self.recipe, batch.schema.names
        if any(types.is_nested(field.type) for field in batch.schema):
            return
        if self._learns:
            said = (*recipe.ignored, *recipe.numeric, *recipe.categorical)
            self.remarks += absent_remark(file, names, said)
        check_pairs(file, names, (recipe.label_field, *recipe.ignored), recipe.pairs)

    def _others(self, batch: Any) -> list[str]:
        """The columns that are not read because they are not among those asked for."""
        names, types = batch.schema.names, self._arrow.types
        if self._only is None:
            return []
        if FEATURES in names and types.is_nested(batch.schema.field(FEATURES).type):
            return []
        apart = (self.recipe.label_field, *self.recipe.ignored)
        return [name for name in names if not wanted(name, self._only) and name not in apart]

    def _damaged(self, file: str, n_rows: int, error: BaseException) -> FormatError:
        """What pyarrow says of a file that it cannot read, in one line, and where."""
        said = " ".join(f"{error}".split())[:200] or type(error).__name__
        return FormatError(
            f"{file}: damaged, or not {self.name}{self._group_of(n_rows)}: {said.rstrip('.')}. "
            f"{n_rows} rows came before."
        )

    def _group_of(self, n_rows: int) -> str:
        """The part of the file in which a row stands, in words, if files have such parts."""
        return ""

    def _refuse(self, source: ByteSource) -> None:
        # Whether it is compressed shows in the first bytes.
        source.head(1)
        if source.packed:
            raise FormatError(f"{source.name}: unpack it first; {self.name} compresses inside.")
        if source.size is None and self._is_file(source):
            raise FormatError(
                f"{source.name}: {self.name.capitalize()} cannot be read from a pipe, for it "
                "begins at its end. Give the file, or an Arrow stream."
            )

    def _is_file(self, source: ByteSource) -> bool:
        """Whether what is where is said at the end, as in a stream it is not."""
        return source.head(6) == b"ARROW1"

    def _position(self, source: ByteSource) -> int:
        return source.n_bytes

    def _batches(self, source: ByteSource) -> Iterator[Any]:
        ipc = self._arrow.ipc
        if self._is_file(source):
            reader = ipc.open_file(self._arrow.memory_map(source.local_path()))
            yield from (reader.get_batch(i) for i in range(reader.num_record_batches))
        else:
            yield from ipc.open_stream(self._arrow.PythonFile(_Readable(source), mode="r"))

    def _typed(self, file: str, batch: Any) -> Any:
        """The batch without ignored columns, categories as text, NaN as null."""
        arrow, recipe = self._arrow, self.recipe
        left_out = {*recipe.ignored, *self._others(batch)}
        columns = {}
        for field, column in zip(batch.schema, batch.columns, strict=True):
            if field.name in columns:
                raise FormatError(f"{file}: two columns are called {field.name!r}.")
            if field.name in left_out:
                continue
            kind = field.type
            if arrow.types.is_dictionary(kind):
                column, kind = column.dictionary_decode(), kind.value_type
            if field.name in recipe.categorical:
                column = column.cast("string")
            elif arrow.types.is_decimal(kind) or (
                field.name in recipe.numeric and not _is_number(arrow.types, kind)
            ):
                column = column.cast("float64")
            elif not self._has_meaning(kind):
                name = field.name
                raise FormatError(
                    f"{file}: the column {name!r} holds {kind}, which is no feature.",
                    f"Leave it out: Recipe(ignored=({name!r},)). Or read it as categories: "
                    f"Recipe(categorical=({name!r},)).",
                    code="column.meaning",
                    column=name,
                )
            if arrow.types.is_floating(column.type):
                column = arrow.compute.if_else(arrow.compute.is_nan(column), None, column)
            columns[field.name] = column
        typed = arrow.record_batch(columns) if columns else batch.select([])
        typed.validate(full=True)
        return typed

    def _has_meaning(self, kind: Any) -> bool:
        types = self._arrow.types
        if types.is_map(kind):
            return bool(types.is_string(kind.key_type)) and self._has_meaning(kind.item_type)
        if types.is_struct(kind):
            return all(self._has_meaning(field.type) for field in kind)
        if types.is_list(kind) or types.is_large_list(kind):
            return bool(types.is_string(kind.value_type) or types.is_large_string(kind.value_type))
        text = types.is_string(kind) or types.is_large_string(kind)
        return bool(text or types.is_null(kind) or types.is_boolean(kind)) or _is_number(
            types, kind
        )

    def _rows(self, file: str, batch: Any, before: int = 0) -> Scanned:
        try:
            return self._scanned(file, batch)
        except ThresherError:
            raise
        except FAULTS as error:
            raise self._damaged(file, before, error) from error

    def _scanned(self, file: str, batch: Any) -> Scanned:
        read = self._columns.read(batch) if self._columns is not None else None
        if read is None:
            objects = [_without_maps(row) for row in batch.to_pylist()]
            read = ObjectReader(self.recipe, self._lexicon).read(objects)
        row_start, column, value = read.arrays
        return Scanned(
            row_start=row_start,
            column=column,
            value=value,
            label=read.label,
            label_names=read.label_names,
            importance=read.importance,
            line=read.kept + 1,
            start=read.kept,
            stop=_NOWHERE,
            bad=[BadLine(file, f.place + 1, f.found, f.expected, b"", f.hint) for f in read.faults],
            n_lines=batch.num_rows,
        )

    def count_names_in(self, records: Any, places: NDArray[np.int64], counts: NameCounts) -> None:
        """Count the names of some rows of a table; a number that is a column is not a name."""
        objects = [_without_maps(row) for row in records.take(places).to_pylist()]
        ObjectReader(self.recipe, self._lexicon).count_names(objects, counts)


class Parquet(Arrow):
    """Reader of Parquet, which is not read from its beginning to its end."""

    name: ClassVar[str] = "parquet"
    #: Behind how many rows each row group ends, once that is known.
    _ends: Sequence[int] = ()

    def _is_file(self, source: ByteSource) -> bool:
        return True

    def _batches(self, source: ByteSource) -> Iterator[Any]:
        file = self._arrow.parquet.ParquetFile(source.local_path(), page_checksum_verification=True)
        with file:
            total, done = max(1, file.metadata.num_rows), 0
            self._check_names(source.name, file)
            groups = range(file.metadata.num_row_groups)
            self._ends = list(accumulate(file.metadata.row_group(g).num_rows for g in groups))
            # Group by group, so that a fault is known to be in one of them.
            for group in groups:
                for batch in file.iter_batches(BATCH_ROWS, row_groups=[group]):
                    done += batch.num_rows
                    self._at = source.size * done // total if source.size else 0
                    yield batch
            if not done == file.metadata.num_rows == (self._ends or [0])[-1]:
                raise ValueError(
                    f"it says that it has {file.metadata.num_rows} rows, its groups say "
                    f"{(self._ends or [0])[-1]}, and there are {done}"
                )

    def _check_names(self, file: str, opened: Any) -> None:
        """Compare the names of the columns, which have no checksum, with Arrow's copy of them."""
        stored = (opened.metadata.metadata or {}).get(b"ARROW:schema")
        if stored is None:
            return
        copy = self._arrow.ipc.read_schema(self._arrow.py_buffer(b64decode(stored)))
        types = self._arrow.types
        if _names_within(types, copy) != _names_within(types, opened.schema_arrow):
            raise FormatError(
                f"{file}: damaged: its columns are called one thing in one place and another "
                "in another."
            )

    def _position(self, source: ByteSource) -> int:
        return self._at

    def _group_of(self, n_rows: int) -> str:
        return f" in row group {bisect(self._ends, n_rows)}" if self._ends else ""


class _Readable:
    """A source as a file that pyarrow can read from."""

    closed = False

    def __init__(self, source: ByteSource) -> None:
        self._source = source

    def read(self, n: int = -1) -> bytes:
        """Read `n` bytes; fewer only at the end."""
        parts: list[bytes] = []
        while n and (part := self._source.read(n if n > 0 else PIECE)):
            parts.append(part)
            n -= len(part) if n > 0 else 0
        return b"".join(parts)

    def close(self) -> None:
        """Leave the source open; it is not ours to close."""


def _without_maps(content: Any) -> Any:
    """A map, which comes as a list of pairs, as a dict; values of one key are added up."""
    if isinstance(content, dict):
        return {name: _without_maps(inside) for name, inside in content.items()}
    if isinstance(content, list) and content and isinstance(content[0], tuple):
        found: dict[str, Any] = {}
        for name, inside in content:
            both = name in found and isinstance(inside, int | float)
            found[name] = found[name] + inside if both else _without_maps(inside)
        return found
    return content


def _names_within(types: Any, fields: Any) -> list[Any]:
    """The names of columns, and of the fields inside those that are structs."""
    return [
        (field.name, _names_within(types, field.type) if types.is_struct(field.type) else [])
        for field in fields
    ]


def _is_number(types: Any, kind: Any) -> bool:
    return bool(types.is_integer(kind) or types.is_floating(kind))


def _hash_the_rest(source: ByteSource) -> None:
    """Count and hash the bytes of a file that pyarrow has read by itself."""
    while source.read(PIECE):
        pass

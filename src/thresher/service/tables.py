"""Tables over the wire: a row is an object of columns, which mean what they meant in the files.

The log keeps a row as a line of JSON: numbers as numbers and categories as texts, in the order in
which they came, and no column that the model does not know. Read as JSON lines are, that makes the
rows that the same cells in CSV make.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import msgspec
from msgspec import Raw

from thresher.errors import ServiceError
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning import split_csv
from thresher.kernels.scanning.number import read_number
from thresher.parameters import MAX_FEATURES
from thresher.service.inputs import REQUEST, Inputs
from thresher.service.messages import (
    DelayedLabel,
    Example,
    features_of,
    line_to_learn,
    line_to_predict,
)
from thresher.streams.formats.csv_table import HEADER_BYTES, MISSING, CsvTable
from thresher.streams.recipe import Recipe

_to_json = msgspec.json.encode
_cells = msgspec.json.Decoder(dict[str, Raw])
_text = msgspec.json.Decoder(str)


class Tables(Inputs):
    """The columns of a table: numbers, and categories.

    A model of CSV knows all its columns, and passes over others; one of Parquet or Arrow knows
    those that it was told of, and reads the others as JSON has them.
    """

    called: ClassVar[str] = "the columns of a table"
    types: ClassVar[Mapping[str, str]] = {"text/csv": "json", "text/tab-separated-values": "json"}

    def __init__(self, recipe: Recipe) -> None:
        super().__init__(recipe)
        self._numeric, self._categorical = {*recipe.numeric}, {*recipe.categorical}
        self._closed = recipe.format == "csv"
        self._without = {*recipe.ignored, recipe.label_field}

    def to_learn(self, rows: Iterable[Example]) -> bytes:
        """Rows as lines of JSON with labels."""
        return b"".join(line_to_learn(self._sound(row)) for row in rows)

    def to_predict(self, rows: Iterable[Example]) -> bytes:
        """Rows as lines of JSON."""
        return b"".join(line_to_predict(self._sound(row)) for row in rows)

    def kept(self, row: Example) -> bytes:
        """The columns as the log has them."""
        return bytes(self._sound(row).features)

    def joined(self, kept: bytes, told: DelayedLabel) -> Example:
        """The columns that were kept, with a label."""
        return Example(Raw(kept), told.id, told.label, told.importance)

    def require_type(self, type_: str) -> None:
        """Refuse a body of a type that this model does not read."""
        super().require_type(type_)
        if not self._closed:
            raise ServiceError(
                f"the model learned from {self._recipe.format}, which says more of its columns "
                "than a table in text can.",
                'Send application/json: {"features": {"column": value}}.',
                code="service.content_type",
            )

    def lines_in(self, type_: str, body: bytes, most_rows: int) -> bytes:
        """The records of a table in text, below its header, as lines of JSON."""
        self.require_type(type_)
        # Columns are looked up when the lines are read; here all numbers fit.
        table = CsvTable(self._recipe, NameTable(MAX_FEATURES, True), add=False)
        block = body[table.begin(REQUEST, body[:HEADER_BYTES]) :]
        if not block.strip():
            return b""
        scanned = table.scan(REQUEST, block, 2)
        for bad in scanned.bad:
            raise bad.error()
        if len(scanned.line) > most_rows:
            raise ServiceError(
                f"found {len(scanned.line)} rows, and a request has at most {most_rows}.",
                "Send several requests.",
                code="service.too_large",
            )
        separator = str(table.recipe.separator).encode()
        places = zip(scanned.start.tolist(), scanned.stop.tolist(), strict=True)
        records = [split_csv.split(block[start:stop], separator, 1)[0][0] for start, stop in places]
        return b"".join(self._line(table.header, record or []) for record in records)

    def _line(self, header: list[str], record: list[bytes]) -> bytes:
        """A sound record as a line of JSON."""
        parts: list[bytes] = []
        label = b""
        for name, cell in zip(header, record, strict=True):
            if name == self._recipe.label_field:
                label = cell
            elif name in self._numeric:
                parts += _part(name, _number_in(cell))
            elif name in self._categorical:
                parts += _part(name, _to_json(cell.decode()) if cell else None)
        features = b"{%b}" % b",".join(parts)
        if not label:
            return b'{"features":%b}\n' % features
        return b'{"label":%b,"features":%b}\n' % (_to_json(label.decode()), features)

    def _sound(self, row: Example) -> Example:
        """The row with its columns as the log has them."""
        given = features_of(row)
        if given[:1] != b"{":
            raise _unsound("this model reads the columns of a table: features are an object.")
        try:
            cells: dict[str, Raw] = _cells.decode(given)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            what = f"the features of a row: {error}."
            raise ServiceError(what, code="service.malformed") from None
        parts: list[bytes] = []
        for name, cell in cells.items():
            if name in self._numeric:
                parts += _part(name, _number(name, bytes(cell)))
            elif name in self._categorical:
                parts += _part(name, _category(name, bytes(cell)))
            elif not self._closed and name not in self._without:
                parts += _part(name, bytes(cell))
        features = Raw(b"{%b}" % b",".join(parts))
        return Example(features, row.id, row.label, row.importance)


def _part(name: str, cell: bytes | None) -> list[bytes]:
    return [] if cell is None else [b"%b:%b" % (_to_json(name), cell)]


def _number(column: str, cell: bytes) -> bytes | None:
    """A cell of a column of numbers as a number; None where it is missing."""
    if cell == b"null":
        return None
    if cell[:1] == b'"':
        # As the file has it.
        return _number_in(_told(column, cell).strip().encode(), column)
    if cell[:1] in b"{[tf":
        raise _unsound(f"found {_shown(cell)} in column {column!r}, expected a number.")
    return cell


def _number_in(cell: bytes, column: str | None = None) -> bytes | None:
    if cell in MISSING:
        return None
    value, length = read_number(cell)
    if value is None or length < len(cell) or value - value:
        raise _unsound(f"found {_shown(cell)} in column {column!r}, expected a number.")
    return _to_json(value)


def _category(column: str, cell: bytes) -> bytes | None:
    """A cell of a column of categories as a text; None where it is missing."""
    if cell == b"null":
        return None
    if cell[:1] == b'"':
        text = _told(column, cell)
        if "\0" in text:
            raise _unsound(f"found NUL in column {column!r}, expected a text without it.")
        return _to_json(text) if text else None
    if cell[:1] in b"{[tf":
        raise _unsound(
            f"found {_shown(cell)} in column {column!r}, expected a text, as the files have it."
        )
    return _to_json(cell.decode())


def _told(column: str, cell: bytes) -> str:
    try:
        return _text.decode(cell)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _unsound(f"column {column!r}: {error}") from None


def _unsound(what: str) -> ServiceError:
    return ServiceError(what, code="service.message")


def _shown(cell: bytes) -> Any:
    text = cell[:40].decode("utf-8", "backslashreplace")
    return repr(text if len(cell) <= 40 else text + "...")

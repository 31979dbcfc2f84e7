"""Tables in text: CSV and TSV, with a header that names the columns.

The label stands in the column that the recipe names. A column of numbers is a feature of its
name; any other is one-hot, each value a feature `column=value`. Which columns are numbers is
found out from the first 1,000 records (if they stand in the first 2^20 bytes), or said by the
recipe. A header may have 2^20 bytes. An empty cell has no feature; in a column of numbers neither
has NA, N/A, NaN, nan, null, NULL or ?. A column without a name is not read,
and where a model said which columns there are, no others are.
`kernels/scanning/scan_csv.pyx` says how records are cut.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from functools import partial
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import FormatError, Hint
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning import scan_csv, split_csv
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.number import read_number
from thresher.kernels.scanning.row_sink import is_of_pairs, words_for
from thresher.streams.bad_lines import COLUMN_OR_NAME, ENCODINGS
from thresher.streams.chunk import BadLine, FaultyLines
from thresher.streams.formats.column_remarks import (
    absent_remark,
    column_remark,
    nameless_remark,
    unknown_remark,
)
from thresher.streams.formats.format import BYTE_ORDER_MARK, RecordEnds, Scanned, TableHeader
from thresher.streams.formats.label_columns import likely_labels
from thresher.streams.formats.pair_columns import check_pairs
from thresher.streams.pairs import Pairs
from thresher.streams.recipe import Recipe
from thresher.streams.remark import Remark

#: The longest header, and where the records stand that are looked at.
HEADER_BYTES = 1 << 20
#: How many records are looked at to tell numbers from categories.
RECORDS_LOOKED_AT = 1000
_SEPARATORS = (",", ";", "\t", "|")
MISSING = frozenset((b"", b"NA", b"N/A", b"NaN", b"nan", b"null", b"NULL", b"?"))


class CsvTable:
    """Reader of CSV and TSV. Several files of one stream have the same header."""

    name: ClassVar[str] = "csv"
    head_bytes: ClassVar[int] = HEADER_BYTES
    mends: bool = False

    def __init__(self, recipe: Recipe, names: NameTable, add: bool = True) -> None:
        self.recipe = recipe
        self.in_order = not names.hashed
        self._lexicon = Lexicon(names, add, crossing=Pairs.of(recipe.pairs))
        #: Whether a model said which columns there are: it knows nothing of others.
        self._learns = add
        self._known = not add and bool(recipe.numeric or recipe.categorical)
        self.remarks: list[Remark] = []
        self.header: list[str] = []
        #: What all files begin with, once that is known.
        self.first_header: TableHeader | None = None
        #: Columns that may hold the label, where the recipe names none of them.
        self.likely: list[str] = []
        self._kinds: list[int] = []
        self._separator = b","
        #: A line end in quotes does not end a record.
        self.ends: RecordEnds | None = split_csv.RecordEnds(self._separator)
        self._table: scan_csv.Table | None = None

    def begin(self, file: str, head: bytes) -> int:
        """Read the header, and from the first file what the columns are."""
        mark = len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0
        text = head[mark:]
        if not text.strip():
            if len(head) >= self.head_bytes:
                raise _endless_header(file)
            return len(head)
        first = self.first_header
        if self._table is None:
            found = self._found_separator(file, text) if first is None else first.separator
            self._separator = found.encode()
            self.ends = split_csv.RecordEnds(self._separator)
        records, skip = split_csv.split(text, self._separator, 1)
        if len(head) >= self.head_bytes and skip == len(text) and not text.endswith(b"\n"):
            raise _endless_header(file)
        following = partial(self._sound_records, text[skip:], whole=len(head) < self.head_bytes)
        header = _names_of_columns(file, records, self.recipe.label_field, following)
        if first is not None and first.names != tuple(header):
            raise FormatError(
                f"{file}: its header differs from that of the first file. Files that are read "
                "together have the same columns in the same order."
            )
        if self._table is not None:
            return mark + skip
        self.header = header
        self.first_header = TableHeader(tuple(header), self._separator.decode())
        self.recipe = self._completed(file, text[skip:], whole=len(head) < self.head_bytes)
        if first is not None:
            # Whoever has read the first file of all has said what there is to say.
            self.remarks = []
        numeric = frozenset(self.recipe.numeric)
        self._kinds = [self._kind(name, numeric) for name in header]
        self._table = scan_csv.Table(
            self._kinds,
            [name.encode() for name in header],
            self._separator,
            self._lexicon,
        )
        return mark + skip

    def header_in(self, block: bytes) -> int:
        """Nothing more: `begin` has seen the header."""
        return 0

    def arranged(self, block: bytes) -> bytes:
        """The block: its lines are as they are wanted."""
        return block

    def as_written(self, line: bytes) -> bytes:
        """The line: it is as it was."""
        return line

    def scan(self, file: str, block: bytes, first_line: int) -> Scanned:
        """The rows of a block of whole records."""
        assert self._table is not None
        sink, label_names = self._table.scan(block, first_line)
        row_start, column, value, label, importance, line, start, stop = sink.arrays()
        return Scanned(
            row_start=row_start,
            column=column,
            value=value,
            label=label,
            label_names=label_names,
            importance=importance,
            line=line,
            start=start,
            stop=stop,
            bad=FaultyLines(sink.faults(), partial(self._bad_line, file, block)),
            n_lines=sink.n_lines,
        )

    def names(self, block: bytes, start: int, stop: int) -> list[tuple[int, str]]:
        """Column and name of the features of one record."""
        records, _ = split_csv.split(block[start:stop], self._separator, 1)
        names: list[bytes] = []
        cells = (records[0] if records else None) or []
        for name, kind, cell in zip(self.header, self._kinds, cells, strict=False):
            if kind == scan_csv.CATEGORICAL and cell:
                names.append(name.encode() + b"=" + cell)
            elif kind == scan_csv.NUMERIC and cell not in MISSING and read_number(cell)[0]:
                names.append(name.encode())
        names = self._lexicon.with_pairs(names)
        columns = self._lexicon.columns_of(names)
        return [(c, name.decode()) for c, name in zip(columns, names, strict=True) if c is not None]

    def count_names(
        self, block: bytes, start: NDArray[np.int64], stop: NDArray[np.int64], counts: NameCounts
    ) -> None:
        """Count the names of some records; a number that is a column is not a name."""
        assert self._table is not None
        self._table.count_names(block, start, stop, counts)

    def _kind(self, name: str, numeric: Collection[str]) -> int:
        if name == self.recipe.label_field:
            return scan_csv.LABEL
        if name == "" or name in self.recipe.ignored:
            return scan_csv.IGNORED
        if name in numeric:
            return scan_csv.NUMERIC
        others = self._known and name not in self.recipe.categorical
        return scan_csv.IGNORED if others else scan_csv.CATEGORICAL

    def _found_separator(self, file: str, text: bytes) -> str:
        stated = self.recipe.separator
        if stated is not None and not self._is_otherwise(text, stated):
            return stated
        if file.removesuffix(".gz").removesuffix(".zst").endswith(".tsv"):
            return "\t"
        counts = {mark: len(_first_record(text, mark.encode())) for mark in _SEPARATORS}
        return max(counts, key=counts.__getitem__)

    def _is_otherwise(self, text: bytes, stated: str) -> bool:
        """Whether a table has the columns of a model only if another separator is taken."""
        columns = {name.encode() for name in (*self.recipe.numeric, *self.recipe.categorical)}
        found = {mark: {*_first_record(text, mark.encode())} for mark in (stated, *_SEPARATORS)}
        return bool(columns - found[stated]) and any(columns <= names for names in found.values())

    def _completed(self, file: str, text: bytes, *, whole: bool) -> Recipe:
        """The recipe with the kind of every column."""
        recipe = self.recipe
        stated = {*recipe.numeric, *recipe.categorical}
        if absent := sorted(stated - set(self.header)):
            raise FormatError(
                f"{file}: there is no column {absent[0]!r}, which is to be read as "
                f"{'numbers' if absent[0] in recipe.numeric else 'categories'}. "
                f"Columns are: {', '.join(self.header)}."
            )
        check_pairs(file, self.header, (recipe.label_field, *recipe.ignored), recipe.pairs)
        sound = self._sound_records(text, len(self.header), whole=whole)
        if recipe.label_field not in self.header:
            self.likely = likely_labels(self.header, sound)
        if not stated:
            self.remarks += nameless_remark(file, self.header)
        if self._learns:
            self.remarks += absent_remark(file, self.header, recipe.ignored)
        if self._known:
            apart = {*stated, *recipe.ignored, recipe.label_field, ""}
            self.remarks += unknown_remark(file, [n for n in self.header if n not in apart])
        numeric, categorical = list(recipe.numeric), list(recipe.categorical)
        for k, name in enumerate(self.header):
            if name in stated or self._kind(name, ()) in (scan_csv.LABEL, scan_csv.IGNORED):
                continue
            cells = [record[k] for record in sound]
            numbers = all(map(_is_number_or_missing, cells))
            (numeric if numbers else categorical).append(name)
            remark = None if numbers else column_remark(file, name, cells, _is_number_or_missing)
            self.remarks += [] if remark is None else [remark]
        return replace(
            recipe,
            numeric=tuple(numeric),
            categorical=tuple(categorical),
            separator=self._separator.decode(),
        )

    def _sound_records(self, text: bytes, n_fields: int, *, whole: bool) -> list[list[bytes]]:
        """The first records that have as many fields as the header."""
        if not whole:
            text = text[: split_csv.RecordEnds(self._separator).last(text)]
        records, _ = split_csv.split(text, self._separator, RECORDS_LOOKED_AT)
        return [record for record in records if record and len(record) == n_fields]

    def _bad_line(  # noqa: PLR0913  (the six numbers of a fault, in the order they are put down)
        self,
        file: str,
        block: bytes,
        line: int,
        start: int,
        stop: int,
        code: int,
        found: int,
        found_stop: int,
    ) -> BadLine:
        raw = block[start:stop]
        if is_of_pairs(code):
            return BadLine(file, line, *words_for(code, found), raw)
        if code == scan_csv.FIELD_COUNT:
            n = len(self.header)
            return BadLine(file, line, f"{found} fields", f"{n}, as the header has", raw)
        before, _ = split_csv.split(block[start:found], self._separator, 1)
        place = len(before[0] or []) - 1 if before else 0
        name = self.header[place] if place < len(self.header) else "?"
        expected = {
            scan_csv.NOT_TEXT: "UTF-8 text without NUL",
            scan_csv.NOT_A_NUMBER: f"a number in column {name}",
            scan_csv.NOT_FINITE: f"a number below 1.8e308 in column {name}",
            scan_csv.AFTER_QUOTE: "a separator or a line end after the closing quote",
            scan_csv.UNCLOSED: "a closing quote",
            scan_csv.WRONG_INDEX: f"a column number that fits; {name} does not",
            scan_csv.SUM: "features of one column that add up to less than 1.8e308",
        }[code]
        hint = {scan_csv.WRONG_INDEX: COLUMN_OR_NAME, scan_csv.NOT_TEXT: ENCODINGS}.get(code)
        if code == scan_csv.NOT_A_NUMBER:
            remedy = f"It can be read as categories: Recipe(categorical=({name!r},))."
            hint = Hint("line.category", remedy, {"column": name})
        return BadLine(file, line, _shown(block[found:found_stop]), expected, raw, hint)


def _endless_header(file: str) -> FormatError:
    return FormatError(
        f"{file}: the header does not end in the first {HEADER_BYTES} bytes, and more are not read "
        "of one (a quote that is never closed?). The first line names the columns."
    )


def _names_of_columns(
    file: str,
    first: list[list[bytes] | None],
    label_field: str,
    following: Callable[[int], list[list[bytes]]],
) -> list[str]:
    if not first or first[0] is None:
        raise FormatError(f"{file}: the header cannot be read. The first line names the columns.")
    try:
        header = [name.decode() for name in first[0]]
    except UnicodeDecodeError:
        raise FormatError(
            f"{file}: the header is not UTF-8 text.", ENCODINGS.remedy, code=ENCODINGS.code
        ) from None
    # A header of column numbers is one if the label is said to be in one of them.
    numbers = all(_is_number_or_missing(name.encode()) for name in header)
    records = [] if label_field in header else following(len(header))
    if label_field not in header and (numbers or _is_a_record(header, records)):
        # Only a line that counts is likely to be a header, of which a column can be suggested.
        likely = likely_labels(header, records) if _counts(header) else []
        which = f"Recipe(label_field={likely[0]!r})?" if likely else "Recipe(label_field=...)."
        raise FormatError(
            f"{file}: the first line, {_beginning(header)!r}, looks like data. "
            "The first line must name the columns.",
            f"If these are their names, say which of them is the label: {which}",
            code="format.header",
            likely=likely,
        )
    seen: set[str] = set()
    for name in header:
        if name in seen:
            raise FormatError(f"{file}: two columns are called {name!r}. Name them apart.")
        if name:
            seen.add(name)
    return header


def _is_a_record(header: list[str], records: list[list[bytes]]) -> bool:
    """Whether a line that should name the columns is a record like those below it.

    A name of a column is no value of that column; nor is it a number with a point.

    >>> _is_a_record(["39", "clerk"], [[b"50", b"smith"], [b"38", b"clerk"]])
    True
    >>> _is_a_record(["2023", "job"], [[b"50", b"smith"], [b"38", b"clerk"]])
    False
    """
    named = [*map(str.encode, header)]
    # Where tables were put together, the header comes again.
    others = [record for record in records if record != named]
    for k, name in enumerate(named):
        column = [record[k] for record in others]
        if not _is_number_or_missing(name) and name in column:
            return True
        if b"." in name and column and all(map(_is_number_or_missing, (name, *column))):
            return True
    return False


def _counts(header: list[str]) -> bool:
    """Whether these are numbers of columns: 0, 1, 2 and so on, or from 1.

    >>> _counts(["1", "2", "3"]), _counts(["5", "3.5", "1"])
    (True, False)
    """
    return header in ([str(k + first) for k in range(len(header))] for first in (0, 1))


def _beginning(header: list[str], most: int = 60) -> str:
    """The names as one text, which ends with a whole name.

    >>> _beginning(["5.1", "3.5", "1.4"]), _beginning(["5.1", "3.5", "1.4"], 9)
    ('5.1, 3.5, 1.4', '5.1, 3.5, ...')
    """
    listed = ", ".join(header)
    return listed if len(listed) <= most else f"{listed[: most + 1].rpartition(',')[0]}, ..."


def _first_record(text: bytes, separator: bytes) -> list[bytes]:
    records, _ = split_csv.split(text, separator, 1)
    return (records[0] if records else None) or []


def _is_number_or_missing(cell: bytes) -> bool:
    return cell in MISSING or read_number(cell)[1] == len(cell)


def _shown(found: bytes) -> str:
    text = found[:40].decode("utf-8", "backslashreplace")
    return repr(text if len(found) <= 40 else text + "...")

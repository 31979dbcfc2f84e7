"""JSON lines: one object a line; see `objects.py` for what an object may hold.

Decided where JSON leaves it open: of two fields with one name the last counts; a number that is
too large for a double, like 1e400, makes a bad line, and so does a string that is no Unicode
text; NaN and Infinity are not JSON.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from itertools import islice
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.row_sink import RowSink
from thresher.kernels.scanning.scan_json import JsonScanner
from thresher.streams.formats.column_remarks import unknown_remark
from thresher.streams.formats.decoded_lines import Place, decode, decoded, every_line, in_order
from thresher.streams.formats.format import Scanned
from thresher.streams.formats.line_format import LineFormat
from thresher.streams.formats.objects import ObjectReader
from thresher.streams.formats.scan_results import with_bad_lines
from thresher.streams.pairs import Pairs
from thresher.streams.recipe import Recipe

#: In so many lines of a block names are looked for that are not read.
LINES_LOOKED_AT = 20


class JsonLines(LineFormat):
    """Reader of JSON lines; a line that is blank is no row."""

    name: ClassVar[str] = "json"

    def __init__(self, recipe: Recipe, names: NameTable, add: bool = True) -> None:
        super().__init__()
        self.recipe = recipe
        self.in_order = not names.hashed
        self._lexicon = Lexicon(names, add, crossing=Pairs.of(recipe.pairs))
        self._only: dict[str, None] | None = None
        self._others: dict[str, set[str]] = {}

    def begin(self, file: str, head: bytes) -> int:
        """Skip a byte order mark; files are spoken of in their order, whoever is done first."""
        self._others.setdefault(file, set())
        return super().begin(file, head)

    def read_only(self, fields: Collection[str]) -> None:
        """Read no other fields of flat objects."""
        self._only = dict.fromkeys(fields)

    def settled(self, block: bytes) -> RowSink | None:
        """The rows of a block of whole lines as the scanner has them; None: not all are settled."""
        if not self._lexicon.hashed:
            return None
        sink = self._scanner().scan(block, 1)
        return None if sink.n_faults else sink

    def scan(self, file: str, block: bytes, first_line: int) -> Scanned:
        """The rows of a block of whole lines."""
        reader = self._reader()
        if not self._lexicon.hashed:
            return decoded(file, block, every_line(block, first_line), reader)
        scanner = self._scanner()
        sink = scanner.scan(block, first_line)
        if scanner.passed_over:
            self._note_others(file, block, reader)
        rows = with_bad_lines(sink, [])
        undecided = [Place(line, start, stop) for line, start, stop, *_ in sink.faults().tolist()]
        if not undecided:
            return rows
        return in_order(rows, decoded(file, block, undecided, reader))

    def names(self, block: bytes, start: int, stop: int) -> list[tuple[int, str]]:
        """Column and name of the features of one line."""
        alone = self._reader().names(decode(block[start:stop]))
        names = self._lexicon.with_pairs([name.encode() for name in alone])
        columns = self._lexicon.columns_of(names)
        return [(c, name.decode()) for c, name in zip(columns, names, strict=True) if c is not None]

    def count_names(
        self, block: bytes, start: NDArray[np.int64], stop: NDArray[np.int64], counts: NameCounts
    ) -> None:
        """Count the names of some lines; a number that is a column is not a name."""
        reader = self._reader()
        scanner = self._scanner() if self._lexicon.hashed else None
        at = 0
        while at < len(start):
            if scanner is not None:
                at = scanner.count_names(block, start, stop, counts, at)
            if at < len(start):
                reader.count_names([decode(block[start[at] : stop[at]])], counts)
                at += 1

    def _scanner(self) -> JsonScanner:
        """A name that is no Unicode text is that of no field, and is none in bytes either."""
        ignored = [name.encode("utf-8", "surrogatepass") for name in self.recipe.ignored]
        label_field = self.recipe.label_field.encode("utf-8", "surrogatepass")
        only = None if self._only is None else [name.encode() for name in self._only]
        return JsonScanner(self._lexicon, label_field, ignored, only)

    def _reader(self) -> ObjectReader:
        return ObjectReader(self.recipe, self._lexicon, self._only)

    def _note_others(self, file: str, block: bytes, reader: ObjectReader) -> None:
        """Note the fields that are not read, from the first lines that have some."""
        noted: set[str] = set()
        for place in islice(every_line(block, 1), LINES_LOOKED_AT):
            with suppress(ValueError):
                noted.update(reader.others(decode(block[place.start : place.stop])))
        self._others.setdefault(file, set()).update(noted)
        each = [unknown_remark(name, sorted(self._others[name])) for name in [*self._others]]
        self.remarks = [remark for remarks in each for remark in remarks]

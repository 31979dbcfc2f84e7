"""JSON lines: one object a line; see `objects.py` for what an object may hold.

Decided where JSON leaves it open: of two fields with one name the last counts; a number that is
too large for a double, like 1e400, makes a bad line, and so does a string that is no Unicode
text; NaN and Infinity are not JSON.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
import numpy as np

from thresher.kernels.lexicon import Lexicon
from thresher.kernels.named_rows import NameTable
from thresher.streams.chunk import BadLine
from thresher.streams.format import BYTE_ORDER_MARK, Scanned, after_last_line_end
from thresher.streams.objects import ObjectReader
from thresher.streams.recipe import Recipe

_decode = msgspec.json.Decoder().decode


class JsonLines:
    """Reader of JSON lines; a line that is blank is no row."""

    name: ClassVar[str] = "json"
    head_bytes: ClassVar[int] = len(BYTE_ORDER_MARK)

    def __init__(self, recipe: Recipe, names: NameTable, add: bool = True) -> None:
        self.recipe = recipe
        self.in_order = not names.hashed
        self._lexicon = Lexicon(names, add)

    def begin(self, file: str, head: bytes) -> int:
        """Skip a byte order mark."""
        return len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0

    def cut(self, block: memoryview) -> int:
        """Behind the last line end."""
        return after_last_line_end(block)

    def scan(self, file: str, block: bytes, first_line: int) -> Scanned:
        """The rows of a block of whole lines."""
        objects: list[Any] = []
        where: list[tuple[int, int, int]] = []
        bad: list[BadLine] = []
        at, number = 0, first_line - 1
        for number, line in enumerate(block.split(b"\n"), first_line):
            start, at = at, at + len(line) + 1
            line = line.rstrip(b"\r")
            if not line or line.isspace():
                continue
            try:
                objects.append(_decode(line))
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                bad.append(
                    BadLine(file, number, f"a line that is not JSON: {error}", _OBJECT, line)
                )
            else:
                where.append((number, start, start + len(line)))
        read = ObjectReader(self.recipe, self._lexicon).read(objects)
        for fault in read.faults:
            number_, start, stop = where[fault.place]
            bad.append(BadLine(file, number_, fault.found, fault.expected, block[start:stop]))
        bad.sort(key=lambda line: line.line)
        place = np.array(where, np.int64).reshape(-1, 3)[read.kept]
        row_start, column, value = read.arrays
        return Scanned(
            row_start=row_start,
            column=column,
            value=value,
            label=read.label,
            label_names=read.label_names,
            importance=read.importance,
            line=np.ascontiguousarray(place[:, 0]),
            start=np.ascontiguousarray(place[:, 1]),
            stop=np.ascontiguousarray(place[:, 2]),
            bad=bad,
            n_lines=block.count(b"\n") + (not block.endswith(b"\n") and bool(block)),
        )

    def names(self, block: bytes, start: int, stop: int) -> list[tuple[int, str]]:
        """Column and name of the features of one line."""
        names = ObjectReader(self.recipe, self._lexicon).names(_decode(block[start:stop]))
        columns = self._lexicon.columns_of([name.encode() for name in names])
        return [(c, name) for c, name in zip(columns, names, strict=True) if c is not None]


_OBJECT = "a JSON object"

"""Writer of CSV and TSV: a column for the label, and one for each feature that occurs.

The header names every column, and the columns are known only at the end; until then the rows
wait in a temporary file, in binary form, so memory does not grow with them.
"""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Sequence
from contextlib import closing
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from thresher.errors import NotWritableError
from thresher.kernels.rows.named_rows import NameTable
from thresher.parameters import MAX_FEATURES
from thresher.streams.formats.binary import Binary
from thresher.streams.formats.csv_table import HEADER_BYTES
from thresher.streams.formats.format import Scanned
from thresher.streams.recipe import Recipe
from thresher.streams.sources.source import ByteSource
from thresher.streams.writers.binary import BinaryWriter
from thresher.streams.writers.examples import Examples

#: What the column of the label is called.
LABEL = "label"
#: A table with more columns than this is hardly one.
MOST_COLUMNS = 20_000
#: Cells that are in memory at a time.
CELLS = 1 << 20


class CsvWriter:
    """Cells are empty where a row lacks a feature.

    Parameters
    ----------
    file
        Where the bytes go.
    names
        The name of each column; None: its number.
    separator
        What stands between cells.
    """

    def __init__(
        self, file: BinaryIO, names: Sequence[str] | None = None, separator: str = ","
    ) -> None:
        self._file = file
        self._names = names
        self._separator = separator
        self._occurs: NDArray[np.bool_] = np.zeros(0, bool)
        # Deleted by `finish` or `abandon`. A folder and not a file: not every system opens a
        # temporary file a second time.
        self._folder = tempfile.TemporaryDirectory(prefix="thresher-", ignore_cleanup_errors=True)
        self._waiting = open(os.path.join(self._folder.name, "rows.thb"), "wb")  # noqa: SIM115
        self._rows = BinaryWriter(self._waiting)

    def write(self, examples: Examples) -> None:
        """Put some more rows aside."""
        if examples.importance is not None and bool(np.any(examples.importance != 1.0)):
            raise NotWritableError(
                "some rows have an importance, which CSV cannot hold.",
                "Write VW text or JSON lines instead, or leave the importance out.",
                code="writing.importance",
            )
        rows = examples.rows
        if rows.n_features > len(self._occurs):
            self._occurs = np.concatenate(
                (self._occurs, np.zeros(rows.n_features - len(self._occurs), bool))
            )
        self._occurs[rows.column] = True
        n_columns = int(np.count_nonzero(self._occurs))
        if n_columns > MOST_COLUMNS:
            raise NotWritableError(
                f"the table would have more than {MOST_COLUMNS} columns. "
                "Write a format for sparse rows instead: svmlight, VW text, JSON lines."
            )
        self._rows.write(examples)

    def finish(self) -> None:
        """Write the header and all rows."""
        self._rows.finish()
        self._waiting.close()
        columns = np.flatnonzero(self._occurs)
        place = np.cumsum(self._occurs) - 1
        text = io.TextIOWrapper(self._file, "utf-8", newline="", write_through=True)
        table = csv.writer(text, delimiter=self._separator, lineterminator="\n")
        text.write(self._header(columns))
        with closing(ByteSource(self._waiting.name)) as source:
            for job in Binary(Recipe(), NameTable(MAX_FEATURES, True)).jobs(source):
                read = job.run()
                labels = [*read.label_names, ""]
                step = max(1, CELLS // max(1, len(columns)))
                for first in range(0, len(read.label), step):
                    here = slice(first, first + step)
                    lines = _lines(read, here, place, len(columns))
                    for label, line in zip(read.label[here].tolist(), lines, strict=True):
                        table.writerow([labels[label], *line])
        text.detach()
        self.abandon()

    def _header(self, columns: NDArray[np.intp]) -> str:
        names = self._names
        for name in () if names is None else [names[c] for c in columns.tolist()]:
            if name in ("", LABEL) or "\0" in name:
                raise NotWritableError(
                    f"a feature that is called {name!r} cannot have a column in a table.",
                    "Write JSON lines instead, or columns without their names.",
                    code="writing.name",
                    name=name,
                )
        cells = [LABEL, *(str(c) if names is None else names[c] for c in columns.tolist())]
        header = self._separator.join(map(self._cell, cells)) + "\n"
        if len(header.encode()) > HEADER_BYTES:
            raise NotWritableError(
                f"the header would have more than {HEADER_BYTES} bytes, which no reader takes. "
                "Write a format for sparse rows instead: svmlight, VW text, JSON lines."
            )
        return header

    def _cell(self, name: str) -> str:
        """A name as it stands in the header; a reader leaves out blanks that are not in quotes."""
        if name.strip() == name and not {self._separator, '"', "\r", "\n"} & {*name}:
            return name
        return f'"{name.replace(chr(34), chr(34) * 2)}"'

    def abandon(self) -> None:
        """Delete the rows that wait."""
        self._waiting.close()
        self._folder.cleanup()


def _lines(read: Scanned, here: slice, place: NDArray[np.intp], n_columns: int) -> list[list[str]]:
    """The cells of some rows; a table as wide as it may be has no room for all at once."""
    start = read.row_start[here.start : here.stop + 1]
    inside = slice(int(start[0]), int(start[-1]))
    cells = np.full((len(start) - 1, n_columns), "", object)
    row = np.repeat(np.arange(len(start) - 1), np.diff(start))
    values = read.value[inside].tolist()
    cells[row, place[read.column[inside]]] = [_shortest(value) for value in values]
    lines: list[list[str]] = cells.tolist()
    return lines


def _shortest(value: float) -> str:
    text = repr(value)
    return text.removesuffix(".0")

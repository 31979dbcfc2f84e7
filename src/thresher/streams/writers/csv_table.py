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
from thresher.streams.recipe import Recipe
from thresher.streams.sources.source import ByteSource
from thresher.streams.writers.binary import BinaryWriter
from thresher.streams.writers.examples import Examples

#: A table with more columns than this is hardly one.
MOST_COLUMNS = 20_000


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
        names = self._names
        table.writerow(["label", *(c if names is None else names[c] for c in columns.tolist())])
        with closing(ByteSource(self._waiting.name)) as source:
            for job in Binary(Recipe(), NameTable(MAX_FEATURES, True)).jobs(source):
                read = job.run()
                cells = np.full((len(read.label), len(columns)), "", object)
                row = np.repeat(np.arange(len(read.label)), np.diff(read.row_start))
                cells[row, place[read.column]] = [_shortest(value) for value in read.value.tolist()]
                labels = [*read.label_names, ""]
                for label, line in zip(read.label.tolist(), cells.tolist(), strict=True):
                    table.writerow([labels[label], *line])
        text.detach()
        self.abandon()

    def abandon(self) -> None:
        """Delete the rows that wait."""
        self._waiting.close()
        self._folder.cleanup()


def _shortest(value: float) -> str:
    text = repr(value)
    return text.removesuffix(".0")

"""Writer of Parquet and Arrow: a label, the features as a map from name to value, a weight."""

from __future__ import annotations

from collections.abc import Sequence
from io import RawIOBase
from typing import Any, BinaryIO

import numpy as np

from thresher.streams.formats.arrow import arrow_package
from thresher.streams.writers.examples import Examples


class ArrowWriter:
    """A table with the columns `label`, `features` and `weight`, as `objects.py` reads them.

    Parameters
    ----------
    file
        Where the bytes go.
    names
        The name of each column; None: its number.
    kind
        ``"parquet"``, or ``"arrow"`` for Arrow's own file format.
    """

    def __init__(
        self, file: BinaryIO, names: Sequence[str] | None = None, kind: str = "parquet"
    ) -> None:
        arrow = arrow_package("Writing Parquet and Arrow")
        self._arrow: Any = arrow
        self._names = names
        self._schema = arrow.schema(
            [
                ("label", arrow.string()),
                ("features", arrow.map_(arrow.string(), arrow.float64())),
                ("weight", arrow.float64()),
            ]
        )
        self._gate = _Gate(file)
        if kind == "parquet":
            self._writer = arrow.parquet.ParquetWriter(
                self._gate, self._schema, compression="zstd", write_page_checksum=True
            )
        else:
            self._writer = arrow.ipc.new_file(self._gate, self._schema)

    def write(self, examples: Examples) -> None:
        """Write some more rows."""
        if not len(examples):
            return
        arrow, rows = self._arrow, examples.rows
        columns, where = np.unique(rows.column, return_inverse=True)
        names = self._names
        shown = [str(c) if names is None else names[c] for c in columns.tolist()]
        keys = arrow.DictionaryArray.from_arrays(
            where.astype(np.int32), arrow.array(shown, "string")
        )
        features = arrow.MapArray.from_arrays(
            rows.row_start.astype(np.int32), keys.cast("string"), arrow.array(rows.value)
        )
        labels = arrow.array(examples.labels(), "string")
        weight = np.ones(len(examples)) if examples.importance is None else examples.importance
        self._writer.write_batch(
            arrow.record_batch([labels, features, arrow.array(weight)], schema=self._schema)
        )

    def finish(self) -> None:
        """Write the footer."""
        self._writer.close()

    def abandon(self) -> None:
        """Close without a footer: half a table must not look like a whole one."""
        self._gate.closing = True
        self._writer.close()


class _Gate(RawIOBase):
    """Hands bytes on to a file until it is told to drop them."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.closing = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:
        if not self.closing:
            self._file.write(data)
        return len(data)

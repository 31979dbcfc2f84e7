"""Formats with one line for each row, which differ in the marks around the numbers."""

from __future__ import annotations

from typing import BinaryIO, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import NotWritableError
from thresher.kernels.rows.write_rows import write_rows
from thresher.streams.writers.examples import Examples

_BUFFER = 2**20


class LineWriter:
    """Writes `head index:value index:value ...`, with marks and heads of its own.

    Parameters
    ----------
    file
        Where the bytes go.
    """

    #: Before the first feature of a row, before the others, inside one, and after all.
    marks: ClassVar[tuple[bytes, bytes, bytes, bytes]]

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._buffer = bytearray(_BUFFER)
        self._n_rows = 0

    def head(self, label: str | None, importance: float) -> bytes:
        """What the line of a row begins with; `NotWritableError` if there is no such line."""
        raise AssertionError("every format has its own")  # pragma: no cover

    def write(self, examples: Examples) -> None:
        """Write some more rows."""
        rows = examples.rows
        arrays = (rows.row_start, rows.column, rows.value)
        head_of_row, heads = self._heads(examples)
        first = 0
        while first < len(rows):
            first, used = write_rows(arrays, first, head_of_row, heads, self.marks, self._buffer)
            if used < 0:
                self._buffer = bytearray(-used)
            else:
                self._file.write(memoryview(self._buffer)[:used])
        self._n_rows += len(rows)

    def finish(self) -> None:
        """Nothing stands at the end."""

    def abandon(self) -> None:
        """There is nothing to let go of."""

    def _heads(self, examples: Examples) -> tuple[NDArray[np.int32], list[bytes]]:
        """A list of heads, each made once, and for every row the one it has."""
        importance = examples.importance
        if importance is None:
            kind = examples.label + np.int32(1)
            kinds = [(int(k) - 1, 1.0) for k in range(len(examples.label_names) + 1)]
        else:
            pairs = np.stack([examples.label.astype(np.float64), importance])
            found, kind = np.unique(pairs, axis=1, return_inverse=True)
            kinds = [(int(label), float(weight)) for label, weight in found.T]
        used = set(np.unique(kind).tolist())
        names: list[str | None] = [*examples.label_names, None]
        heads = [
            self._head(names[label], weight, kind, i) if i in used else b""
            for i, (label, weight) in enumerate(kinds)
        ]
        return kind.astype(np.int32), heads

    def _head(self, label: str | None, importance: float, kind: NDArray[np.int32], i: int) -> bytes:
        try:
            return self.head(label, importance)
        except NotWritableError as error:
            row = self._n_rows + int(np.flatnonzero(kind == i)[0]) + 1
            code, remedy, fields = error.hint
            what = f"row {row}: {error.what}"
            raise NotWritableError(what, remedy, code=code, row=row, **fields) from None

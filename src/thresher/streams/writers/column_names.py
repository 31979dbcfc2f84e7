"""The names of columns, for writers that keep names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from thresher.kernels.rows.named_rows import NameTable


class ColumnNames(Sequence[str]):
    """The names in a vocabulary by column, as many as there are at the moment.

    >>> table = NameTable(None, False)
    >>> names = ColumnNames(table)
    >>> table.vocabulary["free"] = 0
    >>> names[0], len(names)
    ('free', 1)
    """

    def __init__(self, table: NameTable) -> None:
        self._vocabulary = table.vocabulary
        self._known: list[str] = []

    def __len__(self) -> int:
        return len(self._vocabulary)

    @overload
    def __getitem__(self, column: int) -> str: ...
    @overload
    def __getitem__(self, column: slice) -> list[str]: ...
    def __getitem__(self, column: int | slice) -> str | list[str]:
        if len(self._known) < len(self._vocabulary):
            self._known = list(self._vocabulary)
        return self._known[column]

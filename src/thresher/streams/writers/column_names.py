"""The names of columns, for writers that keep names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import overload

from thresher.kernels.rows.named_rows import NameTable

_COLUMN = re.compile(r"\\*(?:0|[1-9][0-9]{0,9})")


def _as_word(name: str) -> str:
    column = _COLUMN.fullmatch(name) and int(name.lstrip("\\")) < 2**31
    return f"\\{name}" if column else name


class ColumnNames(Sequence[str]):
    """The names in a vocabulary by column, as many as there are at the moment.

    >>> table = NameTable(None, False)
    >>> names = ColumnNames(table)
    >>> table.vocabulary["free"] = 0
    >>> names[0], len(names)
    ('free', 1)

    Readers take a number for a column, unless there is a backslash before it. Where all names are
    `words`, those that look like a column get one.

    >>> table.vocabulary["7"] = 1
    >>> ColumnNames(table)[1], ColumnNames(table, words=True)[1]
    ('7', '\\\\7')
    """

    def __init__(self, table: NameTable, *, words: bool = False) -> None:
        self._vocabulary = table.vocabulary
        self._words = words
        self._known: list[str] = []

    def __len__(self) -> int:
        return len(self._vocabulary)

    @overload
    def __getitem__(self, column: int) -> str: ...
    @overload
    def __getitem__(self, column: slice) -> list[str]: ...
    def __getitem__(self, column: int | slice) -> str | list[str]:
        if len(self._known) < len(self._vocabulary):
            new = islice(self._vocabulary, len(self._known), None)
            self._known += map(_as_word, new) if self._words else new
        return self._known[column]

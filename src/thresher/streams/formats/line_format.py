"""What formats of one record a line have in common."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.streams.formats.format import BYTE_ORDER_MARK, RecordEnds
from thresher.streams.pairs import Pairs
from thresher.streams.recipe import Recipe
from thresher.streams.remark import Remark


class LineFormat:
    """A record is a line; nothing stands before the first but perhaps a byte order mark."""

    head_bytes: ClassVar[int] = len(BYTE_ORDER_MARK)
    ends: RecordEnds | None = None
    mends: bool = False

    def __init__(self) -> None:
        self.remarks: list[Remark] = []

    def begin(self, file: str, head: bytes) -> int:
        """Skip a byte order mark."""
        return len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0

    def header_in(self, block: bytes) -> int:
        """There is none."""
        return 0

    def arranged(self, block: bytes) -> bytes:
        """The block: its lines are as they are wanted."""
        return block

    def as_written(self, line: bytes) -> bytes:
        """The line: it is as it was."""
        return line


class NamedLines(LineFormat):
    """Lines whose features have names; a format says how they are counted (`_count`)."""

    def __init__(self, recipe: Recipe, names: NameTable, add: bool, *, numbers: bool) -> None:
        super().__init__()
        self.recipe = recipe
        self.in_order = not names.hashed
        # Whether a number is a column, or a name like others.
        crossing = Pairs.of(recipe.pairs)
        self._lexicon = Lexicon(names, add, numbers, crossing)
        self._reader = Lexicon(names, False, numbers, crossing)

    def _count(
        self,
        block: bytes,
        places: tuple[NDArray[np.int64], NDArray[np.int64]],
        counts: NameCounts,
        columns: bool,
    ) -> None:
        """Count the names of the lines in these places; with `columns`, numbers are names, too."""
        raise AssertionError("every format has its own")  # pragma: no cover

    def names(self, block: bytes, start: int, stop: int) -> list[tuple[int, str]]:
        """Column and name of the features of one line."""
        # Room for all of them, however many they are.
        counts = NameCounts(2**31, 2**40)
        self._count(block, (np.array([start]), np.array([stop])), counts, True)
        names = self._reader.with_pairs(counts.names())
        columns = self._reader.columns_of(names)
        return [(c, name.decode()) for c, name in zip(columns, names, strict=True) if c is not None]

    def count_names(
        self, block: bytes, start: NDArray[np.int64], stop: NDArray[np.int64], counts: NameCounts
    ) -> None:
        """Count the names of some lines; a number that is a column is not a name."""
        self._count(block, (start, stop), counts, False)

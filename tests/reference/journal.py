"""The slow twin of `kernels/rows/journal.pyx`: rows in a list, and a limit in bytes."""

from __future__ import annotations

from collections.abc import Sequence

PER_ROW = 17  # where it ends, its round, its label
PER_ONE = 4  # the column of a value that is 1
PER_VALUE = 12


class Journal:
    """Keeps rows until one does not fit; from then on only counts."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.rows: list[tuple[list[tuple[int, float]], int, int]] = []
        self.omitted = 0

    def nbytes(self) -> int:
        values = [x for row, _, _ in self.rows for _, x in row]
        each = PER_ONE if all(x == 1.0 for x in values) else PER_VALUE
        return PER_ROW * len(self.rows) + each * len(values)

    def append(self, row: Sequence[tuple[int, float]], label: int, round_number: int) -> None:
        self.rows.append((list(row), label, round_number))
        if self.omitted or self.nbytes() > self.limit:
            self.rows.pop()
            self.omitted += 1

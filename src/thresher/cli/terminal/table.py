"""Tables as text: columns that line up, and that leave rather than wrap where there is no room."""

from __future__ import annotations

from collections.abc import Sequence

from thresher.records import record


@record
class Column:
    """A column: its heading, how it lines up, and how soon it leaves a narrow terminal."""

    heading: str
    #: Least width of a cell: a table that grows line by line cannot look ahead.
    width: int = 0
    left: bool = False
    #: The columns with the highest rank leave first; rank 0 stays.
    rank: int = 0


class Table:
    """A table that fits a width.

    Examples
    --------
    >>> table = Table([Column("learner", left=True), Column("mistakes"), Column("why", rank=1)])
    >>> print(table.text([("Winnow", "61", "it is"), ("Perceptron", "66", "so")], width=30))
    learner     mistakes    why
    Winnow            61  it is
    Perceptron        66     so
    >>> print(table.text([("Winnow", "61", "it is")], width=18))
    learner  mistakes
    Winnow         61
    """

    def __init__(self, columns: Sequence[Column]) -> None:
        self.columns = tuple(columns)

    def fitting(self, width: int, widths: Sequence[int] | None = None) -> list[int]:
        """Indices of the columns that stay at this width."""
        room = self._least() if widths is None else widths
        kept = list(range(len(self.columns)))
        while sum(room[c] for c in kept) + 2 * (len(kept) - 1) > width:
            last = max(kept, key=lambda c: (self.columns[c].rank, c))
            if self.columns[last].rank == 0:
                break
            kept.remove(last)
        return kept

    def _least(self) -> list[int]:
        return [max(len(column.heading), column.width) for column in self.columns]

    def line(self, cells: Sequence[str], width: int, widths: Sequence[int] | None = None) -> str:
        """One line, with cells for all columns; those that do not fit are left out."""
        room = self._least() if widths is None else widths
        placed = [
            cells[c].ljust(room[c]) if self.columns[c].left else cells[c].rjust(room[c])
            for c in self.fitting(width, room)
        ]
        return "  ".join(placed).rstrip()

    def heading(self, width: int, widths: Sequence[int] | None = None) -> str:
        """The line of headings."""
        return self.line([column.heading for column in self.columns], width, widths)

    def text(self, rows: Sequence[Sequence[str]], width: int) -> str:
        """The whole table, each column as wide as its widest cell."""
        widths = [
            max([least, *(len(row[c]) for row in rows)]) for c, least in enumerate(self._least())
        ]
        lines = [self.heading(width, widths), *(self.line(row, width, widths) for row in rows)]
        return "\n".join(lines)

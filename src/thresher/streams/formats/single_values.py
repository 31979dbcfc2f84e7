"""Columns of categories whose values hardly ever come again: names, numbers, free text."""

from __future__ import annotations

from collections.abc import Sequence

from thresher.errors import Hint
from thresher.streams.remark import Remark

#: Fewer cells show nothing; of more, so many of a hundred differ.
FEWEST_CELLS, DIFFERENT = 50, 90
#: Texts have as many words, or more, in the mean.
WORDS_OF_TEXTS = 3


def of_single_values(file: str, column: str, cells: Sequence[bytes]) -> Remark | None:
    """What to say about a column of categories, given its first cells; None: nothing.

    >>> print(of_single_values("a.csv", "id", [b"N%d" % k for k in range(60)]).what)
    a.csv: the column 'id' has 60 different values in the first 60 rows; each is a feature of its \
own, which tells nothing about other rows
    >>> of_single_values("a.csv", "colour", [b"red", b"blue"] * 30)
    """
    filled = [cell for cell in cells if cell]
    different = len({*filled})
    if len(filled) < FEWEST_CELLS or different * 100 < len(filled) * DIFFERENT:
        return None
    what = (
        f"{file}: the column {column!r} has {different:,} different values in the first "
        f"{len(cells):,} rows; each is a feature of its own, which tells nothing about other rows"
    )
    remedy = f"Leave it out: Recipe(ignored=({column!r},))."
    words = sum(len(cell.split()) for cell in filled) >= WORDS_OF_TEXTS * len(filled)
    if words:
        remedy += " Words are read from texts alone: lines of a label, a tab and a text."
    return Remark(what, Hint("column.single_values", remedy, {"column": column, "words": words}))

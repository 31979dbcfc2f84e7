"""Columns that deserve a remark: without a name, of single values, of numbers but for a few."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from thresher.errors import Hint
from thresher.errors.error import did_you_mean
from thresher.streams.chunk import shown
from thresher.streams.remark import Remark

#: Fewer cells show nothing; of more, so many of a hundred differ, or are numbers.
FEWEST_CELLS, MOST = 50, 90
#: Texts have as many words, or more, in the mean.
WORDS_OF_TEXTS = 3
#: So many columns without a name are listed.
MOST_PLACES = 5
#: And so many of those that are there.
MOST_LISTED = 20
_NAME_IT = "If it is a feature, name it in the first line."
_NAME_THEM = "If they are features, name them in the first line."
_DECIMAL_COMMA = re.compile(rb"[+-]?[0-9]+(?:,[0-9]+)?")


def nameless_remark(file: str, header: Sequence[str]) -> list[Remark]:
    """What to say about columns that are not read because the header has no name for them.

    >>> print(*nameless_remark("a.csv", ["", "label", "age", ""]))
    a.csv: columns 1 and 4 have no name, and are not read. If they are features, name them in the \
first line.
    >>> nameless_remark("a.csv", ["label", "age"])
    []
    """
    places = [str(k) for k, name in enumerate(header, 1) if not name]
    if not places:
        return []
    if len(places) == 1:
        said = f"column {places[0]} has no name, and is not read"
        return [Remark(f"{file}: {said}", Hint("column.nameless", _NAME_IT))]
    said = f"columns {_some(places)} have no name, and are not read"
    return [Remark(f"{file}: {said}", Hint("column.nameless", _NAME_THEM))]


def unknown_remark(file: str, columns: Sequence[str]) -> list[Remark]:
    """What to say about columns that are not read because the model did not learn from them.

    >>> print(*unknown_remark("new.csv", ["id", "time"]))
    new.csv: the model has not learned from columns 'id' and 'time', and they are not read
    >>> unknown_remark("new.csv", [])
    []
    """
    if not columns:
        return []
    if len(columns) == 1:
        what = f"column {columns[0]!r}, and it is not read"
    else:
        what = f"columns {_some([*map(repr, columns)])}, and they are not read"
    return [Remark(f"{file}: the model has not learned from {what}")]


def absent_remark(file: str, header: Sequence[str], named: Iterable[str]) -> list[Remark]:
    """What to say about columns that were named, to ignore them, say, and that are not there.

    >>> print(*absent_remark("a.csv", ["label", "age"], ["agee"]))
    a.csv: there is no column 'agee', although it was named. Did you mean 'age'? \
Columns are: label, age.
    >>> absent_remark("a.csv", ["label", "age"], ["age"])
    []
    """
    there = {*header}
    absent = [name for name in named if name not in there]
    if not absent:
        return []
    if len(absent) == 1:
        what = f"is no column {absent[0]!r}, although it was named"
    else:
        what = f"are no columns {_some([*map(repr, absent)])}, although they were named"
    more = f" and {len(header) - MOST_LISTED:,} more" if len(header) > MOST_LISTED else ""
    hint = Hint("column.absent", f"Columns are: {', '.join(header[:MOST_LISTED])}{more}.")
    return [Remark(f"{file}: there {what}.{did_you_mean(absent[0], header)}", hint)]


def _some(places: list[str]) -> str:
    """The first few of some columns in words."""
    if len(places) > MOST_PLACES:
        return f"{', '.join(places[:MOST_PLACES])} and {len(places) - MOST_PLACES:,} more"
    return f"{', '.join(places[:-1])} and {places[-1]}"


def column_remark(
    file: str, column: str, cells: Sequence[bytes], is_number: Callable[[bytes], bool]
) -> Remark | None:
    """What to say about a column that is read as categories, given its first cells; None: nothing.

    >>> def told(column, cells):
    ...     print(column_remark("a.csv", column, cells, lambda cell: cell.isdigit()))
    >>> told("id", [b"N%d" % k for k in range(60)])
    a.csv: the column 'id' has 60 different values in the first 60 rows; each is a feature of its \
own, which tells nothing about other rows. Leave it out: Recipe(ignored=('id',)).
    >>> told("age", [b"31", b"47"] * 30 + [b"old"])
    a.csv: the column 'age' has numbers in 60 of the first 61 rows, and is read as categories \
because of 'old'. As numbers: Recipe(numeric=('age',)); then other rows are bad lines.
    >>> told("price", [b"2,5", b"3,75"] * 30)
    a.csv: the column 'price' has numbers with a comma, such as '2,5', and is read as categories. \
Numbers are written with a point.
    >>> told("colour", [b"red", b"blue"] * 30)
    None
    """
    filled = [cell for cell in cells if cell]
    if len(filled) < FEWEST_CELLS:
        return None
    most, first = len(filled) * MOST / 100, f"in the first {len(cells):,} rows"
    head = f"{file}: the column {column!r} has "
    numbers = sum(map(is_number, filled))
    if numbers >= most:
        odd = next(cell for cell in filled if not is_number(cell))
        what = f"numbers in {numbers:,} of the first {len(cells):,} rows, and is read as "
        remedy = f"As numbers: Recipe(numeric=({column!r},)); then other rows are bad lines."
        return Remark(
            f"{head}{what}categories because of {shown(odd)}",
            Hint("column.numbers", remedy, {"column": column}),
        )
    commas = [cell for cell in filled if _DECIMAL_COMMA.fullmatch(cell)]
    if len(commas) >= most:
        what = f"numbers with a comma, such as {shown(commas[0])}, and is read as categories"
        return Remark(head + what, Hint("column.commas", "Numbers are written with a point."))
    different = len({*filled})
    if different < most:
        return None
    what = f"{different:,} different values {first}; each is a feature of its own, which tells "
    remedy = f"Leave it out: Recipe(ignored=({column!r},))."
    words = sum(len(cell.split()) for cell in filled) >= WORDS_OF_TEXTS * len(filled)
    if words:
        remedy += " Words are read from texts alone: lines of a label, a tab and a text."
    hint = Hint("column.single_values", remedy, {"column": column, "words": words})
    return Remark(f"{head}{what}nothing about other rows", hint)

"""Tables in memory with columns of texts: rows as the reader of CSV would make them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from decimal import Decimal
from itertools import repeat
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import UnsoundBatchError

#: Names that are columns in a file (decision 0011).
_COLUMN = re.compile(r"0|[1-9][0-9]{0,9}")


def is_frame(X: Any) -> bool:
    """Whether it is a table in memory whose columns have names."""
    return hasattr(X, "to_numpy") and hasattr(X, "columns")


def is_column_number(name: object) -> bool:
    """Whether a file means a column by it, and not a name."""
    return _COLUMN.fullmatch(str(name)) is not None


def column_of(frame: Any, name: Any) -> NDArray[Any]:
    """A column: of numbers where it holds nothing else but what is missing, otherwise as it is.

    >>> column_of({"size": [2.5, None]}, "size"), column_of({"hour": ["noon", None]}, "hour")[0]
    (array([2.5, nan]), 'noon')
    """
    column = np.asarray(frame[name])
    if column.dtype.kind in "mM":
        # A time as it is written, not as nanoseconds.
        return _as_it_is(frame, name)
    if column.dtype.kind != "O" or column.ndim > 1:
        return column
    cells = column.tolist()
    if not _are_numbers(cells):
        return column
    return np.array([np.nan if is_missing(cell) else float(cell) for cell in cells])


def _as_it_is(frame: Any, name: Any) -> NDArray[Any]:
    """A column cell by cell: NumPy would make 3.0 of a 3 beside one that is missing."""
    return np.array([*frame[name]], object)


def _are_numbers(cells: list[Any]) -> bool:
    """Whether some are, and all others are missing: the first text says no."""
    some = False
    for cell in cells:
        if not is_missing(cell):
            if isinstance(cell, str) or not isinstance(cell, Real | Decimal):
                return False
            some = True
    return some


def with_categories(frame: Any) -> bool:
    """Whether a frame has a column that holds no numbers."""
    # Often pandas knows already; to look into each column takes ten times as long.
    kinds = getattr(frame, "dtypes", repeat(None))
    return any(
        column_of(frame, name).dtype.kind not in "biuf"
        for name, kind in zip(frame.columns, kinds, strict=False)
        if not isinstance(kind, np.dtype) or kind.kind not in "biuf"
    )


def named_rows(
    frame: Any, columns: Iterable[Any] | None = None, texts: Container[str] = ()
) -> list[dict[str | int, float]]:
    """The rows of a frame by name: `size` for a number, `colour=red` for anything else.

    What is missing has no feature, and neither has a 0 or an empty text. Without `columns` all
    are taken; those in `texts` are categories even where they hold numbers.

    >>> class Frame(dict):
    ...     columns = property(list)
    >>> named_rows(Frame(size=np.array([2.5, 0.0]), colour=np.array(["red", None], object)))
    [{'size': 2.5, 'colour=red': 1.0}, {}]
    """
    rows: list[dict[str | int, float]] = []
    for name in frame.columns if columns is None else columns:
        stated = name in texts
        column = _as_it_is(frame, name) if stated else column_of(frame, name)
        rows = rows or [{} for _ in range(len(column))]
        if column.dtype.kind in "biuf" and not stated:
            key = int(name) if is_column_number(name) else str(name)
            for row, value in zip(rows, column.astype(np.float64).tolist(), strict=True):
                if value == value and value != 0.0:
                    row[key] = value
        else:
            for row, cell in zip(rows, column.tolist(), strict=True):
                if (text := _category(name, cell)) is not None:
                    row[f"{name}={text}"] = 1.0
    return rows


def is_missing(cell: object) -> bool:
    """Whether a cell says that nothing is known."""
    # pandas' NA compares with nothing, not even with itself.
    return cell is None or type(cell).__name__ in ("NAType", "NaTType") or cell != cell


def _category(name: object, cell: object) -> str | None:
    if isinstance(cell, list | dict | tuple | set):
        raise UnsoundBatchError(
            f"column {name!r} holds a {type(cell).__name__}; a cell is a number or a text."
        )
    return None if is_missing(cell) else str(cell) or None


def width_of(X: Any) -> int:
    """How many columns a dense table has; 0 for rows of another kind, and where there are none.

    >>> width_of(np.zeros((5, 3))), width_of([{0: 1}]), width_of([[1, 2]])
    (3, 0, 2)
    >>> width_of(np.zeros((0, 3)))
    0
    """
    if isinstance(X, list) and X and isinstance(X[0], list | tuple):
        return len(X[0])
    shape: tuple[int, ...] = getattr(X, "shape", ())
    dense = isinstance(X, np.ndarray) or hasattr(X, "to_numpy")
    return int(shape[1]) if dense and len(shape) == 2 and shape[0] else 0


class Tables(NamedTuple):
    """What the tables were like that a learner has learned from; no part of its state."""

    #: Columns of the widest dense one.
    width: int = 0
    #: What frames called their columns.
    names: tuple[str, ...] = ()
    #: Whether these count by name, as those of a frame with texts do, or by position.
    by_name: bool = False

    def with_one(self, X: Any) -> Tables:
        """The same after one more table."""
        width, names = max(self.width, width_of(X)), _names_of(X)
        if len(names) > len(self.names):
            return Tables(width, names, with_categories(X))
        return self if width == self.width else self._replace(width=width)

    def require_width(self, owner: str, X: Any) -> None:
        """Refuse a dense table that lacks columns of those that were learned."""
        if 0 < (found := width_of(X)) < self.width:
            columns = "1 column" if found == 1 else f"{found} columns"
            raise UnsoundBatchError(
                f"found a table of {columns}, and {owner} has learned tables of {self.width}.",
                "Give all columns, in the same order; rows that lack features are dicts.",
            )

    def require_order(self, owner: str, X: Any) -> None:
        """Refuse a frame whose columns would meet the weights of others."""
        if not self.names or not (names := _names_of(X)):
            return
        if with_categories(X) != self.by_name:
            one, other = "with texts, whose columns count by name", "of numbers alone, by position"
            learned, found = (one, other) if self.by_name else (other, one)
            raise UnsoundBatchError(
                f"found a frame {found}, and {owner} has learned frames {learned}.",
                "Learn from dicts by name if some frames have no texts.",
            )
        if self.by_name:
            return
        for k, (found, learned) in enumerate(zip(names, self.names, strict=False)):
            if found != learned:
                raise UnsoundBatchError(
                    f"column {k} of the frame is called {found!r}, and was {learned!r} when "
                    f"{owner} learned; columns of numbers count by position.",
                    "Give the same columns in the same order.",
                )


def _names_of(X: Any) -> tuple[str, ...]:
    """What a frame calls its columns; nothing if those are no texts, or if there are no rows."""
    if not is_frame(X) or not len(X):
        return ()
    names = tuple(X.columns)
    return names if all(isinstance(name, str) for name in names) else ()

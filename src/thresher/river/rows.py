"""From what River users bring to what the learners take."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def plain(label: Any) -> tuple[Any, bool]:
    """The label, NumPy's own kinds replaced by Python's, and whether it is True or False."""
    if isinstance(label, np.generic):
        label = label.item()
    return label, isinstance(label, bool)


def named(x: Mapping[Any, float]) -> dict[Any, float]:
    """The row with names that learners take.

    >>> named({("free", "cash"): 2, "cash": 1, 3.5: 3})
    {'free cash': 2, 'cash': 1, '3.5': 3}
    """
    if set(map(type, x)) <= {str}:
        return x if type(x) is dict else dict(x)
    return {taken(name): value for name, value in x.items()}


def to_learn(x: Mapping[Any, float]) -> dict[Any, float]:
    """The row with names that learners take, sorted.

    A new name gets the next free column, and sums run over columns in order: sorted names make
    sure that the order of a dict, which says nothing, decides nothing.

    >>> to_learn({("free", "cash"): 2, "cash": 1, 3.5: 3})
    {'3.5': 3, 'cash': 1, 'free cash': 2}
    """
    row = named(x)
    order = sorted(row) if set(map(type, row)) <= {str} else sorted(row, key=str)
    return {name: row[name] for name in order}


def rows_of(X: pd.DataFrame) -> list[dict[Any, float]]:
    """The rows of a frame as they would come one by one."""
    places = to_learn({name: at for at, name in enumerate(X.columns)})
    order = [int(place) for place in places.values()]
    return [dict(zip(places, row, strict=True)) for row in X.to_numpy()[:, order].tolist()]


def taken(name: Hashable) -> str | int:
    """A name as learners take it: a text, or the number of a column."""
    if isinstance(name, str | int):
        return name
    return " ".join(map(str, name)) if isinstance(name, tuple) else str(name)

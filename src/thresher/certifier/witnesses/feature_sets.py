"""Sets of features that explain the labels of binary rows, or nearly do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.witness import Comparator, Witness

Columns = NDArray[np.int64]

#: Covering problems up to this size are also solved to the end (or as far as the limit goes).
EXACT_ROWS, EXACT_COLUMNS, NODES = 5000, 2000, 2000


def never_in_negatives(stream: LabelledRows, d: int) -> Columns:
    """The only features a monotone disjunction can name: those of no negative row."""
    negative = stream.label[stream.row] < 0
    return np.setdiff1d(np.arange(d), stream.column[negative])


def in_all_positives(stream: LabelledRows, d: int) -> Columns:
    """The only features a monotone conjunction can name: those of every positive row."""
    positive = stream.label[stream.row] > 0
    count = np.bincount(stream.column[positive], minlength=d)
    return np.flatnonzero(count == np.count_nonzero(stream.label > 0))


def small_disjunction(stream: LabelledRows, d: int) -> Columns | None:
    """A short disjunction that explains every label, or None if no disjunction does."""
    usable = np.zeros(max(d, 1), bool)
    usable[never_in_negatives(stream, d)] = True
    inside = (stream.label[stream.row] > 0) & usable[stream.column]
    rows, columns = stream.row[inside], stream.column[inside].astype(np.int64)
    if len(np.unique(rows)) < np.count_nonzero(stream.label > 0):
        return None
    greedy = _greedy_cover(rows, columns, d)
    exact = _exact_cover(rows, columns) if len(greedy) > 1 else None
    return greedy if exact is None or len(exact) >= len(greedy) else exact


def _greedy_cover(rows: Columns, columns: Columns, d: int) -> Columns:
    chosen = []
    while len(rows):
        best = int(np.argmax(np.bincount(columns, minlength=d)))
        chosen.append(best)
        covered = np.unique(rows[columns == best])
        left = ~np.isin(rows, covered)
        rows, columns = rows[left], columns[left]
    return np.array(sorted(chosen), np.int64)


def _exact_cover(rows: Columns, columns: Columns) -> Columns | None:
    """A smallest cover by integer programming, where the problem is not too large."""
    names, column = np.unique(columns, return_inverse=True)
    _, row = np.unique(rows, return_inverse=True)
    if len(names) > EXACT_COLUMNS or row.max() >= 2 * 10**6 // len(names):
        return None
    table = np.zeros((row.max() + 1, len(names)), bool)
    table[row, column] = True
    table = np.unique(table, axis=0)
    if len(table) > EXACT_ROWS:
        return None
    solved = milp(
        np.ones(len(names)),
        constraints=LinearConstraint(csr_array(table.astype(np.float64)), 1.0, np.inf),
        integrality=np.ones(len(names)),
        bounds=Bounds(0, 1),
        options={"node_limit": NODES},
    )
    return None if solved.x is None else names[np.rint(solved.x) == 1].astype(np.int64)


def forgiving_disjunction(stream: LabelledRows, d: int, price: float) -> Columns:
    """A set with few attribute errors: features are added while each saves more than it costs.

    Adding a feature saves an error for every positive row it is the first to cover, and costs
    one for every negative row it is in, and the price.
    """
    rows, columns = stream.row, stream.column.astype(np.int64)
    negative = stream.label[rows] < 0
    harm = np.bincount(columns[negative], minlength=d) + price
    rows, columns = rows[~negative], columns[~negative]
    chosen: list[int] = []
    while len(rows):
        gain = np.bincount(columns, minlength=d) - harm
        gain[chosen] = -np.inf
        best = int(np.argmax(gain))
        if gain[best] <= 0:
            break
        chosen.append(best)
        left = ~np.isin(rows, np.unique(rows[columns == best]))
        rows, columns = rows[left], columns[left]
    return np.array(sorted(chosen), np.int64)


def set_of(columns: Columns, origin: str) -> Witness:
    """A set of features as a witness: weight 1 each."""
    return Witness(Comparator(tuple(columns.tolist()), (1,) * len(columns)), origin=origin)

"""Classes on a line of points, whose Littlestone dimension every textbook gives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.concepts.truth_table import TruthTable
from thresher.parameters import checked_count

# In all of them point p is the row whose only feature equal to 1 is p.


def _on_a_line(table: NDArray[np.bool_], names: list[str]) -> TruthTable:
    return TruthTable(table, points=np.eye(table.shape[1], dtype=np.int8), names=names)


def singletons(n_points: int) -> TruthTable:
    """The N functions that are +1 at one point only; dimension 1 for N >= 2.

    >>> print(*singletons(3), sep=", ")
    only at 0, only at 1, only at 2
    """
    n_points = checked_count("singletons", "n_points", n_points, 1)
    return _on_a_line(np.eye(n_points, dtype=bool), [f"only at {p}" for p in range(n_points)])


def thresholds(n_points: int) -> TruthTable:
    """The N + 1 functions "+1 from point j on"; dimension floor(log2(N + 1)).

    >>> print(*thresholds(2), sep=", ")
    from 0 on, from 1 on, never
    """
    n_points = checked_count("thresholds", "n_points", n_points, 1)
    table = np.arange(n_points) >= np.arange(n_points + 1)[:, None]
    return _on_a_line(table, [*(f"from {j} on" for j in range(n_points)), "never"])


def all_functions(n_points: int) -> TruthTable:
    """All 2^N functions on N points; dimension N.

    >>> print(*all_functions(2), sep=", ")
    --, +-, -+, ++
    """
    n_points = checked_count("all_functions", "n_points", n_points, 1, 20)
    table = (np.arange(2**n_points)[:, None] >> np.arange(n_points) & 1).astype(bool)
    return _on_a_line(table, ["".join("-+"[bit] for bit in row) for row in table.astype(int)])

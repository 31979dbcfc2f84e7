"""Separators with a large Euclidean margin, and compromises where there are none.

Support vector machines in their dual form, solved by a quasi-Newton method on a growing set
of rows. Nothing here need be exact, or even good: a witness is measured elsewhere, and a
poor one only gives a weaker bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array, hstack

from thresher.verifier.readers.labelled_rows import LabelledRows

Vector = NDArray[np.float64]

#: Rows a solver holds at most; larger streams are sampled, and every row is checked after.
ROWS_AT_ONCE = 4000
ROUNDS_OF_CUTS = 25
GOOD_ENOUGH = 1.02
PRICES = (1e-3, 1e-2, 1e-1, 1.0, 10.0, 100.0)


@dataclass(frozen=True)
class Problem:
    """The rows y_t x_t over the columns that occur, a constant column last if asked for."""

    rows: Any
    columns: NDArray[np.int64]
    bias: bool
    label: NDArray[np.int8]

    @classmethod
    def of(cls, stream: LabelledRows, bias: bool) -> Problem:
        """The signed rows of a stream; dense where that is smaller."""
        columns, place = np.unique(stream.column, return_inverse=True)
        value = stream.value * stream.label[stream.row]
        shape = (len(stream), max(len(columns), 1))
        rows: Any = csr_array((value, place, stream.row_start), shape=shape)
        if bias:
            rows = csr_array(hstack([rows, stream.label[:, None].astype(np.float64)]))
        if rows.shape[0] * rows.shape[1] <= min(3 * rows.nnz, 10**8):
            rows = rows.toarray()
        return cls(rows, columns.astype(np.int64), bias, stream.label)

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    def margins(self, u: Vector) -> Vector:
        """y_t u.x_t for every row."""
        return np.asarray(self.rows @ u)

    def squared_norms(self) -> Vector:
        """||x_t||^2 of every row."""
        if isinstance(self.rows, np.ndarray):
            return np.asarray(np.einsum("ij,ij->i", self.rows, self.rows))
        return np.asarray(self.rows.power(2).sum(axis=1)).ravel()


def maximal_margin(problem: Problem, first: NDArray[np.int64]) -> Vector | None:
    """A vector with y u.x near 1 or more on all rows and a small norm, if one was found.

    Starts with the rows `first` (the mistakes are a good choice) and adds the rows that
    are furthest on the wrong side, until none is.
    """
    if not len(problem):
        return None
    chosen = np.unique(first[:: max(1, len(first) // (ROWS_AT_ONCE // 2))])
    chosen = chosen if len(chosen) else np.arange(min(len(problem), 10))
    alpha = np.zeros(len(chosen))
    largest = float(np.max(problem.squared_norms()))
    best: Vector | None = None
    shortest = np.inf
    for _ in range(ROUNDS_OF_CUTS):
        part = problem.rows[chosen]
        alpha = _dual(part, alpha, None)
        u = _polished(part, alpha)
        margins = problem.margins(u)
        margin = float(margins.min())
        # The square of a small margin may be 0.
        size = float(u @ u) / margin / margin if margin > 0 else np.inf
        if size < shortest:
            best, shortest = u, size
        # No vector with margins of 1 is shorter than this: weak duality.
        raw = np.asarray(part.T @ alpha)
        at_least = 2 * float(alpha.sum()) - float(raw @ raw)
        worst = np.argsort(margins, kind="stable")[:500]
        new = np.setdiff1d(worst[margins[worst] < 0.99], chosen)
        good_enough = shortest <= GOOD_ENOUGH * at_least
        # A theorem that allows more mistakes than there are rounds is not worth long work.
        hopeless = len(chosen) > 1000 and at_least * largest > 4 * len(problem)
        full = len(chosen) + len(new) > ROWS_AT_ONCE
        if good_enough or hopeless or full or not len(new):
            break
        # Rows that neither support nor come near the margin are dropped, and may return.
        needed = (alpha > 0) | (margins[chosen] < 1.1)
        alpha = np.concatenate((alpha[needed], np.zeros(len(new))))
        chosen = np.concatenate((chosen[needed], new))
    return best


def compromises(problem: Problem) -> list[Vector]:
    """Soft-margin vectors at several prices of a violation, on at most `ROWS_AT_ONCE` rows."""
    if not len(problem):
        return []
    step = max(1, -(-len(problem) // ROWS_AT_ONCE))
    part = problem.rows[np.arange(0, len(problem), step)]
    scale = 1.0 / max(float(np.mean(problem.squared_norms())), 1e-300)
    alpha = np.zeros(part.shape[0])
    found = []
    for price in PRICES:
        alpha = _dual(part, alpha, price * scale)
        found.append(np.asarray(part.T @ alpha))
    return found


def _dual(rows: Any, start: Vector, price: float | None) -> Vector:
    """The alpha >= 0 (and at most the price) that minimises |rows^T alpha|^2 / 2 - sum(alpha)."""

    def value(alpha: Vector) -> tuple[float, Vector]:
        u = rows.T @ alpha
        return float(u @ u) / 2 - float(alpha.sum()), np.asarray(rows @ u) - 1.0

    # Without a price, a stream that is not separable has no minimum; the cap ends the ascent.
    options = {"maxiter": 200, "maxcor": 8}
    solved = minimize(
        value,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, price)] * len(start),
        options=options,
    )
    return np.asarray(solved.x)


def _polished(rows: Any, alpha: Vector) -> Vector:
    """The vector of alpha, or the shortest one with margin 1 on its support if that is better."""
    u = np.asarray(rows.T @ alpha)
    support = np.flatnonzero(alpha > 1e-6 * float(alpha.max(initial=0.0)))
    if not 0 < len(support) <= 800:
        return u
    part = rows[support]
    gram = part @ part.T
    gram = gram if isinstance(gram, np.ndarray) else gram.toarray()
    # The rows of a support may be dependent; a little weight on the diagonal decides.
    gram[np.diag_indices_from(gram)] += 1e-9 * float(np.trace(gram)) / len(support) + 1e-200
    again = np.linalg.solve(gram, np.ones(len(support)))
    other = np.asarray(part.T @ again)
    return max((u, other), key=lambda v: _geometric(rows, v))


def _geometric(rows: Any, u: Vector) -> float:
    return float(np.min(rows @ u)) / max(float(np.linalg.norm(u)), 1e-300)

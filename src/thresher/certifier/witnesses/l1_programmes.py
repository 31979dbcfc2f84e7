"""Comparators of small L1 norm: linear programmes, solved by HiGHS on a growing set of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, eye_array, hstack

from thresher.certifier.witnesses.l2_margins import Problem

Vector = NDArray[np.float64]

#: A limit on the work instead of the time, so that the same stream gives the same witness.
OPTIONS = {"maxiter": 20_000, "presolve": True}
ROUNDS_OF_CUTS = 20
CUTS = 300
GOOD_ENOUGH = 0.97
ROWS_AT_ONCE = 3000
#: Rows of a programme with losses: so many, and no more values than this in all.
ROWS_WITH_SLACK = 1200
VALUES_WITH_SLACK = 150_000


def widest_l1_margin(
    problem: Problem, signed: bool, first: NDArray[np.int64], needed: float = 0.0
) -> Vector | None:
    """A vector with ||u||_1 = 1 and nearly the largest smallest y u.x.

    None if no vector was found, or if none reaches what is needed: some of the rows show that
    for all of them.
    """
    if not len(problem):
        return None
    chosen = np.unique(first[:: max(1, len(first) // CUTS)])
    chosen = chosen if len(chosen) else np.arange(min(len(problem), 10))
    best, best_margin = None, needed
    for _ in range(ROUNDS_OF_CUTS):
        solved = _margin_programme(csr_array(problem.rows[chosen]), signed)
        if solved is None:
            break
        u, promised = solved
        margins = problem.margins(u)
        margin = float(margins.min())
        if margin > best_margin:
            best, best_margin = u, margin
        worst = np.argsort(margins, kind="stable")[:CUTS]
        new = np.setdiff1d(worst[margins[worst] < GOOD_ENOUGH * promised], chosen)
        if promised <= needed or not len(new) or len(chosen) + len(new) > ROWS_AT_ONCE:
            break
        # Rows far from the margin are dropped, and may return.
        chosen = np.concatenate((chosen[margins[chosen] < 2 * promised], new))
    return best


def _margin_programme(rows: Any, signed: bool) -> tuple[Vector, float] | None:
    """Maximise m subject to rows u >= m and sum |u| <= 1."""
    n, d = rows.shape
    both = hstack([rows, -rows]) if signed else rows
    limits = csr_array(hstack([-both, np.ones((n, 1))]))
    mass = np.append(np.ones(both.shape[1]), 0.0)[None, :]
    cost = np.append(np.zeros(both.shape[1]), -1.0)
    solved = linprog(
        cost,
        A_ub=limits,
        b_ub=np.zeros(n),
        A_eq=mass,
        b_eq=[1.0],
        bounds=[(0.0, None)] * both.shape[1] + [(None, None)],
        method="highs",
        options=OPTIONS,
    )
    if solved.x is None:
        return None
    parts = solved.x[:-1]
    return (parts[:d] - parts[d:] if signed else parts), float(solved.x[-1])


def sample_of(problem: Problem) -> NDArray[np.int64]:
    """Rows at equal distances, as many as a programme with losses bears."""
    values = csr_array(problem.rows[:1000]).nnz / max(1, min(len(problem), 1000))
    most = min(ROWS_WITH_SLACK, int(VALUES_WITH_SLACK / max(values, 1.0)))
    return np.arange(0, len(problem), max(1, -(-len(problem) // most)))


def smallest_l1_loss(problem: Problem, signed: bool, level: float) -> Vector | None:
    """A vector with ||u||_1 = 1 and a small summed loss max(0, level - y u.x), on a sample."""
    if not len(problem):
        return None
    rows = csr_array(problem.rows[sample_of(problem)])
    n, d = rows.shape
    both = hstack([rows, -rows]) if signed else rows
    limits = csr_array(hstack([-both, -eye_array(n)]))
    mass = np.append(np.ones(both.shape[1]), np.zeros(n))[None, :]
    cost = np.append(np.zeros(both.shape[1]), np.ones(n))
    solved = linprog(
        cost,
        A_ub=limits,
        b_ub=np.full(n, -level),
        A_eq=csr_array(mass),
        b_eq=[1.0],
        method="highs",
        options=OPTIONS,
    )
    if solved.x is None:
        return None
    parts = solved.x[: both.shape[1]]
    return np.asarray(parts[:d] - parts[d:] if signed else parts)


def smallest_cover(problem: Problem, price: float, rho: float) -> Vector | None:
    """Weights u >= 0 with u.x >= 1 on positives and u.x <= rho on negatives, up to losses.

    Solved on a sample. The sum of u costs `price` a unit, the losses 1.
    """
    if not len(problem):
        return None
    sample = sample_of(problem)
    rows = csr_array(problem.rows[sample])
    n, d = rows.shape
    limits = csr_array(hstack([-rows, -eye_array(n)]))
    level = np.where(problem.label[sample] > 0, 1.0, -rho)
    cost = np.append(np.full(d, price), np.ones(n))
    solved = linprog(cost, A_ub=limits, b_ub=-level, method="highs", options=OPTIONS)
    return None if solved.x is None else np.asarray(solved.x[:d])

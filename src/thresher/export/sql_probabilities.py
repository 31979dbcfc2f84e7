"""Probabilities in SQL: expressions of a score."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.export.sql_terms import number
from thresher.learners.base.probability_map import (
    HIGHEST_ODDS,
    LOWEST_ODDS,
    Curve,
    ProbabilityMap,
    Steps,
    logistic,
)

#: So many steps are compared one after another; with more, halves of them are told apart first.
AT_ONCE = 8


def share(known: ProbabilityMap, margin: str) -> str:
    """The probability against the rest, of an expression for a score minus its threshold.

    >>> import numpy as np
    >>> share(Steps(np.array([0.0, 1.0]), np.array([0.25, 0.5, 0.75])), "score")
    'CASE WHEN score < 0.0e0 THEN 0.25e0 WHEN score < 1.0e0 THEN 0.5e0 ELSE 0.75e0 END'
    """
    if isinstance(known, Steps):
        return _tree(known.edges, known.shares, margin)
    if isinstance(known, Curve):
        return _curve(known, margin)
    return f"(1.0e0 + {margin}) / 2.0e0"


def _tree(edges: NDArray[np.float64], shares: NDArray[np.float64], margin: str) -> str:
    """Nested, so that a row is compared with few of the edges."""
    if len(edges) > AT_ONCE:
        half = len(edges) // 2
        below = _tree(edges[:half], shares[: half + 1], margin)
        above = _tree(edges[half + 1 :], shares[half + 1 :], margin)
        return (
            f"CASE WHEN {margin} < {number(float(edges[half]))} THEN\n    {below}\n"
            f"    ELSE {above} END"
        )
    *before, last = map(number, shares.tolist())
    if not before:
        return last
    cases = zip(map(number, edges.tolist()), before, strict=True)
    compared = " ".join(f"WHEN {margin} < {edge} THEN {one}" for edge, one in cases)
    return f"CASE {compared} ELSE {last} END"


def _curve(known: Curve, margin: str) -> str:
    v = f"({number(known.slope)} * {margin} + {number(known.intercept)})"
    lowest, highest = map(number, logistic(np.array([LOWEST_ODDS, HIGHEST_ODDS])).tolist())
    return (
        f"CASE WHEN {v} < {number(LOWEST_ODDS)} THEN {lowest}\n"
        f"    WHEN {v} > {number(HIGHEST_ODDS)} THEN {highest}\n"
        f"    WHEN {v} >= 0.0e0 THEN 1.0e0 / (1.0e0 + EXP(-{v}))\n"
        f"    ELSE EXP({v}) / (1.0e0 + EXP({v})) END"
    )

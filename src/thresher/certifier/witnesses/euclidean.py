"""Witnesses where theorems measure Euclidean margins: separators, or compromises."""

from __future__ import annotations

from collections.abc import Iterator

from thresher.certifier.witnesses.l2_margins import (
    ROWS_AT_ONCE,
    Problem,
    compromises,
    maximal_margin,
)
from thresher.certifier.witnesses.rounding import (
    SCALES,
    Vector,
    dense_over,
    places_of_mistakes,
    rounded,
)
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Comparator, Witness


def separators(run: ReplayedRun, problem: Problem) -> list[Witness]:
    """A separator in several roundings; none where none was found."""
    found = maximal_margin(problem, places_of_mistakes(run))
    if found is None:
        return []
    how = f"support vectors of {len(problem)} rounds"
    return [
        Witness(rounded(found, problem.columns, run.bias, scale), origin=how) for scale in SCALES
    ]


def soft_margins(run: ReplayedRun, problem: Problem) -> Iterator[tuple[Comparator, Vector, str]]:
    """Comparators with losses, each also over the columns of the problem, and their origin."""
    used = min(len(problem), ROWS_AT_ONCE)
    how = f"soft margin on {used} of {len(problem)} rounds"
    for u in compromises(problem):
        comparator = rounded(u, problem.columns, run.bias, SCALES[2])
        yield comparator, dense_over(comparator, problem), how

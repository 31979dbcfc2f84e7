"""Witnesses for the Passive-Aggressive learners: wide Euclidean margins, or few losses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

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
from thresher.verifier.witness import Witness

#: Levels that are tried for each comparator.
LEVELS = 60


def passive_aggressive_witnesses(run: ReplayedRun) -> Iterator[Witness]:
    """Separators first; where there are none, comparators at the level that suits them best."""
    if not run.same_on_paper:
        # The theorems would be about another run.
        return
    problem = Problem.of(run.counted, run.bias)
    separator = maximal_margin(problem, places_of_mistakes(run))
    if separator is not None:
        how = f"support vectors of {len(problem)} rounds"
        for scale in SCALES:
            yield Witness(rounded(separator, problem.columns, run.bias, scale), origin=how)
        return
    estimate = bound_of_variant(run, problem)
    used = min(len(problem), ROWS_AT_ONCE)
    how = f"soft margin on {used} of {len(problem)} rounds"
    for u in compromises(problem):
        comparator = rounded(u, problem.columns, run.bias, SCALES[2])
        dense = dense_over(comparator, problem)
        margins = problem.margins(dense)
        positive = np.sort(margins[margins > 0])
        levels = positive[:: max(1, len(positive) // LEVELS)]
        if len(levels):
            level = min(levels, key=lambda at: estimate(margins, float(dense @ dense), float(at)))
            yield Witness(comparator, level=Fraction(round(float(level)) or 1), origin=how)


def bound_of_variant(run: ReplayedRun, problem: Problem) -> Callable[[Vector, float, float], float]:
    """About what the theorem allows, from margins, a squared norm and a level."""
    radius = float(max(run.mistake_norms, default=Fraction(0)))
    variant, c = run.parameters["variant"], float(run.exact("C"))
    norms = np.maximum(problem.squared_norms(), 1e-300)

    def estimate(margins: Vector, size: float, level: float) -> float:
        short = np.maximum(0.0, level - margins)
        if variant == "PA-I":
            paid = 2 * c * float(short.sum()) / level
            return max(radius, 1 / c) * (size / level**2 + paid)
        if variant == "PA-II":
            return (radius + 0.5 / c) * (size + 2 * c * float(short @ short)) / level**2
        off: float = float(np.sum(short**2 / norms))
        # A power beyond doubles is an error, a product is infinite: this level is not the best.
        reach = (math.sqrt(off) + math.sqrt(off + size)) / level
        return radius * reach * reach

    return estimate

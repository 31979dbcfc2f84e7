"""Witnesses for the Passive-Aggressive learners: wide Euclidean margins, or few losses."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from thresher.certifier.witnesses.euclidean import separators, soft_margins
from thresher.certifier.witnesses.l2_margins import Problem
from thresher.certifier.witnesses.rounding import Vector
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
    if found := separators(run, problem):
        yield from found
        return
    estimate = bound_of_variant(run, problem)
    for comparator, dense, how in soft_margins(run, problem):
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

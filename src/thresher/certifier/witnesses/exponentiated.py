"""Witnesses for normalised and signed Winnow: wide L1 margins, or few losses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from thresher.certifier.witnesses.l1_programmes import sample_of, smallest_l1_loss, widest_l1_margin
from thresher.certifier.witnesses.l2_margins import Problem
from thresher.certifier.witnesses.rounding import (
    SCALES,
    Vector,
    dense_over,
    places_of_mistakes,
    rounded,
)
from thresher.verifier.measures.exponentiated import steps_of
from thresher.verifier.measures.strongest import bounds_for
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.exponentiated import restarts
from thresher.verifier.witness import Witness


def exponentiated_witnesses(run: ReplayedRun, *, signed: bool) -> Iterator[Witness]:
    """The widest L1 margin; comparators with losses where that is too narrow for the step."""
    problem = Problem.of(run.counted, run.bias)
    how = f"linear programme over {len(problem)} rounds"
    eta = radius = floor = 0.0
    if not restarts(run.parameters):
        eta = float(steps_of(run.parameters)[0])
        radius = float(run.mistake_radius if run.mistakes else run.exact("radius"))
        # The relative margin below which the step is too large for any theorem.
        floor = _lncosh(eta * radius) / eta
    separator = widest_l1_margin(problem, signed, places_of_mistakes(run), floor)
    if separator is not None:
        found = False
        for scale in SCALES:
            witness = Witness(rounded(separator, problem.columns, run.bias, scale), origin=how)
            found = found or bool(bounds_for(run, witness))
            yield witness
        if found:
            return
    for factor in (1.5, 3.0) if eta else ():
        if floor * factor <= radius:
            u = smallest_l1_loss(problem, signed, floor * factor)
            if u is not None:
                weights = (run.features + run.bias) * (2 if signed else 1)
                yield from _with_level(run, problem, u, (eta, floor, weights))


def _with_level(
    run: ReplayedRun, problem: Problem, u: Vector, given: tuple[float, float, int]
) -> Iterator[Witness]:
    """The vector, at the level of loss that makes the theorem's bound smallest.

    Given are the step, the margin it needs, and how many weights share the start.
    """
    eta, floor, weights = given
    comparator = rounded(u, problem.columns, run.bias, SCALES[2])
    norm = float(comparator.norm_1)
    if not norm:
        return
    margins = problem.margins(dense_over(comparator, problem)) / norm
    ordered = np.sort(margins)
    sums = np.concatenate(([0.0], np.cumsum(ordered)))
    levels = np.concatenate((ordered[ordered > floor * 1.01], floor * np.array([1.1, 1.5, 2, 4])))
    # A step that needs no margin has no levels beyond it but margins above 0.
    levels = levels[levels > floor][:: max(1, len(levels) // 2000)]
    if not len(levels):
        return
    short = np.searchsorted(ordered, levels)
    loss = short * levels - sums[short]
    share = np.array([float(w) for w in comparator.weights]) / norm
    entropy = -float(np.sum(np.abs(share) * np.log(np.abs(share))))
    start = np.log(weights)
    bound = (start - entropy + eta * loss) / (eta * (levels - floor))
    level = Fraction(max(1, round(float(levels[np.argmin(bound)]) * norm)))
    used = len(sample_of(problem))
    how = f"linear programme over {used} of {len(problem)} rounds"
    yield Witness(comparator, level=level, origin=how)


def _lncosh(z: float) -> float:
    return abs(z) + float(np.log1p(np.exp(-2 * abs(z)))) - float(np.log(2))

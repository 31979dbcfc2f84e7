"""Witnesses for normalised and signed Winnow: wide L1 margins, or few losses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from thresher.certifier.witness_l1 import sample_of, smallest_l1_loss, widest_l1_margin
from thresher.certifier.witness_l2 import Problem
from thresher.certifier.witness_rounding import (
    SCALES,
    Vector,
    dense_over,
    places_of_mistakes,
    rounded,
)
from thresher.verifier.certificate import Witness
from thresher.verifier.exponentiated import restarts
from thresher.verifier.measure_exponentiated import steps_of
from thresher.verifier.measure_theorems import bounds_for
from thresher.verifier.run import Run


def exponentiated_witnesses(run: Run) -> Iterator[Witness]:
    """The widest L1 margin; comparators with losses where that is too narrow for the step."""
    signed = run.learner == "signed_winnow"
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
                yield from _with_level(run, problem, u, eta, floor)


def _with_level(
    run: Run, problem: Problem, u: Vector, eta: float, floor: float
) -> Iterator[Witness]:
    """The vector, at the level of loss that makes the theorem's bound smallest."""
    comparator = rounded(u, problem.columns, run.bias, SCALES[2])
    norm = float(comparator.norm_1)
    if not norm:
        return
    margins = problem.margins(dense_over(comparator, problem)) / norm
    ordered = np.sort(margins)
    sums = np.concatenate(([0.0], np.cumsum(ordered)))
    levels = np.concatenate((ordered[ordered > floor * 1.01], floor * np.array([1.1, 1.5, 2, 4])))
    levels = levels[:: max(1, len(levels) // 2000)]
    short = np.searchsorted(ordered, levels)
    loss = short * levels - sums[short]
    share = np.array([float(w) for w in comparator.weights]) / norm
    entropy = -float(np.sum(np.abs(share) * np.log(np.abs(share))))
    start = np.log((run.features + run.bias) * (2 if run.learner == "signed_winnow" else 1))
    bound = (start - entropy + eta * loss) / (eta * (levels - floor))
    level = Fraction(max(1, round(float(levels[np.argmin(bound)]) * norm)))
    used = len(sample_of(problem))
    how = f"linear programme over {used} of {len(problem)} rounds"
    yield Witness(comparator, level=level, origin=how)


def _lncosh(z: float) -> float:
    return abs(z) + float(np.log1p(np.exp(-2 * abs(z)))) - float(np.log(2))

"""Witnesses for the Perceptron: wide Euclidean margins, or few losses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from thresher.certifier.witnesses.euclidean import separators, soft_margins
from thresher.certifier.witnesses.l2_margins import Problem
from thresher.certifier.witnesses.rounding import Vector
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Witness


def hinge_level(margins: Vector, size: float) -> float:
    """The level at which the hinge bound of a comparator is smallest.

    With L the loss and A = size/level, the bound is L/level + A^2/2 + A sqrt(L/level + A^2/4);
    between two margins it has no kink, and the margins themselves are tried, 2,000 of them.
    """
    ordered = np.sort(margins)
    sums = np.concatenate(([0.0], np.cumsum(ordered)))
    positive = ordered[ordered > 0]
    if not len(positive):
        return 0.0
    levels = positive[:: max(1, len(positive) // 2000)]
    short = np.searchsorted(ordered, levels)
    # Far too small a level has an infinite bound, and is not the smallest.
    with np.errstate(over="ignore"):
        loss = (short * levels - sums[short]) / levels
        a = size / levels
        return float(levels[np.argmin(loss + a * a / 2 + a * np.sqrt(loss + a * a / 4))])


def perceptron_witnesses(run: ReplayedRun) -> Iterator[Witness]:
    """Separators first; where there are none, comparators with losses."""
    problem = Problem.of(run.counted, run.bias)
    if found := separators(run, problem):
        yield from found
        return
    if not run.algorithm.is_textbook(run.parameters) or run.parameters["margin"]:
        # About thick margins nothing is known where there are losses.
        return
    radius = float(max(run.mistake_norms, default=Fraction(0))) ** 0.5
    for comparator, dense, how in soft_margins(run, problem):
        level = hinge_level(problem.margins(dense), radius * float(np.linalg.norm(dense)))
        if level > 0:
            yield Witness(comparator, level=Fraction(round(level) or 1), origin=how)

"""Witnesses for AdaGrad: few losses at margin 1, by weights near those that the run had."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

import numpy as np

from thresher.certifier.witnesses.l2_margins import Problem, compromises
from thresher.certifier.witnesses.rounding import SCALES, Vector, dense_over, rounded
from thresher.verifier.measures.adagrad import Ledger
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Comparator, Witness

#: What the largest weight of a comparator may be: a grid from 1/64 to 1024.
SIZES = tuple(2.0 ** (power / 2) for power in range(-12, 21))


def adagrad_witnesses(run: ReplayedRun) -> Iterator[Witness]:
    """The weights that the run ends with, and soft margins, each at its best length."""
    problem, ledger = Problem.of(run.counted, run.bias), cast(Ledger, run.measured)
    directions = [("the last weights", _last_weights(run, problem))]
    directions += [("soft margin", u) for u in compromises(problem)]
    for how, u in directions:
        comparator = rounded(u, problem.columns, run.bias, SCALES[2])
        if not comparator.numerators and not comparator.bias:
            continue
        margins = problem.margins(dense_over(comparator, problem))
        lengths = [
            replace(comparator, denominator=max(1, round(SCALES[2] / size))) for size in SIZES
        ]
        best = min(lengths, key=lambda u: _estimate(run, ledger, u, margins / u.denominator))
        yield Witness(best, origin=how)


def _last_weights(run: ReplayedRun, problem: Problem) -> Vector:
    """The weights of the state over the columns of the problem."""
    state = run.replay.state
    found = np.zeros(len(problem.columns))
    place = np.searchsorted(problem.columns, state["columns"])
    found[place] = state["weight"]
    if not run.bias:
        return found if len(found) else np.zeros(1)
    # Of the constant feature's numbers, by their names, the weight comes last.
    return np.append(found, state["constant"][-1])


def _estimate(run: ReplayedRun, ledger: Ledger, u: Comparator, margins: Vector) -> float:
    eta, distance = float(run.exact("rate")), ledger.distance(u)
    if run.parameters["loss"] == "hinge":
        loss = float(np.maximum(0.0, 1.0 - margins).sum())
    else:
        loss = float(np.logaddexp(0.0, -margins).sum())
    return loss + (distance**2 / (2 * eta) + eta) * ledger.root_sum

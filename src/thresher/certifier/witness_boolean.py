"""Witnesses for the learners of binary rows: sets of features, covers, the best expert."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from thresher.certifier.witness_l1 import sample_of, smallest_cover
from thresher.certifier.witness_l2 import Problem
from thresher.certifier.witness_rounding import set_of
from thresher.certifier.witness_sets import (
    forgiving_disjunction,
    in_all_positives,
    never_in_negatives,
    small_disjunction,
)
from thresher.verifier.certificate import Witness
from thresher.verifier.measure import LARGEST_NUMERATOR, Comparator
from thresher.verifier.measure_theorems import literals_of
from thresher.verifier.run import Run

#: What negatives may stay below, in a fractional cover; only those a step can follow are tried.
LEVELS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))
#: Weights of a cover are multiples of one over this.
DENOMINATOR = 64


def winnow_witnesses(run: Run) -> Iterator[Witness]:
    """A disjunction if one fits; otherwise sets with errors, and fractional covers."""
    stream, d = run.stream, run.features
    beta = run.exact("beta")
    alpha, theta = 1.0 + float(beta), float(run.exact("threshold"))
    if stream.binary:
        exact = small_disjunction(stream, d)
        if exact is not None:
            yield set_of(exact, f"set cover of {len(stream)} rounds")
            return
    if run.parameters["zeroing"]:
        return
    c = (alpha - 1 / alpha) * theta / np.log(alpha)
    price = max(float((np.log(c) - 1) / np.log(alpha)), 0.1)
    if stream.binary:
        yield set_of(forgiving_disjunction(stream, d, price), "greedy set cover with errors")
    problem = Problem.of(stream, bias=False)
    used = len(sample_of(problem))
    how = f"fractional cover of {used} of {len(problem)} rounds"
    for rho in LEVELS:
        u = smallest_cover(problem, price, float(rho)) if rho * (1 + beta) < 1 else None
        if u is not None:
            whole = np.rint(u * DENOMINATOR).astype(np.int64)[: len(problem.columns)]
            kept = np.flatnonzero((whole > 0) & (whole <= LARGEST_NUMERATOR))
            columns, numerators = problem.columns[kept].tolist(), whole[kept].tolist()
            comparator = Comparator(tuple(columns), tuple(numerators), 0, DENOMINATOR)
            yield Witness(comparator, rho=rho, origin=how)


def elimination_witnesses(run: Run) -> Iterator[Witness]:
    """All features that a disjunction may name: the more, the fewer mistakes."""
    stream, d = literals_of(run)
    yield set_of(never_in_negatives(stream, d), "features of no negative row")


def conjunction_witnesses(run: Run) -> Iterator[Witness]:
    """All features that a conjunction may name: the more, the fewer mistakes."""
    stream, d = literals_of(run)
    yield set_of(in_all_positives(stream, d), "features of every positive row")


def majority_witnesses(run: Run) -> Iterator[Witness]:
    """The expert with the fewest mistakes."""
    stream = run.stream
    wrong = stream.value * stream.label[stream.row] < 0
    best = int(np.argmin(np.bincount(stream.column[wrong], minlength=run.features)))
    yield set_of(np.array([best]), "the best expert")

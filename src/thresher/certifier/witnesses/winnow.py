"""Witnesses for Winnow: disjunctions, sets with errors, and fractional covers."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from thresher.certifier.witnesses.feature_sets import (
    forgiving_disjunction,
    set_of,
    small_disjunction,
)
from thresher.certifier.witnesses.l1_programmes import sample_of, smallest_cover
from thresher.certifier.witnesses.l2_margins import Problem
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import LARGEST_NUMERATOR, Comparator, Witness

#: What negatives may stay below, in a fractional cover; only those a step can follow are tried.
LEVELS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))
#: Weights of a cover are multiples of one over this.
DENOMINATOR = 64


def winnow_witnesses(run: ReplayedRun) -> Iterator[Witness]:
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

"""Theorems about Winnow."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from thresher.theory import (
    MistakeBound,
    WinnowAnyThreshold,
    WinnowAttributeErrors,
    WinnowComparator,
    WinnowDisjunction,
    WinnowZeroing,
)
from thresher.verifier.measures.margins import Margins
from thresher.verifier.measures.witness_errors import attribute_errors
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Witness


def winnow_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """Disjunctions where the witness is one, otherwise the comparator theorem at its rho."""
    u, d = witness.comparator, run.features
    beta, theta = run.exact("beta"), run.exact("threshold")
    value = run.stream.value
    if np.any(value < 0.0) or np.any(value > 1.0):
        return
    if not u.fits(d) or min(u.numerators, default=0) < 0:
        return
    if witness.rho is not None:
        if not run.parameters["zeroing"]:
            loss = Margins(run.stream, u).hinge_loss(Fraction(1), -witness.rho)
            yield WinnowComparator(d, u.weights, witness.rho, beta, theta, loss)
        return
    if not u.is_a_set or not run.stream.binary:
        return
    r, errors = len(u.columns), attribute_errors(run.stream, u)
    if run.parameters["zeroing"]:
        if not errors:
            yield WinnowZeroing(d, r, beta, theta)
    elif errors:
        yield WinnowAttributeErrors(d, r, errors, beta, theta)
    elif beta == 1 and theta == d:
        yield WinnowDisjunction(d, r)
    else:
        yield WinnowAnyThreshold(d, r, beta, theta)

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
    WinnowThickThresholds,
    WinnowZeroing,
)
from thresher.verifier.algorithm import Measure
from thresher.verifier.measures.witness_errors import attribute_errors
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import Parameters
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
            loss = run.margins_of_all(u).hinge_loss(Fraction(1), -witness.rho)
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


def winnow_varied(parameters: Parameters) -> Measure | None:
    """The theorem about two thresholds, where nothing but the margin is varied."""
    plain = {"zeroing": False, "floor": None, "class_weight": None, "scaling": None}
    thick = all(parameters[name] == value for name, value in plain.items())
    return thick_winnow_bounds if thick else None


def thick_winnow_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """The updates of Winnow with a margin, on a disjunction that errs nowhere."""
    u = witness.comparator
    if witness.rho is not None or not u.is_a_set or not u.fits(run.features):
        return
    if run.stream.binary and not attribute_errors(run.stream, u):
        theta, margin = run.exact("threshold"), run.exact("margin")
        counts = run.features, len(u.columns)
        yield WinnowThickThresholds(*counts, run.exact("beta"), theta - margin, theta + margin)

"""Theorems about the Perceptron."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from thresher.theory import (
    MistakeBound,
    Novikoff,
    NovikoffBySum,
    PerceptronHinge,
    PerceptronSquaredHinge,
)
from thresher.verifier.measures.margins import Margins
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Witness


def perceptron_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """Novikoff's theorem for a separator, the hinge theorems at a level."""
    u = witness.comparator
    if u.bias and not run.bias:
        return
    margins = Margins(run.counted, u)
    radius_squared = max(run.mistake_norms, default=Fraction(0))
    size = u.norm_squared
    if witness.level is None:
        margin = margins.smallest()
        if margin is not None:
            yield Novikoff(radius_squared, size, margin)
            yield NovikoffBySum(sum(run.mistake_norms, Fraction(0)), size, margin)
        return
    level = witness.level
    yield PerceptronHinge(radius_squared, size, level, margins.hinge_loss(level))
    if not margins.error.any():
        squared = margins.squared_hinge_loss(level)
        yield PerceptronSquaredHinge(radius_squared, size, level, squared)

"""Theorems about the Perceptron."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from thresher.theory import (
    Concept,
    MistakeBound,
    Novikoff,
    NovikoffBySum,
    PerceptronHinge,
    PerceptronSquaredHinge,
    PerceptronThickMargin,
)
from thresher.verifier.algorithm import Measure
from thresher.verifier.measures.claims import perceptron_allowance
from thresher.verifier.measures.margins import squared_norms
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.witness import Witness


def perceptron_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """Novikoff's theorem for a separator, the hinge theorems at a level."""
    u = witness.comparator
    if u.bias and not run.bias:
        return
    margins = run.margins(u)
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
    if margins.exact:
        squared = margins.squared_hinge_loss(level)
        yield PerceptronSquaredHinge(radius_squared, size, level, squared)


def perceptron_varied(parameters: Parameters) -> Measure | None:
    """The theorem about a thick margin, where nothing else is varied."""
    return thick_bounds if only_thick(parameters) else None


def only_thick(parameters: Parameters) -> bool:
    """Whether the margin is all that makes this another algorithm than the textbook's."""
    plain = {"decay": 0, "average": False, "class_weight": None, "scaling": None}
    return all(parameters[name] == value for name, value in plain.items())


def thick_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """The updates of the Perceptron with a margin, through a separator."""
    u = witness.comparator
    if witness.level is not None or (u.bias and not run.bias):
        return
    margin = run.margins(u).smallest()
    if margin is not None:
        # An empty row may be an update, and adds nothing.
        norms = squared_norms(run.stream.take(run.replay.updates), run.bias)
        largest = max(norms, default=Fraction(0))
        yield PerceptronThickMargin(largest, u.norm_squared, margin, run.exact("margin"))


def thick_allowance(title: str, parameters: Parameters, concept: Concept) -> MistakeBound | None:
    """What a separator allows the Perceptron with a margin: its updates, hence its mistakes."""
    if not only_thick(parameters):
        return None
    thin = perceptron_allowance(title, parameters, concept)
    if not isinstance(thin, Novikoff):
        return None
    thickness = Fraction(parameters["margin"])
    size = thin.comparator_norm_squared
    return PerceptronThickMargin(thin.radius_squared, size, thin.margin, thickness)

"""Theorems about normalised and signed Winnow, with the step the learner had."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf, nextafter

from thresher.theory import (
    MistakeBound,
    NormalizedWinnowHinge,
    NormalizedWinnowRate,
    SignedWinnowHinge,
    SignedWinnowRate,
    SignedWinnowRestarts,
)
from thresher.theory.enclosure import ln
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.exponentiated import base_of, restarts
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.witness import Witness


def steps_of(parameters: Parameters) -> tuple[Fraction, ...]:
    """The learner's step eta, or two fractions that enclose it where it is a logarithm.

    The drop per mistake, eta g' - ln cosh(eta X), is concave in eta: between the two it is at
    least the smaller of their drops, so the weaker of the two bounds holds for eta itself.
    """
    base = base_of(parameters)
    if base.value is None:
        return (base.per,)
    low, high = (ln(base.value) * base.per).enclose(40)
    return Fraction(nextafter(float(low), 0.0)), Fraction(nextafter(float(high), inf))


def exponentiated_bounds(
    run: ReplayedRun, witness: Witness, *, signed: bool
) -> Iterator[MistakeBound]:
    """The separable theorem for a separator, the hinge theorem at a level."""
    rate = SignedWinnowRate if signed else NormalizedWinnowRate
    hinge = SignedWinnowHinge if signed else NormalizedWinnowHinge
    u, d = witness.comparator, run.features + run.bias
    too_wide = u.columns and max(u.columns) >= run.features
    negative = min((*u.numerators, u.bias)) < 0
    if too_wide or (u.bias and not run.bias) or (negative and not signed):
        return
    margins = run.margins(u)
    weights = tuple(map(abs, u.weights))
    level = margins.smallest() if witness.level is None else witness.level
    if level is None:
        return
    if restarts(run.parameters):
        # A smaller margin allows more mistakes than there are rounds, and many digits of them.
        telling = level * 2**64 >= run.exact("radius")
        if telling and witness.level is None and run.mistake_radius <= run.exact("radius"):
            yield SignedWinnowRestarts(d, level, run.exact("radius"), u.norm_1)
        return
    radius = run.mistake_radius if run.mistakes else run.exact("radius")
    found: list[MistakeBound] = []
    for eta in steps_of(run.parameters):
        if witness.level is None:
            theorem: MistakeBound = rate(
                n_features=d,
                margin=level,
                radius=radius,
                comparator_norm=u.norm_1,
                comparator=weights,
                eta=eta,
            )
        else:
            theorem = hinge(
                n_features=d,
                margin=level,
                radius=radius,
                comparator_norm=u.norm_1,
                comparator=weights,
                eta=eta,
                loss=margins.hinge_loss(level),
            )
        if not theorem.applies():
            return
        found.append(theorem)
    yield max(found, key=run.allows)

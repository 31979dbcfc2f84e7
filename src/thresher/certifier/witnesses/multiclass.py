"""Witnesses for learners with several classes: what other learners make of the same stream."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from thresher.certifier.witnesses.perceptron import hinge_level
from thresher.certifier.witnesses.rounding import SCALES, Vector, rounded
from thresher.verifier.compiled.additive_classes import AdditiveClasses
from thresher.verifier.measures.multiclass import Blocks
from thresher.verifier.measures.strongest import bounds_for
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.class_order import ClassOrder
from thresher.verifier.replays.class_tables import MOST_NUMBERS
from thresher.verifier.witness import Comparator, Witness

#: Passes over the stream, and how far Passive-Aggressive may go with one row in them.
PASSES, STEPS = 5, (1e9, 0.1, 0.003)


def multiclass_perceptron_witnesses(run: ReplayedRun) -> Iterator[Witness]:
    """Weights that separate, if any were found; otherwise weights with losses."""
    radius = float(max(run.mistake_norms, default=Fraction(0))) ** 0.5
    for u, how in _candidates(run):
        comparator = _comparator(u, SCALES[2])
        blocks = Blocks(run, comparator)
        if not blocks.measurable or not comparator.columns:
            continue
        leads = blocks.margins().approximate
        if leads.min(initial=1.0) > 0:
            yield Witness(comparator, origin=how)
        size = (2.0**0.5) * radius * float(comparator.norm_squared) ** 0.5
        level = hinge_level(leads, size)
        if level > 0:
            yield Witness(comparator, level=Fraction(max(1, round(level))), origin=how)


def multiclass_winnow_witnesses(run: ReplayedRun, *, signed: bool) -> Iterator[Witness]:
    """The same for exponentiated learners, at several levels."""
    for u, how in _candidates(run):
        # What all classes have in common changes no lead.
        comparator = _comparator(u - (np.median if signed else np.min)(u, axis=0), SCALES[2])
        blocks = Blocks(run, comparator)
        if not blocks.measurable or not comparator.columns:
            continue
        leads = blocks.margins().approximate
        if leads.min(initial=1.0) > 0:
            yield Witness(comparator, origin=how)
        for share in (0.1, 0.3, 0.5, 0.8):
            level = Fraction(round(float(np.quantile(leads, share))) if len(leads) else 0)
            witness = Witness(comparator, level=level, origin=how)
            if level > 0 and bounds_for(run, witness):
                yield witness


def _candidates(run: ReplayedRun) -> Iterator[tuple[Vector, str]]:
    """Tables of weights, a line per class: Passive-Aggressive after some passes."""
    stream, order = run.stream, ClassOrder.of(run.stream, run.parameters)
    n = len(order.classes)
    if n < 2 or not len(stream) or n * (stream.width + 1) > MOST_NUMBERS:
        return
    for step in STEPS:
        rounds = AdditiveClasses(stream, order.label, stream.width, n, n, run.bias)
        rounds.set_rule("PA-I", False, step)
        for _ in range(PASSES):
            rounds.play()
        table = rounds.table().T
        how = f"{PASSES} passes of Passive-Aggressive, C = {step:g}"
        yield (table if run.bias else table[:, :-1]), how


def _comparator(u: Vector, scale: int) -> Comparator:
    """The table as one vector, block after block, in whole numbers."""
    return rounded(u.ravel(), np.arange(u.size), False, scale)

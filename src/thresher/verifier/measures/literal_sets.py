"""Theorems about Elimination and the conjunction learner."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thresher.theory import ConjunctionTarget, EliminationDisjunction, MistakeBound
from thresher.verifier.measures.witness_errors import active, attribute_errors
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.literals import columns_of
from thresher.verifier.witness import Witness


def elimination_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """The disjunction that explains every label."""
    u = witness.comparator
    stream, d = run.kept, columns_of(run.parameters)
    if u.fits(d) and u.is_a_set and stream.binary and not attribute_errors(stream, u):
        yield EliminationDisjunction(d, len(u.columns))


def conjunction_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """The conjunction that explains every label."""
    u = witness.comparator
    stream, d = run.kept, columns_of(run.parameters)
    if not (u.fits(d) and u.is_a_set and stream.binary):
        return
    satisfied = active(stream, u) == len(u.columns)
    if np.array_equal(satisfied, stream.label > 0):
        yield ConjunctionTarget(d, len(u.columns))

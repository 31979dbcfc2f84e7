"""Theorems about Weighted Majority, by vote or by lot."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thresher.theory import (
    ExpectedMistakes,
    MistakeBound,
    RandomizedMajorityBest,
    WeightedMajorityBest,
)
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Witness


def majority_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """The best expert."""
    best = mistakes_of_expert(run, witness)
    if best is not None:
        yield WeightedMajorityBest(run.features, best, run.exact("beta"))


def mistakes_of_expert(run: ReplayedRun, witness: Witness) -> int | None:
    """The mistakes of the witness, if it is one expert, and all of them voted in every round."""
    u, stream, n = witness.comparator, run.stream, run.features
    voted = np.all(np.diff(stream.row_start) == n) and np.all(np.abs(stream.value) == 1.0)
    if not (voted and u.is_a_set and len(u.columns) == 1 and u.fits(n)):
        return None
    wrong = stream.value * stream.label[stream.row] < 0
    return int(np.count_nonzero(wrong & (stream.column == u.columns[0])))


def majority_expectations(run: ReplayedRun, witness: Witness) -> Iterator[ExpectedMistakes]:
    """The best expert, where predictions are drawn by lot.

    The labels must not depend on the draws; that is the caller's to know.
    """
    best = mistakes_of_expert(run, witness)
    if best is not None:
        yield RandomizedMajorityBest(run.features, best, run.exact("beta"))

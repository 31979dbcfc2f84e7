"""Witnesses for Weighted Majority: the best expert."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from thresher.certifier.witnesses.feature_sets import set_of
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Witness


def majority_witnesses(run: ReplayedRun) -> Iterator[Witness]:
    """The expert with the fewest mistakes."""
    stream = run.stream
    wrong = stream.value * stream.label[stream.row] < 0
    best = int(np.argmin(np.bincount(stream.column[wrong], minlength=run.features)))
    yield set_of(np.array([best]), "the best expert")

"""Witnesses for Elimination and the conjunction learner: sets of literals."""

from __future__ import annotations

from collections.abc import Iterator

from thresher.certifier.witnesses.feature_sets import (
    in_all_positives,
    never_in_negatives,
    set_of,
)
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.literals import columns_of
from thresher.verifier.witness import Witness


def elimination_witnesses(run: ReplayedRun) -> Iterator[Witness]:
    """All features that a disjunction may name: the more, the fewer mistakes."""
    columns = never_in_negatives(run.kept, columns_of(run.parameters))
    yield set_of(columns, "features of no negative row")


def conjunction_witnesses(run: ReplayedRun) -> Iterator[Witness]:
    """All features that a conjunction may name: the more, the fewer mistakes."""
    columns = in_all_positives(run.kept, columns_of(run.parameters))
    yield set_of(columns, "features of every positive row")

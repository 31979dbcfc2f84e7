"""What a run says about errors on new data from the same source."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np

from thresher.theory import (
    MeanRiskAnytime,
    MeanRiskKl,
    MeanRiskKlPrior,
    MistakeBound,
    RiskBound,
    StreakRisk,
)
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.statement import Statement


def risks_of(
    run: ReplayedRun, delta: Fraction, declared: MistakeBound | None = None
) -> Iterator[Statement]:
    """Statements about the risk, each of which may fail with probability delta.

    They are about independent examples of one distribution: the mean risk of the hypotheses
    used on the way, for a length of stream fixed beforehand or chosen while looking, and
    the risk of the last hypothesis, from how long it has been right. A bound declared before
    the run gives one more, unless the run exceeded it.
    """
    if run.algorithm.draws:
        # They are about draws by a random source; this learner's come from a seed.
        return
    rounds, mistakes = len(run.stream), run.mistakes
    # A learner whose class has run out errs without changing.
    changes = np.union1d(run.replay.updates, run.replay.mistaken)
    updates = len(changes)
    streak = rounds - 1 - int(changes[-1]) if updates else rounds
    theorems: list[RiskBound] = [
        MeanRiskKl(mistakes, rounds, delta),
        MeanRiskAnytime(mistakes, rounds, delta),
        StreakRisk(updates, streak, delta),
    ]
    if declared is not None and run.mistakes <= declared.max_mistakes():
        theorems.append(MeanRiskKlPrior(declared.max_mistakes(), rounds, delta))
    yield from filter(None, map(stated, theorems))


# A risk takes some hundred logarithms in decimals, and the same run is often checked twice.
@lru_cache
def stated(theorem: RiskBound) -> Statement | None:
    """A statement about the risk as a certificate quotes it; None if it does not apply."""
    if not theorem.applies():
        return None
    return Statement(theorem.name, theorem.version, theorem.measured(), theorem.max_risk())

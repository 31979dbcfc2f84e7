"""What a run says about errors on new data from the same source."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np

from thresher.theory import (
    HoldoutRisk,
    MeanRiskAnytime,
    MeanRiskKl,
    MeanRiskKlPrior,
    MistakeBound,
    RiskBound,
    StreakRisk,
)
from thresher.theory.risk.best_mean import best_mean_risk
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.statement import Statement


def risks_of(run: ReplayedRun, delta: Fraction) -> Iterator[Statement]:
    """What follows for new rows if rows are independent draws from one source.

    The mean risk of the hypotheses used on the way, by the best of three theorems, the risk
    of the last hypothesis, from how long it has been right, and from rows held out, where there
    are some, and what is known of the algorithm besides. Each of them may fail with probability
    delta.
    """
    if run.algorithm.draws:
        # They are about draws by a random source; this learner's come from a seed.
        return
    mean = best_mean_risk(run.mistakes, len(run.stream), delta)
    quoted = None if mean is None else stated(mean)
    if quoted is not None:
        yield quoted
    last = stated(StreakRisk(*_streak(run), delta)) if stays(run.parameters) else None
    if last is not None:
        yield last
    if run.held_out is not None and run.held_out_mistakes is not None:
        held = stated(HoldoutRisk(run.held_out_mistakes, len(run.held_out), delta))
        yield from () if held is None else (held,)
    if run.algorithm.run_risks is not None:
        yield from filter(None, map(stated, run.algorithm.run_risks(run, delta)))


def risks_of_version_1(
    run: ReplayedRun, delta: Fraction, declared: MistakeBound | None
) -> Iterator[Statement]:
    """The statements of the first version of the format, each of which may fail by itself.

    A bound said to be declared before the run gave one more, unless the run exceeded it; when
    it was declared nobody can check.
    """
    if run.algorithm.draws:
        return
    rounds, mistakes = len(run.stream), run.mistakes
    theorems: list[RiskBound] = [
        MeanRiskKl(mistakes, rounds, delta),
        MeanRiskAnytime(mistakes, rounds, delta),
    ]
    if stays(run.parameters):
        theorems.append(StreakRisk(*_streak(run), delta))
    if declared is not None and run.mistakes <= declared.max_mistakes():
        theorems.append(MeanRiskKlPrior(declared.max_mistakes(), rounds, delta))
    yield from filter(None, map(stated, theorems))


def stays(parameters: Parameters) -> bool:
    """Whether the hypothesis is the same from one update to the next; a mean of weights is not.

    >>> stays({"average": False}), stays({"learner": {"parameters": {"average": True}}})
    (True, False)
    """
    inner = parameters.get("learner")
    return not parameters.get("average", False) and (inner is None or stays(inner["parameters"]))


def _streak(run: ReplayedRun) -> tuple[int, int]:
    """How often the learner changed, and for how many rounds it has been right since."""
    # A learner whose class has run out errs without changing.
    changes = np.union1d(run.replay.updates, run.replay.mistaken)
    rounds = len(run.stream)
    return len(changes), rounds - 1 - int(changes[-1]) if len(changes) else rounds


# A risk takes some hundred logarithms in decimals, and the same run is often checked twice.
@lru_cache
def stated(theorem: RiskBound) -> Statement | None:
    """A statement about the risk as a certificate quotes it; None if it does not apply."""
    if not theorem.applies():
        return None
    return Statement(theorem.name, theorem.version, theorem.measured(), theorem.max_risk())

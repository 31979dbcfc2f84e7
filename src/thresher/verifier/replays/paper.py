"""Whether a run in double precision is, round for round, the run in exact arithmetic.

Weights and duals are sums of the rows that changed them, each with its label. A replay adds up,
beside them, what rounding took from every sum, and knows of each score how far the exact one
may be. Where that leaves the prediction open, it is decided by fractions: the exact sum of the
rows before, as far as the row needs it. If all these decisions are the ones of the run, then by
induction every round of it is that of the algorithm on paper.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from thresher.verifier.compiled.linear_rounds import LinearRounds
from thresher.verifier.compiled.passive_aggressive_drift import PassiveAggressiveDrift
from thresher.verifier.replays.exponentiated import exponentiated_bases, exponentiated_rounds
from thresher.verifier.replays.hinge_steps import VARIANTS
from thresher.verifier.replays.linear import prepared
from thresher.verifier.replays.perceptron import perceptron_rounds
from thresher.verifier.replays.playing import EXACT
from thresher.verifier.replays.weight_base import WeightBase
from thresher.verifier.replays.winnow import winnow_rounds

if TYPE_CHECKING:
    from thresher.verifier.replayed_run import ReplayedRun

#: Rounds decided by fractions, and values added up for them, before the answer is "not known".
MOST_ROUNDS, MOST_VALUES = 1000, 200_000

#: The exact values of a row and the exact sums that belong to them.
Terms = list[tuple[Fraction, Fraction]]


def perceptron_on_paper(run: ReplayedRun) -> bool:
    """Whether the Perceptron's run, with its margin if it has one, is proven to be exact."""
    if run.replay.arithmetic == EXACT:
        return True
    if not run.algorithm.is_textbook({**run.parameters, "margin": Fraction(0)}):
        return False
    margin = run.exact("margin")
    rounds, _ = perceptron_rounds(run.stream, run.parameters)
    updated = set(run.replay.updates.tolist())
    mistaken = set(run.replay.mistaken.tolist())
    doubtful = _doubtful(rounds, run)
    sums = None if doubtful is None else _exact_sums(run, doubtful, ())
    if sums is None:
        return False
    for t, terms in sums:
        y, score = int(run.stream.label[t]), sum((x * w for x, w in terms), Fraction(0))
        wrong = (score >= 0) != (y > 0)
        changes = wrong or (margin > 0 and y * score <= margin)
        if wrong != (t in mistaken) or changes != (t in updated):
            return False
    return True


def passive_aggressive_on_paper(run: ReplayedRun) -> bool:
    """Whether every prediction of a Passive-Aggressive run is proven to be that on paper.

    Exact weights have too many digits to be worked out: rounds that are open stay open.
    """
    if not run.algorithm.is_textbook(run.parameters):
        return False
    rounds, _ = prepared(PassiveAggressiveDrift, run.stream, run.parameters)
    rounds.set_rule(VARIANTS.index(run.parameters["variant"]), float(run.exact("C")))
    return _doubtful(rounds, run) == []


def winnow_on_paper(run: ReplayedRun, *, mirrored: bool) -> bool:
    """Whether the run of Winnow or Balanced Winnow is proven to be that of exact duals."""
    rounds, _ = winnow_rounds(run.stream, run.parameters, mirrored=mirrored)
    base, threshold = WeightBase(1 + run.exact("beta")), run.exact("threshold")
    return _powers_on_paper(run, rounds, lambda _: base, threshold, (), mirrored)


def exponentiated_on_paper(run: ReplayedRun, *, signed: bool) -> bool:
    """Whether the run of normalised or signed Winnow is proven to be that of exact duals."""
    rounds, _ = exponentiated_rounds(run.stream, run.parameters, signed=signed)
    bases, budgets = exponentiated_bases(run.stream, run.parameters)
    # A phase ends with the mistake that is one more than its budget.
    ends = tuple(accumulate(budget + 1 for budget in budgets))

    def base_in(mistakes: int) -> WeightBase:
        return bases[sum(end <= mistakes for end in ends)]

    return _powers_on_paper(run, rounds, base_in, Fraction(0), ends, signed)


def _powers_on_paper(
    run: ReplayedRun,
    rounds: LinearRounds,
    base_in: Callable[[int], WeightBase],
    threshold: Fraction,
    ends: tuple[int, ...],
    mirrored: bool,
) -> bool:
    if run.replay.arithmetic == EXACT:
        return True
    doubtful = _doubtful(rounds, run) if run.algorithm.is_textbook(run.parameters) else None
    sums = None if doubtful is None else _exact_sums(run, doubtful, ends)
    if sums is None:
        return False
    order = run.replay.mistaken.tolist()
    mistaken = set(order)
    for t, terms in sums:
        if mirrored:
            terms = [*terms, *((-x, -z) for x, z in terms)]
        base = base_in(bisect_left(order, t))
        positive = base.sign([*terms, (-threshold, Fraction(0))]) >= 0
        if (positive != (run.stream.label[t] > 0)) != (t in mistaken):
            return False
    return True


def _doubtful(rounds: LinearRounds, run: ReplayedRun) -> list[int] | None:
    """The rounds that rounding may have decided; None if there are too many to look at."""
    rounds.measure()
    rounds.play(0, len(run.stream))
    found: list[int] = rounds.doubtful_rounds().tolist()
    return found if len(found) <= MOST_ROUNDS else None


def _exact_sums(
    run: ReplayedRun, doubtful: list[int], ends: tuple[int, ...]
) -> Iterator[tuple[int, Terms]] | None:
    """For each doubtful round its values and the exact sums before it; None if that is too much.

    After so many updates as `ends` says, all sums begin anew.
    """
    stream, rows = run.stream, np.array(doubtful, np.int64)
    wanted = np.unique(stream.take(rows).column)
    kept = stream.take(run.replay.updates)
    used = np.isin(kept.column, wanted)
    if np.count_nonzero(used) > MOST_VALUES:
        return None
    return _sums_before(run, doubtful, ends, used)


def _sums_before(
    run: ReplayedRun, doubtful: list[int], ends: tuple[int, ...], used: np.ndarray
) -> Iterator[tuple[int, Terms]]:
    stream, updates = run.stream, run.replay.updates.tolist()
    kept = stream.take(run.replay.updates)
    sums: defaultdict[int, Fraction] = defaultdict(Fraction)
    constant, done = Fraction(0), 0
    for t in doubtful:
        while done < len(updates) and updates[done] < t:
            y, inside = int(kept.label[done]), kept.inside(done, done + 1)
            chosen = used[inside]
            columns = kept.column[inside][chosen].tolist()
            for column, x in zip(columns, kept.value[inside][chosen].tolist(), strict=True):
                sums[column] += y * Fraction(x)
            constant += y
            done += 1
            if done in ends:
                sums.clear()
                constant = Fraction(0)
        inside = stream.inside(t, t + 1)
        columns = stream.column[inside].tolist()
        terms = [
            (Fraction(x), sums[column])
            for column, x in zip(columns, stream.value[inside].tolist(), strict=True)
        ]
        yield t, [*terms, (Fraction(1), constant)] if run.bias else terms

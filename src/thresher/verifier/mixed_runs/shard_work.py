"""What is asked of the rows of one shard: functions of these and of their arguments alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.algorithms import ALGORITHMS
from thresher.verifier.measures.margins import Margins
from thresher.verifier.mixed_runs.ways import way_of
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import FLOAT64, Parameters, Replay
from thresher.verifier.row_digests import chunk_digests, tree_digest
from thresher.verifier.state import State
from thresher.verifier.witness import Witness


@dataclass(frozen=True)
class ShardFacts:
    """What the rows of a shard are."""

    rounds: int
    values: int
    #: Rows labelled +1; None where there are several classes.
    positives: int | None
    width: int
    digest: str
    #: Why the learner cannot have seen them; None if it can.
    fault: str | None


@dataclass(frozen=True)
class ShardPlayed:
    """A shard after an epoch."""

    mistaken: NDArray[np.int64]
    updates: NDArray[np.int64]
    #: How many of the mistaken rows are labelled +1; None where there are several classes.
    false_negatives: int | None
    #: What of the state with which the epoch began it changed.
    change: State


@dataclass(frozen=True)
class ShardMeasured:
    """What a comparator makes of a shard, once."""

    smallest: Fraction | None = None
    loss: Fraction = Fraction(0)
    errors: int | None = None


def sum_of(counts: Iterable[int | None]) -> int | None:
    """What shards have counted together; None where nobody counts that.

    >>> sum_of([1, 2]), sum_of([None, None])
    (3, None)
    """
    known = list(counts)
    return None if None in known else sum(count for count in known if count is not None)


def look_at(rows: LabelledRows, learner: str, parameters: Parameters) -> ShardFacts:
    """What the rows of a shard are."""
    return ShardFacts(
        len(rows),
        len(rows.value),
        int(np.count_nonzero(rows.label > 0)) if rows.classes is None else None,
        rows.width,
        tree_digest(chunk_digests(rows), len(rows), rows.classes),
        ALGORITHMS[learner].fault(parameters, rows),
    )


def play(rows: LabelledRows, learner: str, parameters: Parameters, start: State) -> ShardPlayed:
    """An epoch, from what the epoch before was combined to."""
    algorithm = ALGORITHMS[learner]
    found = algorithm.replay(rows, parameters, start=start)
    change = way_of(algorithm, parameters).changed(start, found.state)
    missed = found.counts(rows)[0] if rows.classes is None else None
    return ShardPlayed(found.mistaken, found.updates, missed, change)


def take(rows: LabelledRows, places: NDArray[np.int64]) -> LabelledRows:
    """Some of the rows."""
    return rows.take(places)


def is_as_claimed(
    rows: LabelledRows,
    learner: str,
    parameters: Parameters,
    starts: Sequence[State],
    claimed: Sequence[NDArray[np.int64]],
) -> bool:
    """Whether in every epoch exactly the claimed rows are mistaken, given how each begins."""
    replay = ALGORITHMS[learner].replay
    return all(
        np.array_equal(replay(rows, parameters, start=start).mistaken, said)
        for start, said in zip(starts, claimed, strict=True)
    )


def measure(
    rows: LabelledRows, learner: str, parameters: Parameters, witnesses: Sequence[Witness]
) -> list[ShardMeasured]:
    """What comparators make of the rows, at their levels."""
    algorithm = ALGORITHMS[learner]
    nothing = np.zeros(0, np.int64)
    run = ReplayedRun(algorithm, parameters, rows, Replay(nothing, nothing, FLOAT64))
    return [_measured(run, witness) for witness in witnesses]


def _measured(run: ReplayedRun, witness: Witness) -> ShardMeasured:
    count, spelled = run.algorithm.witness_errors, run.spelled_out
    errors = None if count is None else count(spelled, witness)
    u = witness.comparator
    if witness.rho is not None:
        # Rows that Winnow scores 0 are mistaken like others.
        loss = Margins(spelled.stream, u).hinge_loss(Fraction(1), -witness.rho)
        return ShardMeasured(None, loss, errors)
    margins = Margins(spelled.counted, u)
    if witness.level is None:
        return ShardMeasured(margins.smallest(), Fraction(0), errors)
    return ShardMeasured(None, margins.hinge_loss(witness.level), errors)

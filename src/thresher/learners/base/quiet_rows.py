"""Rows that change nothing are scored by several threads.

A conservative learner is the same before and after all rounds between two changes, so the scores
of these rounds can be taken side by side. That pays where changes are rare, as in a later pass
over rows that some target fits. Nobody knows beforehand where that is; a guess that costs little is
that a batch changes nothing if as many rows before it did not. Whatever was scored behind the
next change was scored in vain, and is played again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.rounds import Rounds
from thresher.learners.base.uninterrupted import Uninterrupted

if TYPE_CHECKING:
    from thresher.learners.base.linear_learner import LinearLearner
    from thresher.learners.base.stateful import AnyEngine
    from thresher.streams.batch import Batch

#: So many values are worth a thread, as in a frame of a binary file: twenty passes over 22 million
#: took 0.6 s instead of 0.77. With a quarter of it, threads took as long to begin as they saved.
WORTH_SHARING = 1 << 20


def play(learner: LinearLearner, batch: Batch, scores: NDArray[np.float64]) -> None:
    """Play the rounds of a batch that was admitted; to be called by whoever has the turn to learn.

    What becomes of the learner, and of `scores`, does not depend on the threads.
    """
    engine, n = learner._engine, len(batch)
    worth = learner.threads > 1 and len(batch.column) >= WORTH_SHARING
    if not worth or not learner.conservative:
        _learn(engine, batch, 0, scores)
        return
    before = _changes(engine)
    # All of the batch is learned, or none of it.
    with Uninterrupted():
        quiet = learner._quiet >= n and batch.importance is None
        first = _pass_over(learner, batch, scores) if quiet else 0
        _learn(engine, batch, first, scores)
    learner._quiet = learner._quiet + n if _changes(engine) == before else 0


def _learn(engine: AnyEngine, batch: Batch, first: int, scores: NDArray[np.float64]) -> None:
    """Play the rounds from `first` on, one after another."""
    weight = batch.importance
    rows = (batch.row_start[first:], batch.column, batch.value, batch.label[first:])
    engine.learn(*rows, batch.only_ones, scores[first:], None if weight is None else weight[first:])


def _pass_over(learner: LinearLearner, batch: Batch, scores: NDArray[np.float64]) -> int:
    """Score all rows as things are, and count those before the first that would change something.

    How many those are.
    """
    engine = learner._engine
    counts = engine.counts()
    learner._score(batch, scores)
    changed = learner.changed_in(Rounds(scores, batch.label, engine.threshold))
    first = int(np.argmax(changed)) if changed.any() else len(batch)
    if engine.counts() != counts and first < len(batch):
        # Exact arithmetic settled some scores, which are counted; perhaps behind the change.
        first = 0
    n_rounds, negatives, positives, settled = engine.counts() if first else counts
    engine.set_history((n_rounds + first, negatives, positives, settled), engine.journal)
    return first


def _changes(engine: AnyEngine) -> tuple[int, ...]:
    """Whatever a round that is not quiet adds to."""
    return *engine.counts()[1:3], len(engine.journal), engine.journal.omitted

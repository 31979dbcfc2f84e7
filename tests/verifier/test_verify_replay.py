"""The verifier's replays against the learners themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.verifier.strategies import LEARNERS, WIDTH, streams
from thresher.certifier.finished_run import identity
from thresher.verifier.replay import journal_digest
from thresher.verifier.replays import journal_rows, replay
from thresher.verifier.rows import digest_of, read_stream


@pytest.mark.parametrize("name", LEARNERS)
@settings(max_examples=40, deadline=None)
@given(data=st.data(), repeat=st.sampled_from([1, 1, 7]))
def test_a_replay_makes_the_mistakes_the_learner_made(
    name: str, data: st.DataObject, repeat: int
) -> None:
    make, values = LEARNERS[name]
    X, y = data.draw(streams(values))
    X, y = X * repeat, y * repeat
    learner = make()
    rounds = learner.learn(np.array(X).reshape(-1, WIDTH), y)
    stream = read_stream(np.array(X).reshape(-1, WIDTH), y)
    known, parameters = identity(learner)
    run = replay(known, parameters, stream)
    assert run.mistaken.tolist() == np.flatnonzero(rounds.mistaken).tolist()
    journal = learner.journal
    assert run.updates.tolist() == journal.round_number.tolist()
    assert journal_digest(journal_rows(parameters, stream), run.updates) == digest_of(
        journal.row_start, journal.column, journal.value, journal.label, journal.round_number
    )


@given(streams(LEARNERS["perceptron"][1]))
def test_the_digest_is_that_of_a_batch(rows: tuple[list[list[float]], list[int]]) -> None:
    X, y = np.array(rows[0]).reshape(-1, WIDTH), rows[1]
    assert read_stream(X, y).digest() == th.Batch.of(X, y).digest()

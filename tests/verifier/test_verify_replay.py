"""The verifier's replays against the learners themselves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.verifier.strategies import LEARNERS, WIDTH, streams
from thresher.certifier import identity
from thresher.verifier import read_rows
from thresher.verifier.readers.labelled_rows import digest_of
from thresher.verifier.replays.playing import journal_digest
from thresher.verifier.state import state_digest


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
    stream = read_rows(np.array(X).reshape(-1, WIDTH), y)
    algorithm, parameters = identity(learner)
    run = algorithm.replay(stream, parameters)
    assert run.mistaken.tolist() == np.flatnonzero(rounds.mistaken).tolist()
    assert state_digest(run.state) == state_digest(learner.learned_state())
    journal = learner.journal
    assert run.updates.tolist() == journal.round_number.tolist()
    assert journal_digest(algorithm.kept(stream, parameters), run.updates) == digest_of(
        journal.row_start, journal.column, journal.value, journal.label, journal.round_number
    )


@given(streams(LEARNERS["perceptron"][1]))
def test_the_digest_is_that_of_a_batch(rows: tuple[list[list[float]], list[int]]) -> None:
    X, y = np.array(rows[0]).reshape(-1, WIDTH), rows[1]
    assert read_rows(X, y).digest() == th.Batch.of(X, y).digest()

"""Every replay against its learner: mistakes, updates and the state at the end, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verifier.replay_cases import CASES, WIDTH, learners, streams_of
from thresher.certifier import identity
from thresher.verifier import read_rows
from thresher.verifier.replays.playing import Replay
from thresher.verifier.state import state_digest


def assert_same_run(learner: Any, mistaken: np.ndarray[Any, Any], run: Replay) -> None:
    assert run.mistaken.tolist() == np.flatnonzero(mistaken).tolist()
    assert run.updates.tolist() == learner.journal.round_number.tolist()
    learned = learner.learned_state()
    assert {name: array.tolist() for name, array in run.state.items()} == {
        name: array.tolist() for name, array in learned.items()
    }
    assert state_digest(run.state) == state_digest(learned)


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_replay_ends_where_the_learner_ends(name: str, data: st.DataObject) -> None:
    learner = data.draw(learners(name))
    X, y = data.draw(streams_of(CASES[name][2]))
    rows = np.array(X).reshape(-1, WIDTH)
    mistaken = learner.learn(rows, y).mistaken
    algorithm, parameters = identity(learner)
    stream = read_rows(rows, y)
    assert algorithm.fault(parameters, stream) is None
    assert_same_run(learner, mistaken, algorithm.replay(stream, parameters))

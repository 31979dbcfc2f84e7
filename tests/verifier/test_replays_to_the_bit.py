"""Every replay against its learner: mistakes, updates and the state at the end, to the bit."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
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
@pytest.mark.parametrize("seed", range(6))
def test_so_does_the_replay_of_a_long_run(name: str, seed: int) -> None:
    kind, choices, values = CASES[name]
    rng = np.random.default_rng(seed)
    learner = kind(**{option: of[rng.integers(len(of))] for option, of in choices.items()})
    # Values of one size, so that neither a huge one nor a tiny one decides alone.
    usual = [value for value in values if value == 0 or 0.05 < abs(value) < 10]
    X, y = rng.choice(usual, (1500, WIDTH)), rng.choice([-1, 1], 1500)
    mistaken = learner.learn(X, y).mistaken
    algorithm, parameters = identity(learner)
    assert_same_run(learner, mistaken, algorithm.replay(read_rows(X, y), parameters))


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


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_a_saved_learner_is_where_it_was_and_goes_on_from_there(
    name: str, data: st.DataObject
) -> None:
    learner = data.draw(learners(name))
    X, y = data.draw(streams_of(CASES[name][2]))
    rows = np.array(X).reshape(-1, WIDTH)
    learner.learn(rows, y)
    with TemporaryDirectory() as folder:
        learner.save(Path(folder) / "model.thr")
        loaded = th.load(Path(folder) / "model.thr")
    assert state_digest(loaded.learned_state()) == state_digest(learner.learned_state())
    loaded.learn(rows, y)
    algorithm, parameters = identity(learner)
    twice = algorithm.replay(read_rows(np.vstack((rows, rows)), y * 2), parameters)
    assert state_digest(loaded.learned_state()) == state_digest(twice.state)


@pytest.mark.parametrize("name", CASES)
def test_room_and_way_of_learning_do_not_show_in_the_state(name: str) -> None:
    kind, choices, values = CASES[name]
    given = {option: of[-1] for option, of in choices.items()}
    whole, by_one = kind(**given), kind(**given)
    rng = np.random.default_rng(3)
    X, y = rng.choice(values, (40, WIDTH)), rng.choice([-1, 1], 40)
    whole.learn(X, y)
    for row, label in zip(X, y, strict=True):
        by_one.learn_one({i: x for i, x in enumerate(row.tolist()) if x}, int(label))
    assert state_digest(whole.learned_state()) == state_digest(by_one.learned_state())
    roomy = kind(**{**given, "n_features": 1000})
    if (
        "p" in given
        or name.startswith(("normalized", "signed"))
        or given.get("threshold", 0) is None
    ):
        return  # Where the algorithm itself depends on the number of features.
    roomy.learn(X, y)
    assert state_digest(whole.learned_state()) == state_digest(roomy.learned_state())


@pytest.mark.parametrize("average", [False, True])
def test_no_weight_exceeds_its_limit_in_a_replay_either(average: bool) -> None:
    # Divided by its square, a row of this size asks for a weight of 2^510.
    X, y = [[2.0**-510] + [0.0] * (WIDTH - 1)] * 3, [1, -1, 1]
    learner = th.PassiveAggressive(variant="PA", average=average)
    mistaken = learner.learn(X, y).mistaken
    algorithm, parameters = identity(learner)
    run = algorithm.replay(read_rows(X, y), parameters)
    assert abs(run.state["weight"]).max() == 1e150
    assert_same_run(learner, mistaken, run)

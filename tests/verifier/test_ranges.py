"""Parts of a run, played apart from what the claimed mistakes before them left."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.verifier.replay_cases import CASES, WIDTH, learners, streams_of
from thresher.certifier import identity
from thresher.verifier import ALGORITHMS, read_rows

RANGED = [
    name
    for name in CASES
    if ALGORITHMS[CASES[name][0].name].ranges is not None  # type: ignore[attr-defined]
]


def test_the_conservative_learners_can_be_played_in_parts() -> None:
    assert {record.name for record in ALGORITHMS.values() if record.ranges is not None} == {
        "perceptron",
        "winnow",
        "balanced_winnow",
        "normalized_winnow",
        "signed_winnow",
    }


@pytest.mark.parametrize("name", RANGED)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_the_parts_are_the_whole(name: str, data: st.DataObject) -> None:
    algorithm, varied = identity(data.draw(learners(name)))
    parameters = {**varied, **algorithm.textbook}
    values = tuple(value for value in CASES[name][2] if abs(value) <= 1)
    X, y = data.draw(streams_of(values))
    stream = read_rows(np.array(X).reshape(-1, WIDTH), y)
    whole = np.zeros(len(stream), bool)
    whole[algorithm.replay(stream, parameters).mistaken] = True
    cut = data.draw(st.integers(0, len(stream)))
    ranges = algorithm.ranges_for(parameters)
    assert ranges is not None
    parts = [
        ranges(stream, parameters, whole, first, stop)
        for first, stop in ((0, cut), (cut, len(stream)))
    ]
    assert np.array_equal(np.concatenate(parts), whole)


@pytest.mark.parametrize("name", ["perceptron", "winnow"])
def test_a_mistake_claimed_falsely_is_found_by_the_part_it_is_in(name: str) -> None:
    kind, _, _ = CASES[name]
    algorithm, parameters = identity(kind(n_features=WIDTH))
    rng = np.random.default_rng(7)
    X, y = rng.integers(0, 2, (400, WIDTH)), rng.choice([-1, 1], 400)
    stream = read_rows(X, y)
    true = np.zeros(400, bool)
    true[algorithm.replay(stream, parameters).mistaken] = True
    ranges = algorithm.ranges_for(parameters)
    assert ranges is not None
    for t in range(0, 400, 7):
        claimed = true.copy()
        claimed[t] = not claimed[t]
        found = np.concatenate(
            [ranges(stream, parameters, claimed, at, at + 100) for at in range(0, 400, 100)]
        )
        assert not np.array_equal(found, claimed)
        # Up to the lie all is as it was.
        assert np.array_equal(found[: t + 1], true[: t + 1])


def test_options_that_need_all_before_are_not_played_in_parts() -> None:
    kind, _, _ = CASES["perceptron"]
    for given_option in ({"margin": 1.0}, {"average": True}, {"scaling": "online"}):
        algorithm, parameters = identity(kind(n_features=3, **given_option))
        assert algorithm.ranges_for(parameters) is None


def test_threads_play_parts_at_the_same_time() -> None:
    kind, _, _ = CASES["perceptron"]
    algorithm, parameters = identity(kind(n_features=50))
    rng = np.random.default_rng(1)
    X, y = rng.integers(0, 2, (3000, 50)), rng.choice([-1, 1], 3000)
    stream = read_rows(X, y)
    whole = np.zeros(3000, bool)
    whole[algorithm.replay(stream, parameters).mistaken] = True
    ranges = algorithm.ranges_for(parameters)
    assert ranges is not None
    with ThreadPoolExecutor(4) as threads:
        parts = threads.map(
            lambda first: ranges(stream, parameters, whole, first, first + 500),
            range(0, 3000, 500),
        )
        assert np.array_equal(np.concatenate(list(parts)), whole)

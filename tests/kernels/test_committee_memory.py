"""What a Committee remembers of features: once for rows of ones, and asked for ahead of time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array

import thresher as th
from tests.kernels.test_committee import assert_same_state, twin_of
from thresher.learners.two_class.committee_members import DEFAULT_MEMBERS

WIDTH = 700


def rows(seed: int, n: int, longest: int, *, ones: bool) -> list[dict[int, float]]:
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n):
        columns = np.sort(rng.permutation(WIDTH)[: rng.integers(0, longest + 1)])
        found.append({int(c): 1.0 if ones else float(rng.normal()) or 1.0 for c in columns})
    return found


def labels(seed: int, n: int) -> list[int]:
    return [int(label) for label in np.random.default_rng(seed).choice([-1, 1], n)]


def remembered(learner: th.Committee) -> list[bytes]:
    state = learner.__getstate__()["state"]
    return [np.asarray(part).tobytes() for part in (*state[0], *state[1])]


@pytest.mark.parametrize("breadth", [0, 1, 2])
@pytest.mark.parametrize("ones", [True, False])
def test_rows_longer_than_a_stretch_are_those_of_the_slow_twin(breadth: int, ones: bool) -> None:
    learner, twin = th.Committee(WIDTH), twin_of(DEFAULT_MEMBERS)
    learner._engine.use_breadth(breadth)
    batch, y = rows(1, 6, 600, ones=ones), labels(1, 6)
    scores = learner.learn(batch, y).scores
    assert [score.hex() for score in scores] == [
        twin.play(dict(sorted(row.items())), label).hex()
        for row, label in zip(batch, y, strict=True)
    ]
    assert_same_state(learner, twin)


@pytest.mark.parametrize(
    "begin", ["fresh", "given weights", "one row at a time", "some weigh nothing"]
)
def test_the_ones_of_a_batch_are_remembered_as_those_of_single_rows_are(begin: str) -> None:
    whole, single = th.Committee(WIDTH), th.Committee(WIDTH)
    first, y = rows(2, 30, 20, ones=True), labels(2, 30)
    importance = [1.0] * 30
    for learner in (whole, single):
        if begin == "given weights":
            # Weights of features of which no value was ever seen.
            dual = th.Committee(WIDTH)
            dual.learn(rows(3, 30, 20, ones=True), labels(3, 30))
            learner._engine.set_dual(dual._engine.dual())
        elif begin == "one row at a time":
            for row, label in zip(first, y, strict=True):
                learner.learn_one(row, label)
        elif begin == "some weigh nothing":
            importance = [float(t % 3 > 0) for t in range(30)]
    for seed in (4, 5):
        batch = rows(seed, 30, 20, ones=True)
        whole.learn(batch, y, importance=importance)
        for row, label, weight in zip(batch, y, importance, strict=True):
            single.learn_one(row, label, weight)
        assert remembered(whole) == remembered(single)
    values = rows(6, 30, 20, ones=False)
    whole.learn(values, y)
    for row, label in zip(values, y, strict=True):
        single.learn_one(row, label)
    assert remembered(whole) == remembered(single)


def test_committees_of_several_classes_remember_ones_as_one_does() -> None:
    X = [rows(7, 40, 20, ones=True), rows(8, 40, 20, ones=False)]
    y = [("a", "b", "c")[t % 3] for t in range(40)]
    together, apart = th.OneVersusRest(th.Committee(WIDTH)), th.OneVersusRest(th.Committee(WIDTH))
    for part in X:
        together.learn(part, y)
        for row, label in zip(part, y, strict=True):
            apart.learn_one(row, label)
    assert together == apart


def test_a_last_row_that_is_shorter_or_longer_than_others_asks_for_nothing_beyond_the_end() -> None:
    for lengths in ([3, 9], [9, 3], [0, 5, 0], [300, 2, 500]):
        starts = np.cumsum([0, *lengths])
        columns = np.concatenate([np.arange(n) for n in lengths]).astype(np.int32)
        for value in (np.ones(len(columns)), np.linspace(0.5, 2.0, len(columns))):
            X = csr_array((value, columns, starts), shape=(len(lengths), WIDTH))
            whole, single = th.Committee(WIDTH), th.Committee(WIDTH)
            batch = th.Batch.of(X, [1] * len(lengths))
            whole.learn(batch)
            for row, label in batch.examples():
                single.learn_one(row, label)
            assert remembered(whole) == remembered(single)

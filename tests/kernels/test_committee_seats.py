"""Members for narrow streams, and weights of rows and classes, against the slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.kernels.test_committee import (
    Example,
    assert_same_state,
    columns_and_labels,
    grids,
    hexes,
    rows,
    twin_of,
)
from thresher.learners.two_class.committee_members import DEFAULT_MEMBERS, WIDE_MEMBERS, Member

weighed = st.sampled_from([0.0, 0.25, 1.0, 3.0, 1e-12, 1e8])


@settings(max_examples=40)
@given(
    st.lists(st.tuples(rows, st.sampled_from([-1, 1]), weighed), max_size=10),
    grids,
    st.sampled_from([(1.0, 1.0), (2.0, 0.5), (0.0, 7.0)]),
    st.booleans(),
)
def test_weights_of_rows_and_classes_are_those_of_the_slow_twin(
    stream: list[tuple[dict[int, float], int, float]],
    grid: tuple[Member, ...],
    classes: tuple[float, float],
    one_by_one: bool,
) -> None:
    twin = twin_of(grid)
    twin.class_weight = classes
    learner = th.Committee(7, members=grid, class_weight=classes)
    expected = [twin.play(x, y, weight) for x, y, weight in stream]
    if one_by_one:
        for x, y, weight in stream:
            learner.learn_one(x, y, importance=weight)
    else:
        rows_of, labels = [x for x, _, _ in stream], [y for _, y, _ in stream]
        found = learner.learn(rows_of, labels, importance=[weight for _, _, weight in stream])
        assert hexes(found.scores) == hexes(expected)
    assert learner.n_rounds == len(stream)
    assert_same_state(learner, twin)


def table(seed: int, n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns in units of their own: years, kelvin, thousandths, constants, rare ones."""
    random = np.random.default_rng(seed)
    X = random.normal(size=(n, d))
    y = np.where(X[:, 0] - X[:, 1] + X[:, 2] * X[:, 3] > 0.1, 1, -1)
    X = X * 10.0 ** random.integers(-6, 7, d) + random.choice([0.0, 2024.0, 1e6], d)
    X[:, d // 2] = 293.15
    X[:, d - 1] = random.random(n) < 0.1
    return X, y


@pytest.mark.parametrize("breadth", [0, 1, 2])
def test_a_table_in_any_units_is_the_slow_twin_in_batches_of_any_size(breadth: int) -> None:
    X, y = table(1, 90, 9)
    twin, learner = twin_of(DEFAULT_MEMBERS), th.Committee()
    learner._engine.use_breadth(breadth)
    stream = [
        ({i: float(v) for i, v in enumerate(x) if v}, int(t)) for x, t in zip(X, y, strict=True)
    ]
    expected = twin.learn(stream)
    found = [learner.learn(X[:40], y[:40]).scores, learner.learn(X[40:41], y[40:41]).scores]
    learner = learner.copy()
    found += [learner.learn(X[41:], y[41:]).scores]
    assert hexes(np.concatenate(found)) == hexes(expected)
    assert_same_state(learner, twin)
    assert hexes(learner.scores(X[:20])) == hexes(twin.score(row) for row, _ in stream[:20])


def sparse_stream(n: int, width: int, seed: int = 1) -> list[Example]:
    """Rows of three columns out of a window that moves on, so that columns keep coming."""
    random = np.random.default_rng(seed)
    starts = np.linspace(0, width - 12, n).astype(int)
    return [
        (
            {int(s + i): float(random.normal()) for i in random.choice(12, 3, replace=False)},
            int(random.choice([-1, 1])),
        )
        for s in starts
    ]


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_members_leave_a_stream_that_grows_wide_as_those_of_the_slow_twin_do(batch: int) -> None:
    stream = sparse_stream(90, 200)
    twin, learner = twin_of(DEFAULT_MEMBERS), th.Committee(300)
    for at in range(0, len(stream), batch):
        part = stream[at : at + batch]
        found = learner.learn(*columns_and_labels(part)).scores
        assert hexes(found) == hexes(twin.learn(part))
    assert len(twin.columns) > 128
    assert len(twin.seats) == 4
    assert_same_state(learner, twin)
    assert sum(member.weight for member in learner.members) == pytest.approx(1.0)
    gone = learner.members[12:15]
    assert [member.weight for member in gone] == [0.0, 0.0, 0.0]
    assert learner.mistakes <= learner.bound().max_mistakes()
    assert learner.copy() == learner


@pytest.mark.parametrize("batch", [1, 1000])
def test_a_stream_of_more_than_1024_columns_is_left_to_the_others(batch: int) -> None:
    stream: list[Example] = [
        ({i: 1.0 for i in range(60 * t, 60 * t + 60)}, 1 if t % 2 else -1) for t in range(20)
    ]
    twin, learner = twin_of(DEFAULT_MEMBERS), th.Committee(1200)
    for at in range(0, len(stream), batch):
        part = stream[at : at + batch]
        assert hexes(learner.learn(*columns_and_labels(part)).scores) == hexes(twin.learn(part))
    assert twin.columns.closed
    assert_same_state(learner, twin)
    assert learner._engine.standards()[0].size == 0
    assert learner.copy() == learner
    probes = [x for x, _ in stream[:3]]
    assert hexes(learner.scores(probes)) == hexes(map(twin.score, probes))


def test_members_for_narrow_streams_do_not_see_where_zero_is_nor_the_unit() -> None:
    X, y = table(2, 300, 6)
    alone = [("matrix", 1.0, "standard"), ("arow", 10.0, "pairs"), ("arow", 10.0, "squares")]
    one, other = th.Committee(6, members=alone), th.Committee(6, members=alone)
    # Powers of two, and shifts that lose no digits: the same numbers but for rounding of the mean.
    expected = one.learn(np.rint(X * 8.0), y).scores
    found = other.learn(np.rint(X * 8.0) * 4.0 + 512.0, y).scores
    assert np.allclose(found, expected, atol=1e-6)
    assert np.mean((found >= 0) != (expected >= 0)) < 0.01


def test_a_committee_whose_members_have_all_left_knows_only_the_labels() -> None:
    grid = (Member("arow", 1.0, "standard"),)
    stream: list[Example] = [(dict.fromkeys(range(1100), 1.0), 1), ({0: 1.0}, 1)]
    twin, learner = twin_of(grid), th.Committee(2000, members=grid)
    assert hexes(learner.learn(*columns_and_labels(stream)).scores) == hexes(twin.learn(stream))
    assert_same_state(learner, twin)
    assert learner.score_one({0: 1.0}) == learner.score_one({}) == twin.score({}) > 0.0


def test_members_for_narrow_streams_learn_what_is_curved() -> None:
    random = np.random.default_rng(3)
    X = random.normal(size=(3000, 4))
    y = np.where(X[:, 0] * X[:, 1] > 0, 1, -1)
    with_seats = th.Committee(4).learn(X, y).mistakes
    without = th.Committee(4, members=WIDE_MEMBERS).learn(X, y).mistakes
    assert with_seats < 0.25 * without


def test_a_column_that_is_the_label_leaves_some_variance_within_the_classes() -> None:
    grid = (Member("means", 0.01, "standard"), Member("arow", 3.0, "hats"))
    stream: list[Example] = [
        ({0: 1.0 + t % 2, 1: float(t % 3)}, 2 * (t % 2) - 1) for t in range(60)
    ]
    twin, learner = twin_of(grid), th.Committee(2, members=grid)
    found = learner.learn(*columns_and_labels(stream)).scores
    assert hexes(found) == hexes(twin.learn(stream))
    assert_same_state(learner, twin)
    # Means two deviations apart, over the least variance that is allowed.
    weight = learner._engine.standards()[3][1]
    assert weight == pytest.approx(2.0 / 0.05, rel=0.01)

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.reference.committee import Committee, exponential
from thresher.errors import StateError
from thresher.kernels.engines.committee_parts import scores_taken_apart
from thresher.learners.two_class.committee_members import (
    DEFAULT_MEMBERS,
    NARROW_MEMBERS,
    Member,
    checked_members,
)

Example = tuple[dict[int, float], int]
values = st.sampled_from([1.0, -1.0, 2.0, 0.1, 1 / 3, 1e-300, 5e-324, 1e100, -1e100, 1e16])
rows = st.dictionaries(st.integers(0, 6), values | st.floats(-1e3, 1e3).filter(bool), max_size=5)
streams = st.lists(st.tuples(rows, st.sampled_from([-1, 1])), max_size=12)
ones = st.dictionaries(st.integers(0, 6), st.just(1.0), max_size=5)
plain_streams = st.lists(st.tuples(ones, st.sampled_from([-1, 1])), max_size=15)
members = st.builds(
    Member,
    st.sampled_from(["arow", "adagrad", "means"]),
    st.sampled_from([0.001, 0.1, 1.0, 3.0, 1000.0]),
    st.sampled_from(["scaled", "presence", "unit", "root"]),
)
seated = st.builds(
    lambda member, setting: member._replace(setting=setting),
    st.sampled_from(NARROW_MEMBERS),
    st.sampled_from([0.01, 1.0, 10.0]),
)
grids = st.just(DEFAULT_MEMBERS) | st.builds(
    lambda lanes, seats: checked_members("Committee", [*seats, *lanes]),
    st.lists(members, min_size=1, max_size=8),
    st.lists(seated, max_size=7),
)


def columns_and_labels(stream: list[Example]) -> tuple[list[dict[int, float]], list[int]]:
    return [x for x, _ in stream], [y for _, y in stream]


def hexes(numbers: Any) -> list[str]:
    return [float(number).hex() for number in numbers]


def twin_of(grid: tuple[Member, ...]) -> Committee:
    return Committee([(member.rule, member.rows, member.setting) for member in grid])


def assert_same_state(learner: th.Committee, twin: Committee) -> None:
    n = twin.n
    part = learner._engine.fields()
    dual = learner._engine.dual().reshape(-1, 16)
    for m, member in enumerate(twin.members):
        keys = [*range(learner.n_features), "bias"]
        assert hexes(dual[:, m]) == hexes(member.w(i) for i in keys)
        assert hexes(dual[:, 8 + m]) == hexes(member.s(i) for i in keys)
    assert hexes(part["belief"]) == hexes(twin.belief)
    assert hexes(part["share"]) == hexes(twin.share)
    assert hexes(part["slope"]) == hexes(twin.slope)
    assert hexes(part["spread"].ravel()) == hexes(x for row in twin.spread for x in row)
    standings = learner.members
    assert [standing.mistakes for standing in standings] == twin.mistakes[: n + 2]
    losses = [*(standing.log_loss for standing in standings), learner.log_loss]
    assert losses == pytest.approx(twin.losses[: n + 3], rel=1e-12, abs=1e-12)
    assert_same_seats(learner, twin)


def assert_same_seats(learner: th.Committee, twin: Committee) -> None:
    column, mean, squares, *seats = learner._engine.standards()
    assert column.tolist() == list(twin.columns.mean)
    assert hexes(mean) == hexes(twin.columns.mean.values())
    assert hexes(squares) == hexes(twin.columns.squares.values())
    assert len(seats) == 2 * len(twin.seats)
    for seat, weight, second in zip(twin.seats, seats[::2], seats[1::2], strict=True):
        weights, numbers = seat.kept(len(column) + 1)
        assert hexes(weight) == hexes(weights)
        assert hexes(second) == hexes(numbers)


@settings(max_examples=60)
@given(streams | plain_streams, grids, st.sampled_from([0, 1, 2]), st.sampled_from([None, 7]))
def test_the_committee_is_its_slow_twin(
    stream: list[Example], grid: tuple[Member, ...], breadth: int, n_features: int | None
) -> None:
    twin = twin_of(grid)
    learner = th.Committee(n_features, members=grid)
    learner._engine.use_breadth(breadth)
    scores = learner.learn(*columns_and_labels(stream)).scores
    assert hexes(scores) == hexes(twin.learn(stream))
    assert_same_state(learner, twin)
    assert (learner.false_negatives, learner.false_positives) == (
        twin.false_negatives,
        twin.false_positives,
    )
    probes = [x for x, _ in stream]
    assert hexes(learner.scores(probes)) == hexes(map(twin.score, probes))


@given(plain_streams, streams)
def test_ones_without_their_values_are_ones(first: list[Example], then: list[Example]) -> None:
    whole, pieces = th.Committee(7), th.Committee(7)
    expected = whole.learn(*columns_and_labels(first + then)).scores
    assert pieces._engine.features()[1]
    a = pieces.learn(*columns_and_labels(first)).scores
    b = pieces.learn(*columns_and_labels(then)).scores
    assert hexes([*a, *b]) == hexes(expected)
    assert pieces == whole


def long_stream(seed: int, n: int = 400) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    rows = random.normal(size=(n, 23)) * (random.random((n, 23)) < 0.4) * 10.0 ** np.arange(-11, 12)
    return rows, np.where(rows @ random.normal(size=23) + random.normal(size=n) > 0, 1, -1)


@pytest.mark.parametrize("breadth", [0, 1])
@pytest.mark.parametrize("binary", [False, True])
def test_wide_and_narrow_vectors_give_the_same_bits(binary: bool, breadth: int) -> None:
    X, y = long_stream(1)
    X = (X > 0).astype(float) if binary else X
    wide, narrow = th.Committee(23), th.Committee(23)
    narrow._engine.use_breadth(breadth)
    assert wide.learn(X, y).scores.tobytes() == narrow.learn(X, y).scores.tobytes()
    assert wide == narrow
    assert wide.scores(X).tobytes() == narrow.scores(X).tobytes()


def test_opposite_labels_give_opposite_scores() -> None:
    X, y = long_stream(2)
    one, other = th.Committee(23), th.Committee(23)
    assert np.array_equal(one.learn(X, y).scores, -other.learn(X, -y).scores)


def test_the_scale_of_a_feature_does_not_matter() -> None:
    X, y = long_stream(3)
    grid = [member for member in DEFAULT_MEMBERS if member.rows != "root"]
    one, other = th.Committee(23, members=grid), th.Committee(23, members=grid)
    scale = 2.0 ** np.random.default_rng(4).integers(-30, 30, 23)
    assert np.array_equal(one.learn(X, y).scores, other.learn(X * scale, y).scores)


def test_a_silent_row_is_scored_by_the_constant_alone() -> None:
    learner = th.Committee(3)
    learner.learn(np.zeros((5, 3)), [1, 1, 1, 1, 1])
    assert learner.scores([{}])[0] > 0
    lone = learner.lone_effects()
    assert len(lone.column) == 0
    assert lone.constant > 0


@given(st.floats(-40, 40))
def test_the_exponential_is_the_exponential(x: float) -> None:
    assert exponential(x) == pytest.approx(math.exp(x), rel=4e-16)


@pytest.mark.parametrize("dual", [[], [1.0] * 15, [[1.0] * 16], [math.nan] * 64, [1.0] * 48])
def test_a_state_that_cannot_be_one_is_refused(dual: Any) -> None:
    engine = th.Committee(3)._engine
    with pytest.raises(StateError):
        engine.set_dual(dual)


def test_a_teacher_who_contradicts_gets_what_the_slow_twin_gives() -> None:
    """Slopes fall to their floor and likelihoods below 2^-512, and both go on."""
    twin, learner = twin_of(DEFAULT_MEMBERS), th.Committee(9)
    random = np.random.default_rng(7)
    slopes = []
    for _ in range(700):
        row = {int(i): 1.0 for i in np.flatnonzero(random.random(9) < 0.4)}
        label = -1 if twin.score(row) >= 0 else 1
        assert learner.learn([row], [label]).scores.tolist() == [twin.play(row, label)]
        slopes.append(min(twin.slope))
    assert learner.mistakes == 700
    assert max(twin.losses) > 512 * math.log(2)
    assert min(slopes) == 0.01
    assert_same_state(learner, twin)


def test_a_margin_of_exactly_1_teaches_arow_nothing() -> None:
    engine = th.Committee(1, members=[("arow", 0.5, "presence")])._engine
    dual = engine.dual()
    # Of the constant feature and the first member: its weight, and eight further on its variance.
    dual[16], dual[24] = 1.0, 0.25
    engine.set_dual(dual)
    empty = np.zeros(0, np.int32), np.zeros(0)
    engine.learn(np.zeros(2, np.int64), *empty, np.ones(1, np.int8), False, np.zeros(1))
    assert engine.dual()[[16, 24]].tolist() == [1.0, 0.25]


def test_a_stream_of_one_label_gets_what_the_slow_twin_gives() -> None:
    """The labels' variance falls to its floor, 0.01, after 400 rounds."""
    grid = (Member("means", 1.0, "presence"),)
    twin, learner = twin_of(grid), th.Committee(2, members=grid)
    stream: list[Example] = [({t % 2: 1.0}, 1) for t in range(450)] + [({0: 1.0}, -1)] * 3
    scores = learner.learn(*columns_and_labels(stream)).scores
    assert hexes(scores) == hexes(twin.learn(stream))
    assert 1.0 - (450 / 452) ** 2 < 0.01
    assert_same_state(learner, twin)


def test_a_row_louder_than_all_before_is_cut_off_as_by_the_slow_twin() -> None:
    """Scores at four times their root mean square, and log-odds at 8."""
    twin, learner = twin_of(DEFAULT_MEMBERS), th.Committee(40)
    stream: list[Example] = [({t % 40: 1.0}, 1 if t % 2 else -1) for t in range(800)]
    assert hexes(learner.learn(*columns_and_labels(stream)).scores) == hexes(twin.learn(stream))
    loud = dict.fromkeys(range(1, 40, 2), 1.0)
    views = twin.views(loud)
    standard, odds, _ = twin.opinions([float(m.score(views[m.rows])) for m in twin.members])
    assert min(standard) == 4.0
    assert max(odds[:8]) == 8.0
    for label in (1, -1):
        assert learner.learn([loud], [label]).scores.tolist() == [twin.play(loud, label)]
    assert_same_state(learner, twin)


def test_values_larger_than_any_learned_are_forgotten_after_predicting() -> None:
    X, y = long_stream(6, 30)
    learner = th.Committee(23)
    learner.learn(X, y)
    before = learner.copy()
    expected = learner.scores(X).tobytes()
    learner.scores(1000.0 * X)
    assert learner == before
    assert learner.scores(X).tobytes() == expected


def test_a_covariance_that_rounding_made_negative_counts_as_zero() -> None:
    twin, learner = twin_of(DEFAULT_MEMBERS), th.Committee(7)
    stream: list[Example] = [({0: 1.0, 3: 2.0}, 1), ({1: 1.0}, -1)]
    learner.learn(*columns_and_labels(stream))
    twin.learn(stream)
    twin.spread = [[-0.25 if a == b else 0.0 for b in range(16)] for a in range(16)]
    learner._engine.fields()["spread"][:] = twin.spread
    assert learner.learn([{0: 1.0}], [-1]).scores.tolist() == [twin.play({0: 1.0}, -1)]
    assert_same_state(learner, twin)


def test_growing_row_by_row_is_the_slow_twin_too() -> None:
    """The largest values of old features, like their weights, survive the growth."""
    twin, learner = twin_of(DEFAULT_MEMBERS), th.Committee()
    for t in range(40):
        row, label = {t // 2: 0.5, t: 4.0}, 1 if t % 3 else -1
        assert learner.learn([row], [label]).scores.tolist() == [twin.play(row, label)]
    assert_same_state(learner, twin)


@settings(max_examples=60)
@given(streams | plain_streams, grids, rows)
def test_a_row_taken_apart_has_the_parts_that_the_slow_twin_has(
    stream: list[Example], grid: tuple[Member, ...], row: dict[int, float]
) -> None:
    twin, learner, n = twin_of(grid), th.Committee(7, members=grid), len(grid)
    learner.learn(*columns_and_labels(stream))
    twin.learn(stream)
    packed = th.Rows.of([row, {}])
    bias, part, score, odds, mixed = scores_taken_apart(
        learner._engine, packed.row_start, packed.column, packed.value
    )
    assert [float(x).hex() for x in mixed] == hexes([twin.score(row), twin.score({})])
    views = twin.views({i: x for i, x in row.items() if x})
    for m, member in enumerate(twin.members):
        seen = views[member.rows]
        assert hexes(bias[m : m + 1]) == hexes([member.w("bias")])
        assert hexes(part[:, m]) == hexes(member.w(i) * seen[i] for i in packed.column.tolist())
    scores = twin.scores_of(row, twin.columns.seen(row))
    assert hexes(score[0, :n]) == hexes(scores)
    assert hexes(odds[0, : n + 2]) == hexes(twin.opinions(scores)[1])

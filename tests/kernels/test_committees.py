"""Committees side by side are committees one after another, to the bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.reference.committees import one_after_another
from thresher.learners.multiclass import side_by_side

values = st.sampled_from([1.0, -1.0, 0.5, 3.0, 1e-3, 250.0])
rows = st.dictionaries(st.integers(0, 11), values, max_size=6)
streams = st.lists(st.tuples(rows, st.sampled_from("abcd")), min_size=1, max_size=40)
ones = st.dictionaries(st.integers(0, 11), st.just(1.0), max_size=6)
makers: dict[str, Callable[[], th.Committee]] = {
    "fixed": lambda: th.Committee(12),
    "growing": lambda: th.Committee(),
    "two members": lambda: th.Committee(12, members=[("arow", 1.0, "unit"), ("means", 1, "root")]),
}

THREADS = [1, 2, 3, 7]


@pytest.fixture(autouse=True, scope="module")
def _even_a_row_is_worth_sharing() -> Iterator[None]:
    with patch.object(side_by_side, "WORTH_SHARING", 0):
        yield


def shared(several: th.OneVersusRest, threads: int) -> th.OneVersusRest:
    several.threads = threads
    return several


def same(several: th.OneVersusRest, learners: dict[str | None, th.Committee]) -> None:
    for name in several.classes:
        assert several.learner_of(name) == learners[str(name)]
    rest = several._each._background
    assert rest == learners[None]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(makers)), streams, st.integers(1, 40), st.sampled_from(THREADS))
def test_side_by_side_is_one_after_another(
    name: str, stream: list[tuple[dict[int, float], str]], size: int, threads: int
) -> None:
    given_rows, labels = [row for row, _ in stream], [label for _, label in stream]
    expected, learners = one_after_another(makers[name], given_rows, labels)
    several = shared(th.OneVersusRest(makers[name]()), threads)
    assert several._each._together is not None
    found = []
    for start in range(0, len(stream), size):
        part = slice(start, start + size)
        found += several.learn(given_rows[part], labels[part]).predictions.tolist()
    assert found == expected
    same(several, learners)
    scores = several.scores(given_rows)
    for r, label in enumerate(several.classes):
        assert scores[:, r].tobytes() == learners[str(label)].scores(given_rows).tobytes()


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.tuples(ones, st.sampled_from("abc")), min_size=1, max_size=20),
    streams,
    st.sampled_from(THREADS),
)
def test_ones_come_without_values_until_something_else_is_seen(
    first: list[tuple[dict[int, float], str]],
    then: list[tuple[dict[int, float], str]],
    threads: int,
) -> None:
    stream = first + then
    given_rows, labels = [row for row, _ in stream], [label for _, label in stream]
    expected, learners = one_after_another(makers["growing"], given_rows, labels)
    several, alone = (shared(th.OneVersusRest(th.Committee()), n) for n in (threads, 1))
    several.learn(given_rows[: len(first)], labels[: len(first)])
    several.learn(given_rows[len(first) :], labels[len(first) :])
    assert [alone.learn_one(row, label) for row, label in stream] == expected
    same(several, learners)
    same(alone, learners)


@pytest.mark.parametrize("threads", THREADS)
def test_rows_longer_than_a_stretch_and_many_classes(threads: int) -> None:
    rng = np.random.default_rng(4)
    given_rows = [
        {
            int(i): float(rng.normal())
            for i in rng.choice(900, rng.integers(200, 700), replace=False)
        }
        for _ in range(40)
    ]
    labels = [f"c{rng.integers(0, 1 + t // 2)}" for t in range(40)]
    expected, learners = one_after_another(lambda: th.Committee(900), given_rows, labels)
    several = shared(th.OneVersusRest(th.Committee(900)), threads)
    found = []
    for start in range(0, 40, threads):
        part = slice(start, start + threads)
        found += several.learn(given_rows[part], labels[part]).predictions.tolist()
    assert found == expected
    same(several, learners)


def test_a_copy_shares_nothing_with_the_original() -> None:
    several = th.OneVersusRest(th.Committee(12))
    several.learn([{1: 1.0}, {2: 1.0}], ["a", "b"])
    twin, before = several.copy(), several.learner_of("a")
    twin.learn([{1: 5.0}, {3: 1.0}], ["a", "c"])
    assert several.learner_of("a") == before
    assert several.classes == ("a", "b")


def test_a_refused_batch_leaves_no_committee_behind() -> None:
    several = th.OneVersusRest(th.Committee(12))
    several.learn([{1: 1.0}, {2: 1.0}], ["a", "b"])
    before = several.copy()
    with pytest.raises(th.errors.ThresherError):
        several.learn([{1: 1.0}, {12: 1.0}], ["c", "d"])
    assert several == before
    several.learn([{1: 1.0}, {2: 3.0}], ["d", "e"])
    before.learn([{1: 1.0}, {2: 3.0}], ["d", "e"])
    assert several == before


@pytest.mark.parametrize("width", [12, 300, 1500])
@pytest.mark.parametrize("threads", THREADS)
def test_seats_are_left_by_all_classes_in_the_same_round(width: int, threads: int) -> None:
    rng = np.random.default_rng(width)
    given_rows = [
        {int(i): rng.normal() for i in rng.choice(width, 12, replace=False)} for _ in range(250)
    ]
    labels = [f"c{rng.integers(0, 1 + t // 60)}" for t in range(250)]
    expected, learners = one_after_another(lambda: th.Committee(width), given_rows, labels)
    several = th.OneVersusRest(th.Committee(width))
    found = [several.learn_one(row, label) for row, label in zip(given_rows, labels, strict=True)]
    assert found == expected
    same(several, learners)
    # The columns are closed in the middle of a batch, in some thread first.
    at_once = shared(th.OneVersusRest(th.Committee(width)), threads)
    assert at_once.learn(given_rows, labels).predictions.tolist() == expected
    same(at_once, learners)


@pytest.mark.parametrize("own", [None, {"a": 3.0, "c": 0.25}, {"b": 0.0}])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("threads", THREADS)
def test_rows_weigh_what_they_weigh_one_after_another(
    own: dict[str, float] | None, weighted: bool, threads: int
) -> None:
    rng = np.random.default_rng(7)
    given_rows = [
        {int(i): rng.normal() for i in rng.choice(12, 5, replace=False)} for _ in range(90)
    ]
    labels = ["abc"[rng.integers(0, 1 + t // 30)] for t in range(90)]
    weight = rng.choice([0.0, 0.5, 1.0, 7.0], 90).tolist() if weighted else None
    expected, learners = one_after_another(makers["fixed"], given_rows, labels, weight, own)
    several = shared(th.OneVersusRest(th.Committee(12), class_weight=own), threads)
    # A row that weighs nothing for its class alone is remembered by the others.
    assert (several._each._together is None) == (own == {"b": 0.0})
    found = several.learn(given_rows, labels, importance=weight)
    assert found.predictions.tolist() == expected
    same(several, learners)


def test_threads_begin_where_they_pay() -> None:
    several = shared(th.OneVersusRest(th.Committee(12)), 2)
    rows = [{n % 12: 1.0} for n in range(600)]
    several.learn(rows, ["abc"[n % 3] for n in range(600)])
    together = several._each._together
    assert together is not None
    with patch.object(side_by_side, "WORTH_SHARING", 2048):
        # Four committees, of which one is the background.
        numbers = [
            together._shares(th.Rows.of(rows[:n]), 2, copied=copied)
            for n, copied in ((1, 0), (511, 0), (512, 0), (512, 1000), (600, 10**6))
        ]
    assert numbers == [1, 1, 2, 1, 1]
    assert together._shares(th.Rows.of(rows), 9, copied=0) == 4

"""Committees side by side are committees one after another, to the bit."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.reference.committees import one_after_another

values = st.sampled_from([1.0, -1.0, 0.5, 3.0, 1e-3, 250.0])
rows = st.dictionaries(st.integers(0, 11), values, max_size=6)
streams = st.lists(st.tuples(rows, st.sampled_from("abcd")), min_size=1, max_size=40)
ones = st.dictionaries(st.integers(0, 11), st.just(1.0), max_size=6)
makers: dict[str, Callable[[], th.Committee]] = {
    "fixed": lambda: th.Committee(12),
    "growing": lambda: th.Committee(),
    "two members": lambda: th.Committee(12, members=[("arow", 1.0, "unit"), ("means", 1, "root")]),
}


def same(several: th.OneVersusRest, learners: dict[str | None, th.Committee]) -> None:
    for name in several.classes:
        assert several.learner_of(name) == learners[str(name)]
    rest = several._each._background
    assert rest == learners[None]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(makers)), streams, st.integers(1, 40))
def test_side_by_side_is_one_after_another(
    name: str, stream: list[tuple[dict[int, float], str]], size: int
) -> None:
    given_rows, labels = [row for row, _ in stream], [label for _, label in stream]
    expected, learners = one_after_another(makers[name], given_rows, labels)
    several = th.OneVersusRest(makers[name]())
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
@given(st.lists(st.tuples(ones, st.sampled_from("abc")), min_size=1, max_size=20), streams)
def test_ones_come_without_values_until_something_else_is_seen(
    first: list[tuple[dict[int, float], str]], then: list[tuple[dict[int, float], str]]
) -> None:
    stream = first + then
    given_rows, labels = [row for row, _ in stream], [label for _, label in stream]
    expected, learners = one_after_another(makers["growing"], given_rows, labels)
    several, alone = th.OneVersusRest(th.Committee()), th.OneVersusRest(th.Committee())
    several.learn(given_rows[: len(first)], labels[: len(first)])
    several.learn(given_rows[len(first) :], labels[len(first) :])
    assert [alone.learn_one(row, label) for row, label in stream] == expected
    same(several, learners)
    same(alone, learners)


def test_rows_longer_than_a_stretch_and_many_classes() -> None:
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
    several = th.OneVersusRest(th.Committee(900))
    found = [several.learn([row], [label]) for row, label in zip(given_rows, labels, strict=True)]
    assert [rounds.predictions[0] for rounds in found] == expected
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
def test_seats_are_left_by_all_classes_in_the_same_round(width: int) -> None:
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


@pytest.mark.parametrize("own", [None, {"a": 3.0, "c": 0.25}, {"b": 0.0}])
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_weigh_what_they_weigh_one_after_another(
    own: dict[str, float] | None, weighted: bool
) -> None:
    rng = np.random.default_rng(7)
    given_rows = [
        {int(i): rng.normal() for i in rng.choice(12, 5, replace=False)} for _ in range(90)
    ]
    labels = ["abc"[rng.integers(0, 1 + t // 30)] for t in range(90)]
    weight = rng.choice([0.0, 0.5, 1.0, 7.0], 90).tolist() if weighted else None
    expected, learners = one_after_another(makers["fixed"], given_rows, labels, weight, own)
    several = th.OneVersusRest(th.Committee(12), class_weight=own)
    # A row that weighs nothing for its class alone is remembered by the others.
    assert (several._each._together is None) == (own == {"b": 0.0})
    found = several.learn(given_rows, labels, importance=weight)
    assert found.predictions.tolist() == expected
    same(several, learners)

"""Winnow and Balanced Winnow with margins, floors, weights and scales, next to their twin."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import thresher as th
from tests.kernels.pairs import check_same, check_same_state, exponentiated, thick_winnow, winnow
from thresher.learners.base.power_link import floor_dual

N = 6
labels = st.sampled_from([-1, 1])
ones = st.sets(st.integers(0, N - 1)).map(lambda on: dict.fromkeys(sorted(on), 1.0))
reals = st.dictionaries(st.integers(0, N - 1), st.sampled_from([1.0, 0.5, 0.1, 1 / 3]))
floors = st.sampled_from([None, 1, Fraction(1, 8), 0.1])
streams = st.lists(
    st.tuples(ones | reals.map(lambda r: dict(sorted(r.items()))), labels), max_size=30
)


@pytest.mark.parametrize("mirrored", [False, True])
@given(streams, st.sampled_from([0.0, 1.0, 0.5, 2.75]), floors)
# On the margin itself: a positive row has reached it, a negative one is not below.
@example([(dict.fromkeys(range(4), 1.0), 1)], 1.0, None)
@example([(dict.fromkeys(range(2), 1.0), -1)], 1.0, None)
@settings(max_examples=30)
def test_margins_and_floors_are_those_of_the_slow_twin(
    mirrored: bool, stream: list[Any], margin: float, floor: Any
) -> None:
    check_same(thick_winnow(N, mirrored=mirrored, margin=margin, floor=floor), stream)


@pytest.mark.parametrize("mirrored", [False, True])
@given(streams, st.lists(st.sampled_from([1.0, 2.0, 0.0, 0.3]), min_size=30, max_size=30))
@settings(max_examples=30)
def test_weights_are_those_of_the_slow_twin(
    mirrored: bool, stream: list[Any], weights: list[float]
) -> None:
    learner, twin = thick_winnow(N, mirrored=mirrored, margin=0.0, floor=None)
    weights = weights[: len(stream)]
    rounds = learner.learn([x for x, _ in stream], [y for _, y in stream], importance=weights)
    expected = [twin.play(x, y, h) for (x, y), h in zip(stream, weights, strict=True)]
    assert [s >= 3.0 for s in rounds.scores] == [s >= 3.0 for s in expected]
    check_same_state(learner, twin)


@given(streams, st.sampled_from(["l2", "l1", "max", "online"]))
@settings(max_examples=30)
def test_scaled_rows_are_those_of_the_slow_twin(stream: list[Any], scaling: str) -> None:
    _, twin = winnow(N, 1, 1)
    learner = th.Winnow(N, 1, 1, scaling=scaling)
    twin.scaling = scaling
    # Ten times as large, which Winnow would not take as they are.
    larger = [({i: 10 * x for i, x in row.items()}, y) for row, y in stream]
    rounds = learner.learn([x for x, _ in larger], [y for _, y in larger])
    expected = twin.learn(larger)
    assert rounds.predictions.tolist() == [1 if s >= 1.0 else -1 for s in expected]
    check_same_state(learner, twin)


@given(streams, st.lists(st.sampled_from([1.0, 2.0, 0.3]), min_size=30, max_size=30))
@settings(max_examples=30)
def test_exponentiated_learners_move_by_the_weight(stream: list[Any], weights: list[float]) -> None:
    learner, twin = exponentiated(th.SignedWinnow, N, 0.3, None, True)
    weights = weights[: len(stream)]
    learner.learn([x for x, _ in stream], [y for _, y in stream], importance=weights)
    for (x, y), h in zip(stream, weights, strict=True):
        twin.play(x, y, h)
    check_same_state(learner, twin)


@pytest.mark.parametrize(
    ("floor", "base", "dual"),
    [(1, 2, 0), (0.5, 2, -1), (0.49, 2, -1), (Fraction(1, 9), 3, -2), (Fraction(1, 8), 3, -1)],
)
def test_the_floor_is_the_least_power_that_is_not_below(floor: Any, base: int, dual: int) -> None:
    assert floor_dual("Winnow", floor, Fraction(base)) == dual


def test_a_feature_that_was_demoted_for_ever_comes_back_at_once() -> None:
    low, high = th.Winnow(1, threshold=1), th.Winnow(1, threshold=1, floor=0.25)
    for learner in (low, high):
        learner.learn([[1.0]] * 3, [-1] * 3)
        assert learner.dual.tolist() == [-1.0]
    sunk = low.with_dual([-50.0])
    risen = high.with_dual([-2.0])
    assert sunk.learn([[1.0]] * 60, [1] * 60).mistakes == 50
    assert risen.learn([[1.0]] * 60, [1] * 60).mistakes == 2

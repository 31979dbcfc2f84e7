"""Streams against the Perceptron, and against the learners that only eliminate."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Any

import pytest

from tests.games.golden import DATA
from tests.reference import players as slow
from thresher.errors import ParameterError
from thresher.games import (
    Separator,
    all_but_one,
    circle,
    dense_disjunction,
    elimination,
    nested,
    nested_separator,
    play,
)


@pytest.mark.parametrize("B", ["1.5", "2.5", "10.5", "100.5", "1000.5"])
def test_rows_on_a_circle_reach_the_perceptrons_bound(B: str) -> None:
    stream = circle(B)
    assert play(slow.Perceptron(), stream) == len(stream) == stream.forced == floor(Fraction(B))
    assert stream.consistent
    target = stream.target
    assert isinstance(target, Separator)
    radius_squared = max(sum(Fraction(v) ** 2 for v in x.values()) for x in stream.batch)
    assert stream.forced == floor(radius_squared * target.norm_squared / target.margin**2)


def test_the_circle_is_the_known_one_row_by_row() -> None:
    rows = DATA["circle_10.5"]
    for t, ((x, y), z) in enumerate(zip(circle("10.5").batch.examples(), rows, strict=True)):
        assert y == (-1) ** (t + 1)
        assert [y * x.get(i, 0.0) for i in range(3)] == pytest.approx(z, rel=0, abs=1e-9)


@pytest.mark.parametrize("B", [0, "1/2", -3])
def test_a_circle_needs_room_for_a_row(B: Any) -> None:
    with pytest.raises(ParameterError, match="circle"):
        circle(B)


@pytest.mark.parametrize(
    ("d", "r", "forced"),
    [(16, 1, 33), (32, 1, 65), (64, 1, 129), (128, 1, 257), (64, 8, 913), (128, 8, 1937)],
)
def test_dense_disjunctions_cost_the_perceptron_about_2rd_mistakes(
    d: int, r: int, forced: int
) -> None:
    stream = dense_disjunction(d, r)
    assert play(slow.Perceptron(), stream) == len(stream) == stream.forced == forced
    assert stream.bound is not None
    assert forced <= stream.bound
    assert stream.consistent
    assert all(d in x for x in stream.batch)


@pytest.mark.parametrize(("d", "r", "bound"), [(64, 1, 325), (64, 8, 1914), (128, 8, 4026)])
def test_the_bound_for_dense_disjunctions_is_the_known_one(d: int, r: int, bound: int) -> None:
    assert dense_disjunction(d, r).bound == bound


@pytest.mark.parametrize(("n", "forced"), [(8, 1685), (10, 11940), (12, 37173)])
def test_nested_functions_cost_the_perceptron_exponentially_many_mistakes(
    n: int, forced: int
) -> None:
    stream = nested(n)
    assert stream.forced == forced
    assert stream.consistent
    assert stream.cycled


def test_the_count_for_nested_functions_is_that_of_the_slow_perceptron() -> None:
    for n in (2, 3, 5, 7):
        stream = nested(n)
        assert play(slow.Perceptron(), stream, passes=10_000) == stream.forced
        assert play(slow.Perceptron(), stream, passes=1) < stream.forced


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_the_nested_separator_is_the_nested_formula(n: int) -> None:
    u = nested_separator(n)
    for point in range(2**n):
        x = [point >> i & 1 for i in range(n)]
        value = x[0]
        for i in range(1, n):
            value = x[i] & value if i % 2 else x[i] | value
        assert (sum(w * x[i] for i, w in u.weights.items()) >= u.threshold) == bool(value)


def test_elimination_drops_one_feature_at_a_time() -> None:
    stream = elimination(1024, 2)
    player = slow.Elimination(1024)
    assert play(player, stream) == len(stream) == stream.forced == stream.bound == 1022
    assert player.h == {0, 1}
    assert stream.consistent


def test_the_conjunction_learner_drops_one_feature_at_a_time() -> None:
    stream = all_but_one(128, 3)
    player = slow.Conjunction(128)
    assert play(player, stream) == len(stream) == stream.forced == stream.bound == 125
    assert player.f == {0, 1, 2}
    assert stream.consistent

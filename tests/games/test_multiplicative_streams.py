"""Streams against normalised Winnow and Weighted Majority, and streams without end."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import atanh, inf
from typing import Any

import numpy as np
import pytest

from tests.reference import players as slow
from thresher.errors import ParameterError
from thresher.games import (
    PlantedStream,
    balanced_loop,
    best_expert,
    committee_ties,
    eg_rows,
    eg_too_fast,
    eg_worst_case,
    float64_victim,
    play,
    splitter,
    winnow_loop,
)
from thresher.games.assemble import of_matrix


def eg_mistakes(d: int, margin: float, eta: float) -> int:
    """Mistakes of normalised Winnow on the rows as they come, in array arithmetic."""
    theta, wrong = np.zeros(d), 0
    for x in eg_rows(d, margin, eta):
        assert x[0] == margin
        assert np.abs(x).max() <= 1
        w = np.exp(eta * (theta - theta.max()))
        if (w * x).sum() < 0:
            wrong += 1
            theta += x
    return wrong


@pytest.mark.parametrize(
    ("d", "margin", "forced"),
    [
        (64, 0.5, 26),
        (64, 0.2, 162),
        (64, 0.1, 686),
        (1024, 0.5, 47),
        (1024, 0.2, 306),
        (16384, 0.5, 68),
        (16384, 0.2, 444),
    ],
)
def test_normalised_winnow_nearly_reaches_its_bound(d: int, margin: float, forced: int) -> None:
    assert eg_mistakes(d, margin, atanh(margin)) == forced


@pytest.mark.parametrize(("margin", "bound"), [(0.5, 74.2), (0.2, 481.9), (0.1, 1937.6)])
def test_the_bound_of_normalised_winnow_is_the_known_one(margin: float, bound: float) -> None:
    stream = eg_worst_case(16384, margin, rounds=1)
    assert isinstance(stream.bound, float)
    assert round(stream.bound, 1) == bound


def test_the_stream_against_normalised_winnow_is_made_of_these_rows() -> None:
    stream = eg_worst_case(64, 0.2)
    assert play(slow.ExponentiatedGradient(64, atanh(0.2)), stream) == len(stream) == 162
    assert stream.forced == 162
    assert stream.bound is not None
    assert stream.forced <= stream.bound
    assert stream.consistent


def test_a_rate_that_is_too_large_has_no_bound_and_needs_an_end() -> None:
    with pytest.raises(ParameterError, match=r"eta must be small enough .* Give rounds"):
        eg_worst_case(64, 0.1, eta=1)
    stream = eg_too_fast(2000)
    assert play(slow.ExponentiatedGradient(64, 1.0), stream) == stream.forced == 2000
    assert stream.bound == inf
    assert 2000 > 831.8  # what a bound that forgot the rate would promise
    assert stream.consistent


def test_another_rate_below_the_limit_has_the_bound_of_that_rate() -> None:
    slower = eg_worst_case(64, 0.5, eta=0.2)
    best = eg_worst_case(64, 0.5)
    assert isinstance(slower.bound, float)
    assert isinstance(best.bound, float)
    assert best.bound < slower.bound
    assert slower.forced <= slower.bound


@pytest.mark.parametrize("margin", [0, 1, 2])
def test_a_margin_outside_0_to_1_is_refused(margin: int) -> None:
    with pytest.raises(ParameterError, match="margin must be"):
        eg_worst_case(8, margin)


@pytest.mark.parametrize(
    ("n", "beta", "rounds", "best", "bound"),
    [(1024, Fraction(1, 2), 200, 75, 204.8), (16, Fraction(1, 2), 40, 15, None)],
)
def test_weighted_majority_is_wrong_in_every_round(
    n: int, beta: Fraction, rounds: int, best: int, bound: float | None
) -> None:
    stream = splitter(n, rounds, beta)
    assert play(slow.WeightedMajority(n, beta), stream) == stream.forced == len(stream) == rounds
    assert best_expert(stream.batch)[1] == best
    assert isinstance(stream.bound, float)
    assert rounds <= stream.bound
    assert bound is None or round(stream.bound, 1) == bound


def test_the_splitter_works_for_other_factors() -> None:
    for beta in ("1/3", "9/10", "0.01"):
        stream = splitter(50, 60, beta)
        assert play(slow.WeightedMajority(50, Fraction(beta)), stream) == 60
        assert isinstance(stream.bound, float)
        assert stream.bound >= 60


def test_the_best_expert_is_found_by_counting() -> None:
    rng = np.random.Generator(np.random.PCG64(5))
    advice = rng.choice([-1.0, 0.0, 1.0], (40, 7))
    labels = rng.choice([-1, 1], 40)
    wrong = (np.where(advice < 0, -1, 1) != labels[:, None]).sum(axis=0)
    assert best_expert(of_matrix(advice, labels)) == (int(wrong.argmin()), int(wrong.min()))


LOOPS: dict[str, tuple[Callable[[int], PlantedStream], Callable[[], Any], int]] = {
    "winnow": (winnow_loop, lambda: slow.Winnow(4), 5),
    "balanced": (balanced_loop, lambda: slow.BalancedWinnow(3), 3),
    "committee": (committee_ties, slow.Perceptron, 2),
}


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_returns_to_the_same_state_and_never_ends(name: str) -> None:
    build, make, length = LOOPS[name]
    entry, once, often = build(0), build(1), build(200)
    assert len(once) - len(entry) == length
    states = []
    for stream in (entry, once, often):
        player = make()
        assert play(player, stream) == len(stream) == stream.forced
        assert stream.consistent
        states.append(player.state_key())
    assert states[0] == states[1] == states[2]


def replayed(stream: PlantedStream, player: slow.Slow) -> list[bool]:
    """For each round, whether the player was wrong."""
    wrong = []
    for x, y in stream.batch.examples():
        wrong.append(player.predict_one(x) != y)
        player.learn_one(x, y)
    return wrong


def test_a_float_weight_dies_and_an_exponent_recovers() -> None:
    stream = float64_victim(after=1500)
    exact, floats = slow.Winnow(2), slow.FloatWinnow(2)
    wrong, lost = replayed(stream, exact), replayed(stream, floats)
    assert all(wrong[:2150])
    assert all(lost)
    assert sum(wrong[2150:]) == 1076
    assert not any(wrong[2150 + 1076 :])
    assert stream.forced == sum(wrong) == 3226
    assert floats.w[1] == 0.0
    almost = slow.FloatWinnow(2)
    replayed(float64_victim(after=0), almost)
    assert almost.w[1] == 0.0
    assert exact.c[1] == 1

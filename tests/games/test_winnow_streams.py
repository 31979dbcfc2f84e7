"""Streams against threshold Winnow, replayed in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.golden import DATA, features
from tests.reference import players as slow
from thresher.errors import ParameterError
from thresher.games import WinnowWorstCase, greedy_winnow, optimal_winnow, play, singletons
from thresher.games.winnow_powers import Powers, WinnowRule

GOLDEN = {stream["id"]: stream for stream in DATA["winnow_streams"]}
GREEDY = [stream for name, stream in GOLDEN.items() if name.startswith("winnow_greedy")]
OPTIMAL = [stream for name, stream in GOLDEN.items() if name.startswith("winnow_optimal")]
QUICK = [row for row in DATA["winnow_worst_case"] if row[0] <= 7 or row[:2] in ([8, 1], [8, 2])]


def test_singletons_force_every_promotion() -> None:
    stream = singletons(100, 2)
    player = slow.Winnow(100)
    assert play(player, stream) == player.false_negatives == stream.forced == stream.bound == 14
    assert stream.consistent


@given(st.integers(1, 40), st.integers(0, 40), st.fractions(Fraction(1, 4), 4))
def test_singletons_are_all_mistakes_for_any_rate(d: int, r: int, beta: Fraction) -> None:
    stream = singletons(d, min(r, d), beta)
    assert play(slow.Winnow(d, 1 + beta), stream) == stream.forced == len(stream)


@pytest.mark.parametrize(
    ("d", "r", "forced", "bound"),
    [
        *[(2**K, 1, 3 * K - 2, 3 * K - 2) for K in (2, 3, 4, 5, 6, 7, 8, 10)],
        (100, 2, 35, 37),
        (1024, 4, 108, 112),
        (1024, 8, 216, 224),
    ],
)
def test_the_greedy_stream_forces_what_is_known(d: int, r: int, forced: int, bound: int) -> None:
    stream = greedy_winnow(d, r)
    assert play(slow.Winnow(d), stream) == len(stream) == stream.forced == forced
    assert stream.bound == bound
    assert stream.consistent


@pytest.mark.parametrize(
    ("beta", "forced", "bound"), [("1/2", 30, 32), (2, 19, 20), ("13/5", 17, 20), (3, 18, 19)]
)
def test_the_greedy_stream_works_for_other_rates(beta: Any, forced: int, bound: int) -> None:
    stream = greedy_winnow(256, 1, beta)
    assert play(slow.Winnow(256, 1 + Fraction(beta)), stream) == len(stream) == forced
    assert (stream.forced, stream.bound) == (forced, bound)
    assert stream.consistent


@given(
    st.integers(1, 24),
    st.integers(0, 24),
    st.fractions(Fraction(1, 4), 4),
    st.fractions(Fraction(1, 2), 40),
)
@settings(max_examples=60)
def test_every_row_of_a_greedy_stream_is_a_mistake_and_no_bound_is_broken(
    d: int, r: int, beta: Fraction, threshold: Fraction
) -> None:
    stream = greedy_winnow(d, min(r, d), beta, threshold)
    player = slow.Winnow(d, 1 + beta, threshold)
    assert play(player, stream) == len(stream) == stream.forced
    assert stream.bound is not None
    assert stream.forced <= stream.bound
    assert stream.consistent


@pytest.mark.parametrize("golden", GREEDY, ids=lambda golden: golden["id"])
def test_the_greedy_stream_is_the_known_one_row_by_row(golden: dict[str, Any]) -> None:
    stream = greedy_winnow(golden["d"], golden["r"], golden["beta"], golden["theta"])
    player = slow.Winnow(golden["d"], 1 + Fraction(golden["beta"]))
    assert play(player, stream) == golden["forced"] == stream.forced
    assert (player.false_negatives, player.false_positives) == (golden["m_pos"], golden["m_neg"])
    assert stream.bound == golden["refined_bound"]
    if golden["rows"] is not None:
        ours = [(frozenset(x), y) for x, y in stream.batch.examples()]
        assert ours == [(features(on), y) for on, y in golden["rows"]]


def test_interleaving_is_a_choice_and_the_longer_stream_the_default() -> None:
    one, other, best = (greedy_winnow(100, 2, interleave=turns) for turns in (False, True, None))
    assert best.forced == max(one.forced, other.forced)
    assert one.forced != other.forced


@pytest.mark.parametrize(("d", "r", "worst", "bound"), QUICK)
def test_the_exact_worst_case_is_the_known_one(d: int, r: int, worst: int, bound: int) -> None:
    search = WinnowWorstCase(d, r)
    assert search.mistakes == worst
    assert search.rule.bound(d, r) == bound


@pytest.mark.parametrize(("d", "r", "worst", "bound"), DATA["winnow_worst_case"])
def test_the_bound_is_the_known_one(d: int, r: int, worst: int, bound: int) -> None:
    assert worst <= WinnowRule(Fraction(2), Fraction(d)).bound(d, r) == bound


@pytest.mark.parametrize("golden", OPTIMAL, ids=lambda golden: golden["id"])
def test_the_optimal_stream_forces_the_known_count(golden: dict[str, Any]) -> None:
    stream = optimal_winnow(golden["d"], golden["r"])
    assert play(slow.Winnow(golden["d"]), stream) == len(stream) == golden["forced"]
    assert (stream.forced, stream.bound) == (golden["forced"], golden["refined_bound"])
    assert stream.consistent
    theirs = [(dict.fromkeys(features(on), 1.0), y) for on, y in golden["rows"]]
    assert slow.mistakes(slow.Winnow(golden["d"]), theirs) == stream.forced


@given(st.integers(1, 4), st.integers(0, 4), st.fractions(Fraction(1, 2), 3), st.fractions(1, 6))
@settings(max_examples=40)
def test_no_greedy_stream_beats_the_exact_worst_case(
    d: int, r: int, beta: Fraction, threshold: Fraction
) -> None:
    r = min(r, d)
    search = WinnowWorstCase(d, r, beta, threshold)
    assert greedy_winnow(d, r, beta, threshold).forced <= search.mistakes
    assert search.mistakes <= search.rule.bound(d, r)
    rows = [(dict.fromkeys(on, 1.0), y) for on, y in search.sequence()]
    assert slow.mistakes(slow.Winnow(d, 1 + beta, threshold), rows) == search.mistakes == len(rows)
    assert search.states >= 1


@given(st.fractions(Fraction(1, 9), 5), st.fractions(Fraction(1, 3), 50))
def test_powers_are_the_weights_on_a_common_scale(beta: Fraction, threshold: Fraction) -> None:
    powers = Powers(WinnowRule(1 + beta, threshold), -3, 4)
    for c in range(-3, 5):
        assert Fraction(powers[c], powers.threshold) == (1 + beta) ** c / threshold
    with pytest.raises(ParameterError, match="exponent must be between -3 and 4, found 5"):
        powers[5]


@pytest.mark.parametrize(
    "build",
    [
        lambda: greedy_winnow(4, 5),
        lambda: greedy_winnow(4, -1),
        lambda: greedy_winnow(4, 1, beta=0),
        lambda: singletons(4, 1, threshold=0),
        lambda: WinnowWorstCase(0, 0),
    ],
)
def test_impossible_parameters_are_refused(build: Any) -> None:
    with pytest.raises(ParameterError, match="must be"):
        build()

"""Rows made to fall next to the threshold: only exact arithmetic gets all of them right."""

from __future__ import annotations

import math
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from math import nextafter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.kernels.pairs import Pair, balanced_winnow, exponentiated, weighted_majority, winnow

depths = st.sampled_from([0.0, 1.0, 3.0, 40.0, 700.0, 1e4, 3e6, 0.5, 17.25]) | st.integers(0, 10**4)
WIDE = Context(prec=80, Emax=MAX_EMAX, Emin=MIN_EMIN)
ulps = st.integers(-4, 4)


def moved(value: float, ulps: int) -> float:
    """So many doubles further, within (0, 1]."""
    for _ in range(abs(ulps)):
        value = nextafter(value, 1.0 if ulps > 0 else 0.0)
    return max(value, 5e-324)


def power(base: Fraction | None, exponent: Fraction) -> Decimal:
    rate = Decimal(1) if base is None else (Decimal(base.numerator) / base.denominator).ln()
    return (rate * exponent.numerator / exponent.denominator).exp()


def agree(pair: Pair, row: dict[int, float]) -> bool:
    """Whether learner and slow twin are on one side, in every way a score is asked for."""
    learner, twin = pair
    side = 1 if twin.reaches(row) else -1
    assert learner.predict([row]).tolist() == [side]
    assert learner.predict_one(row) == side
    return learner.copy().learn_one(row, 1) == side


@given(st.sampled_from([1, 3, Fraction(13, 5), 0.1, Fraction(1, 3), 2.0**-40]), depths, ulps)
def test_winnow_decides_a_value_next_to_the_threshold(beta: Any, depth: float, off: int) -> None:
    with localcontext(WIDE):
        value = float(1 / power(1 + Fraction(beta), Fraction(depth)))
    row = {0: moved(value, off), 1: 1e-300}
    assert agree(winnow(2, beta, 1, [depth, 0.0]), row)


@pytest.mark.parametrize("kind", [th.NormalizedWinnow, th.SignedWinnow])
@pytest.mark.parametrize(
    ("eta", "margin"),
    [
        (0.1, None),
        (Fraction(1, 3), None),
        (1e-9, None),
        (30.0, None),
        (None, Fraction(1, 2)),
        (None, Fraction(7, 9)),
        (None, Fraction(999999, 1000000)),
        (None, Fraction(1, 10**6)),
    ],
)
@given(depths, depths, ulps)
@settings(max_examples=25)
def test_an_exponentiated_learner_decides_values_next_to_a_tie(
    kind: Any, eta: Any, margin: Any, depth: float, below: float, off: int
) -> None:
    low, high = Fraction(1, 2) + Fraction(depth), Fraction(1, 2) + Fraction(depth) + Fraction(below)
    base = None if margin is None else (1 + margin) / (1 - margin)
    per = Fraction(eta) if margin is None else Fraction(1, 2)

    def weight(z: Fraction) -> Decimal:
        return power(base, z * per) - (power(base, -z * per) if kind is th.SignedWinnow else 0)

    with localcontext(WIDE):
        value = float(weight(low) / weight(high))
    row = {0: 1.0, 1: -moved(value, off)}
    dual = [float(low), float(high)]
    assert agree(exponentiated(kind, 2, eta, margin, False, dual), row)
    assert agree(exponentiated(kind, 2, eta, margin, False, dual), {i: -x for i, x in row.items()})


@given(st.sampled_from([1, Fraction(13, 5), 0.1]), st.integers(1, 60), ulps)
def test_balanced_winnow_decides_a_value_next_to_the_threshold(
    beta: Any, depth: int, off: int
) -> None:
    base = 1 + Fraction(beta)
    value = float(Fraction(1, 100) / (base**depth - base**-depth))
    row = {0: moved(value, off)}
    assert agree(balanced_winnow(1, beta, Fraction(1, 100), [float(depth)]), row)


@given(
    st.sampled_from([0.5, 0.1, Fraction(2, 3), Fraction(999, 1000), 1 - 2.0**-40, 2.0**-40]),
    st.lists(st.sampled_from([0.0, -1.0, -2.0, -3.0, -1e6, -(2.0**30)]), min_size=6, max_size=6),
    st.lists(st.sampled_from([-1.0, 1.0]), min_size=6, max_size=6),
)
def test_weighted_majority_decides_split_votes(
    beta: Any, dual: list[float], votes: list[float]
) -> None:
    assert agree(weighted_majority(6, beta, dual), dict(enumerate(votes)))


@pytest.mark.parametrize(
    "beta", [1 - 2.0**-40, Fraction(10**30 - 7 * 10**18, 10**30), Fraction(999, 1000), 0.5]
)
@given(st.integers(-40, 40))
def test_two_good_experts_against_three_worse_ones_are_weighed_exactly(beta: Any, off: int) -> None:
    with localcontext(WIDE):
        even = (
            Decimal("1.5").ln()
            / -(Decimal(1) * Fraction(beta).numerator / Fraction(beta).denominator).ln()
        )
        depth = -int(even * (1 + Decimal(off) / 10**5))
    votes = {0: 1.0, 1: 1.0, 2: -1.0, 3: -1.0, 4: -1.0}
    assert agree(weighted_majority(5, beta, [0.0, 0.0, *[float(depth)] * 3]), votes)


@pytest.mark.parametrize("eta", [k / 20 for k in range(1, 21)])
@pytest.mark.parametrize("kind", [th.NormalizedWinnow, th.SignedWinnow])
def test_equal_weights_that_cancel_are_a_tie(kind: Any, eta: float) -> None:
    learner = kind(6, eta=eta).with_dual([1.0] * 6)
    assert learner.predict([[-1, -1, -1, 1, 1, 1], [1, 1, 1, -1, -1, -1]]).tolist() == [1, 1]
    assert learner.predict([[-1, -1, -1, 1, 1, 0]]).tolist() == [-1]


@given(st.integers(650, 780), ulps)
def test_a_weight_that_was_learned_step_by_step_is_known_as_well(depth: int, off: int) -> None:
    beta, threshold = Fraction(1, 3), Fraction(1, 10**99)
    learner, twin = winnow(1, beta, threshold)
    learner.learn([{0: 1.0}] * depth, [-1] * depth)
    twin.duals = learner.dual.tolist()
    assert twin.duals == [-depth]
    assert agree((learner, twin), {0: moved(float(threshold * (1 + beta) ** depth), off)})


@pytest.mark.parametrize("dual", [0.5, 0.25, 1.5, -0.5, 3.75, 7.125, -2.25, 10.5])
def test_powers_of_two_with_fractions_in_them_are_not_taken_for_exact(dual: float) -> None:
    assert agree(winnow(1, 1, 2.0**dual, [dual]), {0: 1.0})


@pytest.mark.parametrize("dual", [20, 26, 27, 30, 60])
def test_a_balanced_weight_falls_short_of_its_power_of_two(dual: int) -> None:
    pair = balanced_winnow(1, 1, 2**dual, [float(dual)])
    assert not pair[1].reaches({0: 1.0})
    assert agree(pair, {0: 1.0})


def test_a_threshold_just_above_a_double_is_not_reached_by_that_double() -> None:
    row = dict.fromkeys(range(4), 1.0)
    assert winnow(4, 1, 4)[0].predict([row]).tolist() == [1]
    assert agree(winnow(4, 1, 4 + Fraction(1, 10**30)), row)
    assert winnow(4, 1, 4 + Fraction(1, 10**30))[0].predict([row]).tolist() == [-1]


@pytest.mark.parametrize("kind", [th.NormalizedWinnow, th.SignedWinnow])
def test_equal_weights_do_not_make_fractions_cancel(kind: Any) -> None:
    pair = exponentiated(kind, 3, 0.5, None, False, [1.0, 1.0, 1.0])
    assert agree(pair, {0: 1.0, 1: -1e-17, 2: -1.0})
    assert pair[0].predict([{0: 1.0, 1: -1e-17, 2: -1.0}]).tolist() == [-1]


def test_terms_below_the_smallest_double_count() -> None:
    # 0.61 - 0.37 - 0.37 times the smallest double; rounded term by term it is 1 - 0 - 0.
    row = {0: 5e-324, 1: -5e-324, 2: -5e-324}
    pair = exponentiated(th.NormalizedWinnow, 3, 1, None, False, [-0.5, -1.0, -1.0])
    assert pair[1].plain_sum(row) > 0.0
    assert agree(pair, row)
    assert pair[0].predict([row]).tolist() == [-1]


def test_weights_are_powers_within_the_table_beyond_it_and_across_its_ends() -> None:
    for start in (1030, -1018):
        learner = th.Winnow(2, beta=0.1, threshold=1e-100).with_dual([start, 2000])
        for depth in range(start - 1, start - 13, -1):
            learner.learn([{0: 1.0, 1: 1.0}], [-1])
            assert learner.dual[0] == depth
            assert learner.weights[0] == math.pow(1.1, depth)


def test_a_base_next_to_a_power_of_two_is_not_taken_for_one() -> None:
    pair = winnow(2, 15 + 2.0**-48, Fraction(17, 16), [-1.0, 0.0])
    assert not pair[1].reaches({0: 1.0, 1: 1.0})
    assert agree(pair, {0: 1.0, 1: 1.0})


def test_a_step_for_a_margin_next_to_the_radius_is_the_logarithm_of_its_base() -> None:
    margin = Fraction(10**9 - 1, 10**9)
    with localcontext(WIDE):
        exact = power((1 + margin) / (1 - margin), Fraction(1, 2)).ln()
        assert abs(Decimal(th.NormalizedWinnow(2, margin=margin).eta) / exact - 1) < Decimal(
            "1e-15"
        )


def test_float_sums_that_hide_the_last_power_of_two_do_not_decide() -> None:
    # 2^6 + ... + 2^-50 is 128 - 2^-50; a sum of doubles says 128.
    learner = th.Winnow(57, threshold=128).with_dual(range(6, -51, -1))
    score = learner.scores([dict.fromkeys(range(57), 1.0)])[0]
    assert score == nextafter(128.0, 0.0)
    assert sum(2.0**c for c in range(6, -51, -1)) == 128.0


def test_looking_changes_nothing_even_where_it_takes_exact_arithmetic() -> None:
    learner = th.Winnow(2, beta=Fraction(13, 5), threshold=2)
    before = learner.copy()
    learner.predict([[1, 1]])
    learner.predict_one({0: 1.0, 1: 1.0})
    assert learner == before
    learner.learn([[1, 1]], [1])
    assert learner.close_calls == 1


def test_calls_are_equally_close_however_the_stream_is_cut() -> None:
    rows, labels = [{0: 1.0, 1: 1.0}] * 3 + [{0: 0.5}], [-1, -1, -1, 1]
    whole, pieces = th.Winnow(2), th.Winnow(2)
    whole.learn(rows, labels)
    for row, label in zip(rows, labels, strict=True):
        pieces.learn([row], [label])
    assert whole == pieces


@pytest.mark.parametrize("eta", [199.0, 1000.0])
def test_a_bias_that_leaves_the_range_of_doubles_alone_is_brought_back(eta: float) -> None:
    learner = th.SignedWinnow(2, eta=eta, bias=True)
    for depth in range(1, 6):
        learner = learner.with_dual([0.0, 0.0, 1.0 - depth])
        assert learner.learn_one({0: 1.0} if depth > 1 else {}, -1) == (1 if depth == 1 else -1)
    far = th.SignedWinnow(2, eta=eta, bias=True).with_dual([0.0, 0.0, 3.0])
    assert far.learn([{}] * 8, [-1] * 8).mistakes == 4
    assert (far.bias_weight, far.dual.tolist()) == (-1.0, [0.0, 0.0, -1.0])


def test_how_often_rounding_could_decide_does_not_depend_on_how_a_stream_is_cut() -> None:
    """Weights of one row are 2^50 apart: sums that are exact stand next to the threshold."""
    rows = [{0: 1.0}] * 10 + [{0: 1.0, 1: 1.0}, {0: 1.0}] * 45 + [{0: 1.0, 1: 1.0}] * 5
    labels = [1] * 10 + [-1, 1] * 45 + [1] * 5
    whole, single, pieces = (th.Winnow(1024) for _ in range(3))
    whole.learn(rows, labels)
    for row, label in zip(rows, labels, strict=True):
        single.learn_one(row, label)
        pieces.learn([row], [label])
        pieces = pieces.copy()
    assert whole.close_calls > 0
    assert whole == single == pieces
    assert whole.close_calls == single.close_calls == pieces.close_calls

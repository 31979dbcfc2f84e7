"""Winnow's theorems: kept on every path, reached, and not fooled."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest

from tests.theory.adversaries import AgainstWinnow
from tests.theory.exhaustive import most_mistakes
from tests.theory.streams import disjunction
from tests.theory.twins import Active, Labelled, real_winnow, winnow
from thresher.errors import HypothesisError
from thresher.theory import (
    WinnowAnyThreshold,
    WinnowAttributeErrors,
    WinnowComparator,
    WinnowDisjunction,
    WinnowDisjunctionClean,
    WinnowFalsePositives,
    WinnowThickThresholds,
    WinnowZeroing,
    promotions,
)
from thresher.theory.enclosure import float_above, real
from thresher.theory.theorem import MistakeBound

F = Fraction
FACTORS = [F(3, 2), F(2), F(5, 2), F(3), F(4)]


def thresholds(d: int) -> list[Fraction]:
    return [F(1, 2), F(1), F(d, 2), F(d), F(3 * d, 2), F(2 * d)]


def test_promotions_are_counted_exactly() -> None:
    for d in range(1, 2000):
        assert promotions(2, d) == (d - 1).bit_length()
    assert promotions(10, 10**15) == 15
    assert math.ceil(math.log(10**15) / math.log(10)) == 15
    assert promotions(F(6, 5), F(6, 5) ** 40) == 40
    assert promotions(5, 125) == 3 != math.ceil(math.log(125) / math.log(5))
    assert promotions(2, F(1, 2)) == 0


@pytest.mark.parametrize("d", [1, 2, 3, 4, 5])
def test_no_path_through_all_states_breaks_the_refined_bound(d: int) -> None:
    for r in range(d + 1):
        worst = most_mistakes(d, r, F(2), F(d))
        assert worst <= WinnowDisjunction(d, r).max_mistakes()


@pytest.mark.parametrize("factor", FACTORS)
def test_no_path_through_all_states_breaks_the_bound_for_any_threshold(factor: Fraction) -> None:
    reached = []
    for d in range(1, 5):
        for theta in thresholds(d):
            for r in range(d + 1):
                worst = most_mistakes(d, r, factor, theta)
                theorem = WinnowAnyThreshold(d, r, factor - 1, theta)
                assert worst <= theorem.max_mistakes(), (d, r, theta)
                reached.append(worst == theorem.max_mistakes())
    assert sum(reached) > len(reached) / 3


@pytest.mark.parametrize("factor", [F(2), F(3)])
def test_no_path_through_all_states_breaks_the_zeroing_bound(factor: Fraction) -> None:
    reached = 0
    for d in range(1, 6):
        for theta in (F(d, 2), F(d)):
            for r in range(d + 1):
                worst = most_mistakes(d, r, factor, theta, zeroing=True)
                allowed = WinnowZeroing(d, r, factor - 1, theta).max_mistakes()
                assert worst <= allowed
                reached += worst == allowed
    assert reached


def test_random_disjunctions_keep_every_bound_that_applies() -> None:
    for seed in range(150):
        rng = Random(seed)
        d = rng.randint(1, 20)
        r = rng.randint(0, d)
        stream = disjunction(rng, d, r, 60, rng.uniform(0.05, 0.9)) * 3
        factor, theta = rng.choice(FACTORS), F(rng.randint(1, 4 * d), 2)
        run = winnow(stream, d, factor, theta)
        theorem = WinnowAnyThreshold(d, r, factor - 1, theta)
        assert run.mistakes <= theorem.max_mistakes()
        assert run.false_negatives <= theorem.max_false_negatives()
        assert run.false_positives <= theorem.max_false_positives()
        coarse = factor * d / ((factor - 1) * theta)
        assert theorem.max_mistakes() < coarse + (1 + factor) * theorem.max_false_negatives() + 1
        zeroed = winnow(stream, d, factor, theta, zeroing=True)
        assert zeroed.mistakes <= WinnowZeroing(d, r, factor - 1, theta).max_mistakes()
        doubled = winnow(stream, d, 2, d)
        classic = WinnowDisjunction(d, r)
        assert doubled.mistakes <= classic.max_mistakes()
        assert doubled.false_negatives <= classic.max_false_negatives()
        assert doubled.false_positives <= classic.max_false_positives()
        band = (theta / 2, theta * rng.randint(1, 3))
        thick = winnow(stream, d, factor, theta, band=band)
        assert thick.mistakes <= WinnowThickThresholds(d, r, factor - 1, *band).max_mistakes()


def test_false_positives_are_paid_for_on_any_stream() -> None:
    for seed in range(250):
        rng = Random(seed)
        d = rng.randint(1, 12)
        stream = [(active, rng.choice([-1, 1])) for active, _ in disjunction(rng, d, 1, 80, 0.6)]
        factor, theta = rng.choice([F(11, 10), *FACTORS]), F(rng.randint(1, 6 * d), 2)
        run = winnow(stream, d, factor, theta)
        seen = len(frozenset().union(*(active for active, _ in run.rounds)))
        for features in (d, seen):
            theorem = WinnowFalsePositives(features, run.false_negatives, factor - 1, theta)
            assert run.false_positives <= theorem.max_false_positives()
            assert run.mistakes <= theorem.max_mistakes()
            assert theorem.max_mistakes() == run.false_negatives + theorem.max_false_positives()


def test_false_positives_per_false_negative_are_reached() -> None:
    for m in range(1, 9):
        theorem = WinnowFalsePositives(8, m, beta=1, threshold=8)
        assert theorem.max_false_positives() == 2 * m
        assert theorem.bound() == 1 + 3 * m
    assert WinnowFalsePositives(8, 0, 1, 8).max_false_positives() == 1
    play = winnow(AgainstWinnow(64, 1, F(2), F(64)).play(), 64, 2, 64)
    assert play.false_positives == 10 == 2 * play.false_negatives - 2


def test_no_false_positive_is_promised_when_none_can_be_paid_for() -> None:
    theorem = WinnowFalsePositives(4, 3, beta=F(1, 10), threshold=1000)
    assert theorem.max_false_positives() == 0
    assert theorem.max_mistakes() == 3


@pytest.mark.parametrize("d", [4, 8, 16, 32, 64, 128, 256])
def test_a_greedy_adversary_reaches_the_clean_bound(d: int) -> None:
    stream = AgainstWinnow(d, 1, F(2), F(d)).play()
    run = winnow(stream, d, 2, d)
    assert run.mistakes == len(stream)
    assert all(y == (1 if 0 in active else -1) for active, y in stream)
    clean = WinnowDisjunctionClean(d, 1).max_mistakes()
    assert run.mistakes == clean == WinnowDisjunction(d, 1).max_mistakes()
    if d in (64, 256):  # read with the natural logarithm, the textbook formulas are false
        assert run.mistakes > {64: 3 * (1 + math.log(64)), 256: 2 + 3 * (1 + math.log(256))}[d]


@pytest.mark.parametrize(
    ("factor", "forced", "allowed"),
    [(F(3, 2), 30, 32), (F(3), 19, 20), (F(18, 5), 17, 20), (F(4), 18, 19)],
)
def test_other_factors_come_near(factor: Fraction, forced: int, allowed: int) -> None:
    stream = AgainstWinnow(256, 1, factor, F(256)).play()
    assert winnow(stream, 256, factor, 256).mistakes == len(stream) == forced
    assert WinnowAnyThreshold(256, 1, factor - 1, 256).max_mistakes() == allowed


def test_two_relevant_features_of_a_hundred() -> None:
    forced = len(AgainstWinnow(100, 2, F(2), F(100)).play(interleave=True))
    assert forced == 35
    assert WinnowDisjunction(100, 2).max_mistakes() == 37


@pytest.mark.parametrize(("d", "r"), [(5, 1), (100, 2), (37, 4)])
def test_singletons_reach_the_bound_on_false_negatives(d: int, r: int) -> None:
    K = promotions(2, d)
    stream: list[Active] = [(frozenset({i}), 1) for i in range(r) for _ in range(K)]
    run = winnow(stream, d, 2, d)
    assert run.false_negatives == r * K == WinnowDisjunction(d, r).max_false_negatives()
    assert run.false_negatives > r * math.log2(d)


def test_edges_of_the_parameters() -> None:
    assert WinnowDisjunction(1, 0).max_mistakes() == 1
    assert WinnowDisjunction(1, 1).max_mistakes() == 0
    assert WinnowDisjunction(7, 7).max_mistakes() == 21
    assert WinnowDisjunction(7, 7).max_false_positives() == 0
    assert WinnowDisjunction(7, 0).max_false_positives() == 1
    assert WinnowAnyThreshold(7, 7, 1, 7).max_false_positives() == 0
    assert WinnowAnyThreshold(4, 0, 1, 100).max_mistakes() == 0
    assert WinnowAnyThreshold(4, 0, 1, 2).max_mistakes() == 3
    assert WinnowAnyThreshold(4, 4, 1, F(1, 2)).max_mistakes() == 0
    small = WinnowAnyThreshold(4, 1, 1, F(1, 2))
    assert (small.max_false_negatives(), small.max_mistakes()) == (0, 11)
    assert WinnowAnyThreshold(5, 1, 1, 100).max_mistakes() == 17
    assert WinnowAnyThreshold(4, 1, F(1, 10), F(11, 10)).max_mistakes() == 21


def test_promotions_alone_can_be_more_than_the_potential_allows() -> None:
    """Where V is below r K no false positive is possible any more, and r K is the bound."""
    for d, r, theta, allowed in [(2, 1, F(2), 8), (2, 1, F(3, 2), 5), (3, 2, F(3, 2), 10)]:
        theorem = WinnowAnyThreshold(d, r, F(1, 10), theta)
        assert theorem.bound() == theorem.max_mistakes() == allowed
        assert theorem.max_false_negatives() == allowed
        assert most_mistakes(d, r, F(11, 10), theta) == allowed


def test_values_worked_out_by_hand() -> None:
    """d = 8, r = 1, factor 2: K(16) = 4, so 4 + (16/4 - 1) + 2 (16/4) 4 = 39."""
    assert WinnowThickThresholds(8, 1, 1, 4, 16).bound() == 39
    assert WinnowThickThresholds(8, 1, 1, 16, 16).bound() == 4 + 0 + 8
    assert WinnowThickThresholds(1, 0, 1, 16, 16).bound() == 0
    d, u, rho, alpha, theta, L = 10, 0.5, 0.5, 1.25, 10.0, 2.0
    v = (alpha - 1 / alpha) * theta / ((1 + rho) * math.log(alpha)) * u
    start = d + 3 * (v * math.log(v) - v)
    drop = theta * (alpha - 1) * (1 / alpha - rho) / (1 + rho)
    value = (start + v / u * math.log(alpha) * L) / drop
    theorem = WinnowComparator(d, [F(1, 2)] * 3, F(1, 2), F(1, 4), theta, loss=2)
    assert float(theorem.bound()) == pytest.approx(value, rel=1e-12)


def noisy_disjunction(rng: Random, d: int, r: int, rate: float) -> tuple[list[Active], int]:
    stream, errors = [], 0
    for active, y in disjunction(rng, d, r, 80, 0.4):
        label = -y if rng.random() < rate else y
        relevant = sum(i < r for i in active)
        errors += (relevant == 0) if label == 1 else relevant
        stream.append((active, label))
    return stream, errors


def test_attribute_errors_cost_what_the_theorem_says_at_most() -> None:
    for seed in range(300):
        rng = Random(seed)
        d = rng.randint(1, 20)
        r = rng.randint(0, d)
        stream, errors = noisy_disjunction(rng, d, r, rng.choice([0.0, 0.05, 0.3]))
        factor, theta = rng.choice(FACTORS), F(rng.randint(1, 4 * d), 2)
        theorem = WinnowAttributeErrors(d, r, errors, factor - 1, theta)
        assert winnow(stream, d, factor, theta).mistakes <= theorem.max_mistakes()


@pytest.mark.parametrize(("d", "r"), [(3, 1), (3, 2)])
def test_no_path_with_errors_breaks_the_bound_and_an_error_can_cost_three(d: int, r: int) -> None:
    worst = [most_mistakes(d, r, F(2), F(d), errors=A) for A in range(4)]
    for A, mistakes in enumerate(worst):
        assert mistakes <= WinnowAttributeErrors(d, r, A, 1, d).max_mistakes()
    costs = [after - before for before, after in pairwise(worst)]
    assert max(costs) == 3
    assert worst[-1] > WinnowAttributeErrors(d, r, 0, 1, d).max_mistakes()


def test_the_price_of_an_error_is_one_plus_the_factor() -> None:
    for factor in FACTORS:
        bounds = [WinnowAttributeErrors(50, 3, A, factor - 1, 50).bound() for A in (0, 1, 2)]
        assert bounds[1] - bounds[0] == pytest.approx(float(1 + factor), rel=1e-12)
        assert bounds[2] - bounds[1] == pytest.approx(float(1 + factor), rel=1e-12)


def test_the_disjunction_with_errors_is_a_case_of_the_comparator() -> None:
    for d, r, A, factor in [(10, 2, 0, F(2)), (100, 7, 3, F(3, 2)), (64, 1, 1, F(4))]:
        whole = WinnowComparator(d, [1] * r, 0, factor - 1, d, loss=A).bound()
        assert whole == pytest.approx(WinnowAttributeErrors(d, r, A, factor - 1, d).bound())
    constant = WinnowAttributeErrors(1024, 4, 0, 1, 1024).bound()
    assert constant == pytest.approx(2 + 3 * 4 * 10 - 0.9868 * 4, abs=5e-4)


def test_k_of_r_functions_keep_the_comparator_bound() -> None:
    for seed in range(150):
        rng = Random(seed)
        d = rng.randint(2, 12)
        r = rng.randint(1, d)
        k = rng.randint(1, r)
        rows = [[int(rng.random() < 0.5) for _ in range(d)] for _ in range(120)]
        stream: list[Labelled] = [(x, 1 if sum(x[:r]) >= k else -1) for x in rows]
        run = real_winnow(stream * 3, d, 1 + 1 / (2 * k), d)
        assert run.mistakes <= WinnowComparator.k_of_r(d, k, r).max_mistakes()


def test_real_features_with_losses_keep_the_comparator_bound() -> None:
    for seed in range(120):
        rng = Random(seed)
        d = rng.randint(1, 8)
        u = [rng.choice([F(0), F(1, 2), F(1), F(3, 2)]) for _ in range(d)]
        beta, rho = rng.choice([(F(1), F(1, 4)), (F(1, 4), F(1, 2)), (F(2), F(0))])
        stream: list[Labelled] = []
        loss = F(0)
        for _ in range(80):
            x = [F(rng.randint(0, 8), 8) for _ in range(d)]
            y = rng.choice([-1, 1])
            score = sum((a * b for a, b in zip(u, x, strict=True)), F(0))
            loss += max(F(0), 1 - score if y == 1 else score - rho)
            stream.append((x, y))
        theta = F(rng.randint(1, 3 * d), 2)
        run = real_winnow(stream, d, float(1 + beta), float(theta))
        theorem = WinnowComparator(d, u, rho, beta, theta, loss)
        assert run.mistakes <= theorem.max_mistakes()


def test_the_starting_divergence_vanishes_where_the_comparator_is_the_start() -> None:
    start = WinnowComparator(3, [1, 1, 1], 0, 1, 3).starting_divergence(real(1))
    low, high = start.enclose(40)
    assert low <= 0 <= high
    assert high - low < 1e-30
    away = WinnowComparator(3, [1, 1], 0, 1, 3).starting_divergence(real(2))
    assert float_above(away) == pytest.approx(3 + 2 * (2 * math.log(2) - 2), rel=1e-15)


def test_a_finer_separation_than_the_step_can_follow_is_refused() -> None:
    """x4 AND (x2 OR x3) with factor 2: five mistakes that lead back to where they began."""
    loop: list[Active] = [
        (frozenset({1, 3}), 1),
        (frozenset({3}), -1),
        (frozenset({1, 2}), -1),
        (frozenset({2, 3}), 1),
        (frozenset({3}), -1),
    ]
    start: list[Active] = [(frozenset({2, 3}), 1)]
    assert winnow(start + loop * 40, 4, 2, 4).mistakes >= 5 * 39
    with pytest.raises(HypothesisError, match=r"rho < 1/\(1 \+ beta\), measured 1/2"):
        WinnowComparator.k_of_r(4, 2, 2, beta=1).max_mistakes()


def test_one_theorem_is_the_other_at_its_parameters() -> None:
    for d in range(1, 24):
        for r in range(d + 1):
            general, classic = WinnowAnyThreshold(d, r, 1, d), WinnowDisjunction(d, r)
            assert general.bound() == classic.bound()
            assert general.max_mistakes() == classic.max_mistakes()
            assert general.max_false_positives() == classic.max_false_positives()
            assert classic.max_mistakes() <= (
                classic.max_false_negatives() + classic.max_false_positives()
            )
            band = WinnowThickThresholds(d, r, 1, d, d).max_mistakes()
            assert classic.max_mistakes() <= band


REFUSED: list[tuple[MistakeBound, str]] = [
    (WinnowDisjunction(0, 0), "n_features >= 1"),
    (WinnowDisjunction(3, 4), "relevant <= n_features"),
    (WinnowDisjunctionClean(1, 1), "n_features >= 2"),
    (WinnowDisjunctionClean(4, 0), "relevant >= 1"),
    (WinnowDisjunctionClean(4, 5), "relevant <= n_features"),
    (WinnowAnyThreshold(4, 1, 0, 4), "beta > 0"),
    (WinnowAnyThreshold(4, 1, 1, 0), "threshold > 0"),
    (WinnowAnyThreshold(0, 0, 1, 1), "n_features >= 1"),
    (WinnowAnyThreshold(4, 5, 1, 4), "relevant <= n_features"),
    (WinnowComparator(4, [1], -1, 1, 4), "rho >= 0"),
    (WinnowComparator(4, [1], F(1, 2), 1, 4), "rho < 1/(1 + beta)"),
    (WinnowComparator(1, [1, 1], 0, 1, 4), "a comparator within n_features"),
    (WinnowAttributeErrors(4, 5, 0, 1, 4), "relevant <= n_features"),
    (WinnowAttributeErrors(4, 1, 0, 1, 0), "threshold > 0"),
    (WinnowZeroing(4, 1, -1, 4), "beta > 0"),
    (WinnowZeroing(4, 5, 1, 4), "relevant <= n_features"),
    (WinnowFalsePositives(4, 1, 1, -4), "threshold > 0"),
    (WinnowThickThresholds(4, 1, 0, 1, 1), "beta > 0"),
    (WinnowThickThresholds(4, 1, 1, 0, 1), "threshold_low > 0"),
    (WinnowThickThresholds(4, 1, 1, 2, 1), "threshold_low <= threshold_high"),
    (WinnowThickThresholds(4, 5, 1, 1, 1), "relevant <= n_features"),
]


@pytest.mark.parametrize(("theorem", "hypothesis"), REFUSED)
def test_a_false_hypothesis_is_refused_by_name(theorem: MistakeBound, hypothesis: str) -> None:
    with pytest.raises(HypothesisError) as caught:
        theorem.max_mistakes()
    assert caught.value.hypothesis == hypothesis


def test_wrong_formulas_are_caught_by_concrete_streams() -> None:
    """What a misprint would allow, against what really happens."""
    forced = len(AgainstWinnow(16, 1, F(2), F(16)).play())
    assert forced > 1 * (3 * 4 - 3)  # one less per relevant feature
    assert forced > 1 + 2 * 4  # two per promotion instead of three
    assert most_mistakes(3, 0, F(2), F(3)) > 0  # 3 r (1 + log2 d) at r = 0
    assert most_mistakes(5, 1, F(2), F(5)) > 3 * math.floor(math.log2(5)) - 1  # floor for ceil
    zeroed = most_mistakes(4, 0, F(2), F(2), zeroing=True)
    assert zeroed == 2 == WinnowZeroing(4, 0, 1, 2).max_mistakes()  # d/theta, not 1

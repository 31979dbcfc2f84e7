"""The Perceptron's theorems: kept, reached, symmetric, and not fooled."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from random import Random

import pytest

from tests.theory.adversaries import dense_against_perceptron
from tests.theory.streams import (
    hinge,
    margin,
    noisy,
    orthonormal,
    radius_squared,
    separable,
    three_dimensional,
    unit,
)
from tests.theory.twins import Labelled, Run, Vector, dot, perceptron
from thresher.errors import HypothesisError
from thresher.theory import (
    Novikoff,
    NovikoffBySum,
    PerceptronCommittee,
    PerceptronDisjunction,
    PerceptronHinge,
    PerceptronSquaredHinge,
    PerceptronThickMargin,
    PerceptronWarmStart,
)

SEEDS = range(1000)


def novikoff(run: Run, u: Vector) -> Novikoff:
    return Novikoff(radius_squared(run.updates), Fraction(dot(u, u)), margin(run.updates, u))


def by_sum(run: Run, u: Vector) -> NovikoffBySum:
    squares = sum(Fraction(dot(x, x)) for x, _ in run.updates)
    return NovikoffBySum(squares, Fraction(dot(u, u)), margin(run.updates, u))


def test_mistakes_never_exceed_the_bounds_on_separable_streams() -> None:
    close = 0
    for seed in SEEDS:
        rng = Random(seed)
        d = rng.randint(1, 6)
        stream, u = separable(rng, d, rng.randint(1, 80))
        run = perceptron(stream * 3, d)
        assert run.mistakes <= by_sum(run, u).max_mistakes() <= novikoff(run, u).max_mistakes()
        close += run.mistakes == novikoff(run, u).max_mistakes()
    assert close


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5])
def test_mistakes_never_exceed_the_hinge_bounds_on_any_stream(rate: float) -> None:
    for seed in SEEDS:
        rng = Random(seed)
        d = rng.randint(1, 6)
        stream, u = separable(rng, d, rng.randint(1, 80))
        stream = noisy(rng, stream, rate)
        run = perceptron(stream, d)
        level = Fraction(rng.randint(1, 20), rng.randint(1, 4))
        losses = hinge(run.updates, u, level)
        measured = radius_squared(run.updates), Fraction(dot(u, u)), level
        plain = PerceptronHinge(*measured, sum(losses))
        squared = PerceptronSquaredHinge(*measured, sum(loss**2 for loss in losses))
        assert run.mistakes <= min(plain.max_mistakes(), squared.max_mistakes())
        everywhere = PerceptronHinge(*measured, sum(hinge(stream, u, level)))
        assert plain.max_mistakes() <= everywhere.max_mistakes()


def test_the_hinge_bounds_are_tight_for_the_zero_comparator() -> None:
    """With u = 0 the loss is gamma per mistake: the bound is the count itself."""
    for mistakes in (1, 7, 100):
        assert PerceptronHinge(9, 0, 2, 2 * mistakes).max_mistakes() == mistakes
        assert PerceptronSquaredHinge(9, 0, 2, 4 * mistakes).max_mistakes() == mistakes


def test_updates_of_the_thick_perceptron_and_the_margin_it_reaches() -> None:
    for seed in SEEDS:
        rng = Random(seed)
        d = rng.randint(1, 4)
        stream, u = separable(rng, d, rng.randint(1, 12))
        tau = Fraction(rng.randint(0, 40), rng.randint(1, 4))
        run = perceptron([], d)
        updates: list[Labelled] = []
        while True:
            run = perceptron(stream, d, run.dual, float(tau))
            if not run.updates:
                break
            updates += run.updates
        theorem = PerceptronThickMargin(radius_squared(updates), dot(u, u), margin(updates, u), tau)
        assert len(updates) <= theorem.max_mistakes()
        reached = min(Fraction(y * dot(run.dual, x)) for x, y in stream)
        assert reached > 0
        assert reached**2 / Fraction(dot(run.dual, run.dual)) > theorem.margin_reached_squared()


def test_a_suffix_keeps_the_warm_start_bound() -> None:
    for seed in SEEDS:
        rng = Random(seed)
        d = rng.randint(1, 6)
        stream, u = separable(rng, d, rng.randint(2, 80))
        stream = noisy(rng, stream, rng.choice([0.0, 0.2]))
        cut = rng.randrange(len(stream))
        before = perceptron(stream[:cut], d)
        after = perceptron(stream[cut:], d, before.dual)
        level = Fraction(rng.randint(1, 9))
        theorem = PerceptronWarmStart(
            start_norm_squared=dot(before.dual, before.dual),
            start_alignment=dot(u, before.dual),
            radius_squared=radius_squared(after.updates),
            comparator_norm_squared=dot(u, u),
            margin=level,
            loss=sum(hinge(after.updates, u, level)),
        )
        allowed = theorem.max_mistakes()
        assert after.mistakes <= allowed
        for count in (allowed, allowed + 1):
            left = level * count + theorem.start_alignment - theorem.loss
            right = theorem.comparator_norm_squared * (
                theorem.start_norm_squared + count * theorem.radius_squared
            )
            assert (left <= 0 or left**2 <= right) == (count == allowed)


def test_mistakes_on_disjunctions_never_exceed_the_closed_form() -> None:
    for seed in SEEDS:
        rng = Random(seed)
        d = rng.randint(1, 12)
        r = rng.randint(0, d)
        rows = [[int(rng.random() < 0.4) for _ in range(d)] for _ in range(60)]
        stream: list[Labelled] = [([*x, 1], 1 if any(x[:r]) else -1) for x in rows]
        active = max(sum(x) for x in rows)
        theorem = PerceptronDisjunction(relevant=r, active=active)
        assert perceptron(stream * 4, d + 1).mistakes <= theorem.max_mistakes()


def test_mistakes_on_committees_never_exceed_the_bound() -> None:
    for seed in SEEDS:
        rng = Random(seed)
        n = rng.randint(1, 9)
        k = rng.randint(1, n)
        rows = [[rng.choice([-1, 1]) for _ in range(n)] for _ in range(60)]
        stream: list[Labelled] = [(x, 1 if sum(x[:k]) > 0 else -1) for x in rows if sum(x[:k])]
        assert perceptron(stream * 4, n).mistakes <= PerceptronCommittee(n, k).max_mistakes()


@pytest.mark.parametrize("n", [1, 2, 5, 40])
def test_orthonormal_rows_reach_the_bounds(n: int) -> None:
    run = perceptron(orthonormal(n), n)
    u = [-1] * n
    assert run.mistakes == n == novikoff(run, u).max_mistakes() == by_sum(run, u).max_mistakes()
    warm = perceptron(orthonormal(n)[n // 2 :], n, perceptron(orthonormal(n)[: n // 2], n).dual)
    theorem = PerceptronWarmStart(n // 2, n // 2, 1, n, 1)
    assert warm.mistakes == theorem.max_mistakes() == n - n // 2


@pytest.mark.parametrize("bound", [1.5, 10.5, 100.5, 1000.5])
def test_three_dimensions_reach_the_bound(bound: float) -> None:
    run = perceptron(three_dimensional(bound), 3)
    allowed = novikoff(run, unit(0, 3)).max_mistakes()
    assert run.mistakes == floor(bound) == allowed


def test_unequal_norms_are_where_the_sum_is_sharper() -> None:
    stream: list[Labelled] = [([3, 0], -1), ([0, 1], -1)]
    run = perceptron(stream, 2)
    u = [Fraction(-1, 3), Fraction(-1)]
    assert novikoff(run, u).max_mistakes() == 10
    assert by_sum(run, u).max_mistakes() == 3
    assert run.mistakes == 2


@pytest.mark.parametrize(("n", "tau"), [(5, 0), (5, 1), (4, Fraction(5, 2))])
def test_thick_orthonormal_rows_come_near_the_bound(n: int, tau: Fraction) -> None:
    run = perceptron(orthonormal(n) * 9, n, thickness=float(tau))
    assert len(run.updates) == n * (floor(tau) + 1)
    theorem = PerceptronThickMargin(1, n, 1, tau)
    assert theorem.bound() == n * (1 + 2 * tau)


@pytest.mark.parametrize(("d", "r", "forced"), [(16, 1, 33), (32, 1, 65), (64, 8, 913)])
def test_dense_disjunctions_cost_the_perceptron_r_times_d(d: int, r: int, forced: int) -> None:
    stream = dense_against_perceptron(d, r)
    assert all(y == (1 if any(x[:r]) else -1) for x, y in stream)
    assert perceptron(stream, d + 1).mistakes == len(stream) == forced
    active = int(max(sum(x) for x, _ in stream)) - 1
    assert forced <= PerceptronDisjunction(r, active).max_mistakes()


def test_rows_of_a_hadamard_matrix_reach_the_committee_bound_for_one_member() -> None:
    rows = [[1]]
    for _ in range(4):
        rows = [a + a for a in rows] + [a + [-v for v in a] for a in rows]
    stream: list[Labelled] = [([-v for v in row], -1) for row in rows]
    assert perceptron(stream, 16).mistakes == PerceptronCommittee(16, 1).max_mistakes() == 16


def test_committees_that_tie_are_refused_because_they_may_never_be_learned() -> None:
    start: list[Labelled] = [([-1, -1, 1], -1), ([1, -1, 1], 1)]
    pair: list[Labelled] = [([-1, 1, 1], 1), ([1, -1, -1], 1)]
    assert perceptron(start + pair * 50, 3).mistakes >= 100
    with pytest.raises(HypothesisError, match="no round in which the committee ties, measured 100"):
        PerceptronCommittee(experts=3, members=2, ties=100).max_mistakes()


def test_committee_values() -> None:
    assert PerceptronCommittee(10, 3).bound() == 30
    assert PerceptronCommittee(10, 4).bound() == 10
    assert [PerceptronCommittee(3, 4).applies(), PerceptronCommittee(3, 0).applies()] == [False] * 2


@pytest.mark.parametrize("scale", [2, Fraction(1, 3), 7])
def test_the_scale_of_the_comparator_does_not_matter(scale: Fraction) -> None:
    rng = Random(1)
    for _ in range(50):
        R2, U2, g, L, t = (Fraction(rng.randint(1, 50), rng.randint(1, 9)) for _ in range(5))
        s = Fraction(scale)
        assert Novikoff(R2, U2 * s**2, g * s).bound() == Novikoff(R2, U2, g).bound()
        for theorem in (PerceptronHinge, PerceptronSquaredHinge):
            power = 1 if theorem is PerceptronHinge else 2
            scaled = theorem(R2, U2 * s**2, g * s, L * s**power)
            assert scaled.bound() == theorem(R2, U2, g, L).bound()
        assert NovikoffBySum(R2, U2 * s**2, g * s).bound() == NovikoffBySum(R2, U2, g).bound()
        thick = PerceptronThickMargin(R2, U2, g, t)
        scaled_thick = PerceptronThickMargin(R2, U2 * s**2, g * s, t)
        assert scaled_thick.bound() == thick.bound()
        assert scaled_thick.margin_reached_squared() == thick.margin_reached_squared()


def test_special_cases_agree_with_each_other() -> None:
    rng = Random(2)
    for _ in range(50):
        R2, U2, g, L = (Fraction(rng.randint(1, 50), rng.randint(1, 9)) for _ in range(4))
        plain = Novikoff(R2, U2, g).bound()
        assert PerceptronHinge(R2, U2, g, 0).bound() == plain
        assert PerceptronSquaredHinge(R2, U2, g, 0).bound() == plain
        assert PerceptronThickMargin(R2, U2, g, 0).bound() == plain
        assert PerceptronWarmStart(0, 0, R2, U2, g, 0).bound() == plain
        cold = PerceptronWarmStart(0, 0, R2, U2, g, L).bound()
        assert cold == pytest.approx(float(PerceptronHinge(R2, U2, g, L).bound()), rel=1e-14)
        disjunction = Novikoff(6, 2 + Fraction(1, 4), Fraction(1, 2)).bound()
        assert disjunction == PerceptronDisjunction(relevant=2, active=5).bound() == 54


def test_thick_margins_tend_to_half_the_best() -> None:
    best = Fraction(1, 4)
    for tau in (1, 10, 10**6):
        reached = PerceptronThickMargin(1, 4, 1, tau).margin_reached_squared()
        assert reached == best * Fraction(tau, 1 + 2 * tau) ** 2
        assert reached < best / 4


@pytest.mark.parametrize(
    ("theorem", "hypothesis"),
    [
        (Novikoff(1, 1, 0), "margin > 0"),
        (NovikoffBySum(1, 1, -1), "margin > 0"),
        (PerceptronHinge(1, 1, 0, 1), "margin > 0"),
        (PerceptronSquaredHinge(1, 1, 0, 1), "margin > 0"),
        (PerceptronThickMargin(1, 1, 0, 1), "margin > 0"),
        (PerceptronThickMargin(1, 1, 1, -1), "thickness >= 0"),
        (PerceptronWarmStart(1, 1, 1, 1, 0), "margin > 0"),
        (PerceptronWarmStart(1, 3, 1, 4, 1), "(u.w0)^2 <= ||u||^2 ||w0||^2"),
        (PerceptronCommittee(3, 0), "members >= 1"),
        (PerceptronCommittee(3, 4), "members <= experts"),
    ],
)
def test_a_false_hypothesis_is_refused_by_name(theorem: Novikoff, hypothesis: str) -> None:
    with pytest.raises(HypothesisError) as caught:
        theorem.max_mistakes()
    assert caught.value.hypothesis == hypothesis


def test_wrong_formulas_are_caught_by_concrete_streams() -> None:
    """What a misprint would allow, against what really happens."""
    n = 9
    forced = perceptron(orthonormal(n), n).mistakes
    for lie in (
        Novikoff(1, n, 2).bound(),  # a margin measured with another comparator
        Novikoff(1, 1, 1).bound(),  # the norm of u forgotten
        NovikoffBySum(1, n, 1).bound(),  # one norm instead of the sum
        PerceptronWarmStart(n, n, 1, n, 1).bound(),  # a start the run did not have
    ):
        assert forced > lie
    dense = len(dense_against_perceptron(64, 8))
    assert dense > (4 * 8 + 1) * 8 + 64  # r^2 + d instead of r d

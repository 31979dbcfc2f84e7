"""Points that separators label in every way: no more than the margin allows."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from random import Random

import pytest

from tests.theory.twins import Vector, dot, perceptron
from thresher.errors import HypothesisError
from thresher.theory import MarginLower, MarginShattering, Novikoff, catalogue

F = Fraction


def shattered(points: Sequence[Vector], signs: Sequence[int], most: int = 400) -> bool:
    """Whether the Perceptron finds a separator for every labelling (of each point by a sign)."""
    for labels in itertools.product(signs, repeat=len(points)):
        weights: Vector = [0] * len(points[0])
        for _ in range(most):
            run = perceptron(list(zip(points, labels, strict=True)), len(points[0]), weights)
            weights = run.dual
            if not run.mistakes:
                break
        else:
            return False
    return True


def squared_sums(points: Sequence[Vector]) -> list[F]:
    """The squared length of the sum of s_i x_i, for every choice of signs."""
    columns = list(zip(*points, strict=True))
    choices = itertools.product((-1, 1), repeat=len(points))
    totals = [[dot(signs, column) for column in columns] for signs in choices]
    return [F(dot(total, total)) for total in totals]


@pytest.mark.parametrize("seed", range(40))
def test_no_points_can_be_shattered_with_more_margin(seed: int) -> None:
    """The proof: gamma <= ||sum s_i x_i||/n for all signs, and the average of these is known."""
    rng = Random(seed)
    n, d = rng.randint(1, 6), rng.randint(1, 6)
    points = [[F(rng.randint(-4, 4)) for _ in range(d)] for _ in range(n)]
    sums, radius = squared_sums(points), max(F(dot(x, x)) for x in points)
    assert sum(sums) / len(sums) == sum(F(dot(x, x)) for x in points) <= n * radius
    largest = min(sums) / n**2
    if largest > 0:
        assert n <= F(MarginShattering(radius, 1 / largest, 1).bound())


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_orthonormal_points_reach_the_bound(n: int) -> None:
    """U = sqrt(n) reaches margin 1 on e_1, ..., e_n with every sign, and nothing allows more."""
    points = [[int(i == j) for j in range(n)] for i in range(n)]
    for signs in itertools.product((-1, 1), repeat=n):
        assert dot(signs, signs) == n
        assert all(s * dot(signs, x) == 1 for s, x in zip(signs, points, strict=True))
    assert MarginShattering(1, n, 1).max_points() == n
    assert MarginShattering(1, n, 1, n_features=n).max_points() == n
    assert shattered(points, [-1, 1])


def test_more_points_than_dimensions_are_not_shattered() -> None:
    points = [[1, 0], [0, 1], [1, 1]]
    assert shattered(points[:2], [-1, 1])
    assert not shattered(points, [-1, 1], most=50)
    assert MarginShattering(2, 100, 1, n_features=2).max_points() == 2


def test_it_is_the_bound_of_the_perceptron_and_meets_the_lower_bound() -> None:
    for squared in (F(1, 10), F(1, 7), F(3, 20)):
        lower = MarginLower(margin_squared=squared, n_features=100).min_mistakes()
        assert MarginShattering(1, 1 / squared, 1).max_points() == lower
    for case in ((2, 5, F(1, 3)), (1, 9, 2), (F(7, 2), 3, 1)):
        assert MarginShattering(*case).bound() == Novikoff(*case).bound()


def test_a_common_scale_changes_nothing() -> None:
    for k in (F(1, 3), F(9)):
        assert MarginShattering(3 * k**2, 5, 2 * k).bound() == MarginShattering(3, 5, 2).bound()
        assert MarginShattering(3, 5 * k**2, 2 * k).bound() == MarginShattering(3, 5, 2).bound()


def test_a_false_hypothesis_is_refused_by_name() -> None:
    with pytest.raises(HypothesisError, match="margin > 0, measured 0"):
        MarginShattering(1, 1, 0).max_points()
    assert MarginShattering in catalogue()

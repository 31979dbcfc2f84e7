"""Measured quantities against the definitions, in fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thresher.verifier import Comparator, read_rows
from thresher.verifier.measures.margins import Margins, exact_sum, squared_norms
from thresher.verifier.readers.labelled_rows import binary_places

WIDTH = 3
FINITE = st.floats(-1e50, 1e50, allow_nan=False)
NUMBERS = st.one_of(
    st.sampled_from([0.0, 1.0, -1.0, 0.5, 0.1, 3.0, 1e-30]),
    st.integers(-8, 8).map(float),
    FINITE,
)
ROWS = st.lists(st.lists(NUMBERS, min_size=WIDTH, max_size=WIDTH), min_size=1, max_size=8)
WHOLE = st.integers(-(2**20), 2**20)
LEVELS = st.fractions(-3, 3, max_denominator=8)


@st.composite
def measured(draw: st.DrawFn) -> tuple[list[list[float]], list[int], Comparator]:
    X = draw(ROWS)
    y = draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X), max_size=len(X)))
    u = draw(st.lists(st.one_of(st.integers(-3, 3), WHOLE), min_size=WIDTH, max_size=WIDTH))
    kept = [i for i in range(WIDTH) if u[i]]
    bias, denominator = draw(st.integers(-2, 2)), draw(st.sampled_from([1, 2, 7]))
    return X, y, Comparator(tuple(kept), tuple(u[i] for i in kept), bias, denominator)


def by_definition(X: list[list[float]], y: list[int], u: Comparator) -> list[Fraction]:
    weight = dict(zip(u.columns, u.numerators, strict=True))
    return [
        Fraction(label)
        * (sum(weight.get(i, 0) * Fraction(x) for i, x in enumerate(row)) + u.bias)
        / u.denominator
        for row, label in zip(X, y, strict=True)
    ]


@settings(max_examples=150, deadline=None)
@given(measured(), LEVELS, LEVELS)
def test_margins_losses_and_errors_are_exact(
    case: tuple[list[list[float]], list[int], Comparator], level: Fraction, other: Fraction
) -> None:
    X, y, u = case
    expected = by_definition(X, y, u)
    margins = Margins(read_rows(X, y), u)
    assert [margins.at(t) for t in range(len(y))] == expected
    assert margins.smallest() == min(expected)
    assert margins.hinge_loss(level) == sum(max(Fraction(0), level - m) for m in expected)
    assert margins.squared_hinge_loss(level) == sum(
        max(Fraction(0), level - m) ** 2 for m in expected
    )
    of = {1: level, -1: other}
    assert margins.hinge_loss(level, other) == sum(
        max(Fraction(0), of[label] - m) for m, label in zip(expected, y, strict=True)
    )
    scores = [m * label for m, label in zip(expected, y, strict=True)]
    assert margins.errors() == sum(
        (1 if s >= 0 else -1) != label for s, label in zip(scores, y, strict=True)
    )


@settings(max_examples=150, deadline=None)
@given(measured())
def test_a_level_that_is_a_margin_is_told_from_its_neighbours(
    case: tuple[list[list[float]], list[int], Comparator],
) -> None:
    X, y, u = case
    expected = by_definition(X, y, u)
    margins = Margins(read_rows(X, y), u)
    tiny = Fraction(1, 2**1200)
    for level in (expected[0], expected[0] + tiny, expected[0] - tiny):
        assert margins.below(lambda _, level=level: level).tolist() == [  # type: ignore[misc]
            m < level for m in expected
        ]


@given(ROWS, st.booleans())
def test_squared_norms_are_exact(X: list[list[float]], bias: bool) -> None:
    stream = read_rows(X, [1] * len(X))
    assert squared_norms(stream, bias) == [sum(Fraction(x) ** 2 for x in row) + bias for row in X]


@given(st.lists(st.tuples(WHOLE, st.floats(allow_nan=False, allow_infinity=False)), max_size=40))
def test_sums_of_products_are_exact(pairs: list[tuple[int, float]]) -> None:
    factor = np.array([a for a, _ in pairs], np.int64)
    value = np.array([v for _, v in pairs], np.float64)
    assert exact_sum(factor, value) == sum(a * Fraction(v) for a, v in pairs)


def test_sums_of_many_large_products_do_not_overflow() -> None:
    n = 70_000
    factor, value = np.full(n, 2**20, np.int64), np.full(n, 1 - 2.0**-53)
    assert exact_sum(factor, value) == n * 2**20 * Fraction(1 - 2.0**-53)


@given(st.lists(st.floats(-1e10, 1e10, allow_nan=False), max_size=5))
def test_binary_places_are_the_fewest(values: list[float]) -> None:
    k = binary_places(np.array(values, np.float64))
    whole = [Fraction(v) for v in values]
    if k is None:
        assert any((v * 2**200).denominator != 1 for v in whole)
    else:
        assert all((v * 2**k).denominator == 1 for v in whole)
        assert k == 0 or any((v * 2 ** (k - 1)).denominator != 1 for v in whole)


def test_norms_of_a_comparator() -> None:
    u = Comparator((0, 4), (3, -4), bias=1, denominator=2)
    assert (u.norm_squared, u.norm_1) == (Fraction(26, 4), Fraction(4))
    assert u.weights == (Fraction(3, 2), Fraction(-2), Fraction(1, 2))


@pytest.mark.parametrize("bad", [[[1.0, float("nan")]], [[float("inf"), 0.0]]])
def test_values_that_are_not_finite_are_refused(bad: list[list[float]]) -> None:
    with pytest.raises(ValueError, match="finite"):
        read_rows(bad, [1])

"""Conjunctions as features: each has a column of its own, and a row has those that are true."""

from __future__ import annotations

from itertools import product
from math import comb
from typing import Any, cast

import numpy as np
import pytest

from thresher.errors import (
    DimensionError,
    FeatureRangeError,
    ParameterError,
    TooManyConjunctionsError,
    UnsoundBatchError,
)
from thresher.learners.base.negations import with_negations
from thresher.streams.conjunctions import Conjunctions
from thresher.streams.rows import Rows


@pytest.mark.parametrize("negations", [False, True])
@pytest.mark.parametrize(("n", "k"), [(1, 1), (4, 2), (5, 3), (4, 4)])
def test_a_row_has_exactly_the_conjunctions_that_are_true(n: int, k: int, negations: bool) -> None:
    step = Conjunctions(n, k, negations=negations)
    literals = [step.literals_of(column) for column in range(step.n_features)]
    assert len(set(literals)) == step.n_features
    assert all(1 <= len(each) <= k for each in literals)
    points = list(product((0, 1), repeat=n))
    for point, row in zip(points, step.rows([list(point) for point in points]), strict=True):
        true = [c for c, each in enumerate(literals) if all(point[v] == on for v, on in each)]
        assert sorted(row) == true
        assert set(row.values()) <= {1.0}


def test_single_literals_are_where_learners_have_them() -> None:
    rows = Rows.of([[1, 0, 1], [0, 0, 0]])
    assert list(Conjunctions(3, 1).rows(rows)) == list(rows)
    assert list(Conjunctions(3, 1, negations=True).rows(rows)) == list(with_negations(rows, 3))


def test_rows_are_the_same_one_by_one_and_together() -> None:
    points = np.random.default_rng(2).integers(0, 2, (20, 6))
    step = Conjunctions(6, 3, negations=True)
    together = list(step.rows(points))
    assert together == [next(iter(step.rows(point[None, :]))) for point in points]


def test_what_is_no_row_of_variables_is_refused() -> None:
    step = Conjunctions(3, 2)
    with pytest.raises(DimensionError):
        step.rows([{0: 1, 3: 1}])
    with pytest.raises(FeatureRangeError):
        step.rows([{0: 1}, {1: 0.5}])
    with pytest.raises(UnsoundBatchError, match=r"row 0: .* conjunctions"):
        Conjunctions(1000, 3).rows(np.ones((1, 1000)))
    wrong_shapes: list[tuple[Any, Any]] = [
        *((0, 1), (3, 0), (3, 4), (3, "2"), ("3", 2), (3, True), (3, 1.5)),
    ]
    for wrong in wrong_shapes:
        with pytest.raises(ParameterError, match="must be a whole number"):
            Conjunctions(*wrong)
    for unclear in ("no", 2, None, 0.5):
        with pytest.raises(ParameterError, match="negations must be True or False"):
            Conjunctions(3, 2, negations=cast(bool, unclear))
    with pytest.raises(ParameterError):
        step.name_of(6)


@pytest.mark.parametrize("negations", [False, True])
def test_it_is_said_at_once_how_many_there_would_be(negations: bool) -> None:
    count = sum(comb(10_000, size) * (2 if negations else 1) ** size for size in range(1, 5))
    with pytest.raises(TooManyConjunctionsError, match=f"have {count:,} conj.* Choose a smaller k"):
        Conjunctions(10_000, 4, negations=negations)
    # Counted one by one these would take hours.
    with pytest.raises(TooManyConjunctionsError, match=r"more than 10\^1[56]\d,\d{3},\d{3} conj"):
        Conjunctions(10**9, 5 * 10**8, negations=False)
    with pytest.raises(TooManyConjunctionsError, match=r"more than 10\^"):
        Conjunctions(10**18, 10**17, negations=negations)


def test_the_largest_that_fits_is_not_refused() -> None:
    # C(65535, 2) + 65535 = 2,147,450,880 is below 2^31 - 1, and one variable more is not.
    assert Conjunctions(65_535, 2).n_features == 2_147_450_880
    with pytest.raises(TooManyConjunctionsError, match="2,147,516,416"):
        Conjunctions(65_536, 2)

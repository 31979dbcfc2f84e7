"""All promises side by side."""

from __future__ import annotations

from fractions import Fraction

import pytest

from thresher.theory import (
    NormalizedWinnowTuned,
    Novikoff,
    SignedWinnowRestarts,
    WinnowDisjunction,
    compare,
)


def test_rows_are_sorted_by_what_they_allow() -> None:
    for table in (compare(100, 3), compare(100, 3, active=4), compare(100, 3, margin=0.2)):
        allowed = [row.max_mistakes for row in table]
        assert allowed == sorted(allowed)
        assert len(table) == len(table.rows) == len(allowed) > 4


def test_the_rows_are_what_the_theorems_say() -> None:
    rows = {(row.learner, row.parameters): row for row in compare(100, 2, active=7)}
    classic = rows["Winnow", "beta=1"]
    assert classic.theorem == "WinnowDisjunction"
    assert classic.bound == WinnowDisjunction(100, 2).bound()
    assert classic.max_mistakes == 37
    assert rows["Perceptron", "bias=1"].max_mistakes == 9 * 8
    assert rows["Elimination", ""].max_mistakes == 98
    assert rows["Halving", ""].max_mistakes == 12


def test_a_margin_turns_the_target_into_a_separator() -> None:
    gamma = Fraction(1, 5)
    rows = {row.learner: row for row in compare(64, 4, active=10, margin=gamma, radius=2)}
    weights = [Fraction(1, 4)] * 4
    assert rows["Perceptron"].bound == Novikoff(40, Fraction(1, 4), gamma).bound() == 250
    expected = NormalizedWinnowTuned(64, gamma, 2, 1, weights).bound()
    assert rows["NormalizedWinnow"].bound == expected
    restarts = SignedWinnowRestarts(64, gamma, 2).max_mistakes()
    assert rows["RestartingSignedWinnow"].max_mistakes == restarts
    assert compare(64, 4, margin=gamma).forced is None


def test_sparse_examples_favour_the_perceptron_and_dense_ones_winnow() -> None:
    def best(active: int) -> str:
        tuned = {"bias=1", "beta=1"}
        rows = [row for row in compare(1000, 2, active=active) if row.parameters in tuned]
        return rows[0].learner

    assert best(2) == "Perceptron"
    assert best(20) == "Winnow"


def test_tuning_winnow_never_hurts() -> None:
    for d, r in [(100, 1), (1000, 5), (1024, 16)]:
        winnow = [row for row in compare(d, r) if row.theorem == "WinnowAnyThreshold"]
        assert len(winnow) == 2
        assert max(row.max_mistakes for row in winnow) <= WinnowDisjunction(d, r).max_mistakes()


@pytest.mark.parametrize(("d", "r"), [(1, 0), (1, 1), (2, 1), (5, 0), (5, 5)])
def test_the_edges_have_tables_too(d: int, r: int) -> None:
    table = compare(d, r)
    assert {"Winnow", "Perceptron", "Elimination"} <= {row.learner for row in table}
    assert (table.forced is None) == (r == 0)


def test_the_table_is_aligned() -> None:
    lines = str(compare(1000, 2, active=5)).splitlines()
    assert len(lines) == 11
    assert len({len(line) for line in lines[:-1]}) == 1
    assert lines[-1] == "DisjunctionLower: mistakes forced on any learner: 16"
    assert "mistakes forced" not in str(compare(10, 2, margin=0.5))

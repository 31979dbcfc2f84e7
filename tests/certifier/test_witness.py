"""Witnesses: found in floating point, measured exactly, and good where the best is known."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from thresher.certifier.witnesses.feature_sets import forgiving_disjunction, small_disjunction
from thresher.certifier.witnesses.l1_programmes import widest_l1_margin
from thresher.certifier.witnesses.l2_margins import Problem, maximal_margin
from thresher.certifier.witnesses.rounding import rounded
from thresher.errors import NotCertifiableError
from thresher.verifier import Comparator, read_rows
from thresher.verifier.measures.margins import Margins
from thresher.verifier.measures.witness_errors import attribute_errors


def run(learner: Any, X: Any, y: Any, **how: Any) -> th.Certificate:
    learner.learn(X, y)
    certificate = th.certify(learner, X, y, **how)
    assert th.verify(certificate, X, y).holds
    return certificate


def test_the_witness_of_two_opposite_points_is_the_line_between_them() -> None:
    certificate = run(th.Perceptron(2), [[3, 4], [-3, -4], [6, 8]], [-1, 1, -1])
    assert certificate.witness is not None
    u = certificate.witness.comparator
    assert u.numerators[0] * 4 == u.numerators[1] * 3
    novikoff = next(b for b in certificate.bounds if b.theorem == "Novikoff")
    # R^2 |u|^2 / margin^2 = 25 * 25 / 25^2: the one mistake that was made.
    assert novikoff.allows == certificate.mistakes == 1


def test_orthonormal_rows_reach_the_bound() -> None:
    certificate = run(th.Perceptron(8), np.eye(8), [-1] * 8)
    assert {b.theorem: b.allows for b in certificate.bounds} == {"Novikoff": 8, "NovikoffBySum": 8}
    assert certificate.mistakes == 8


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_the_margin_found_is_close_to_the_largest_in_the_plane(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (25, 2)).astype(float)
    X = X[np.abs(X @ [2.0, 1.0]) >= 2]
    y = np.where(X @ [2.0, 1.0] > 0, 1, -1)
    problem = Problem.of(read_rows(X, y), bias=False)
    u = maximal_margin(problem, np.arange(3))
    assert u is not None
    angles = np.linspace(0, 2 * np.pi, 20_001)
    every = np.stack((np.cos(angles), np.sin(angles)))
    best = float(np.max(np.min(np.asarray(problem.rows @ every), axis=0)))
    assert float(problem.margins(u).min()) / float(np.linalg.norm(u)) >= 0.98 * best


def test_the_l1_margin_is_the_largest() -> None:
    # u = (1/2, 1/2): both experts together are right by 1; either alone is wrong once.
    X, y = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.5]], [1, 1, -1]
    problem = Problem.of(read_rows(X, y), bias=False)
    u = widest_l1_margin(problem, signed=False, first=np.arange(3))
    assert u is not None
    # max of min(a, 1 - a, a - (1 - a)/2) is reached where a = 3/5 at 2/5.
    assert u.tolist() == pytest.approx([0.6, 0.4])
    assert widest_l1_margin(problem, signed=False, first=np.arange(3), needed=0.41) is None


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_disjunction_is_found_exactly_where_there_is_one_and_it_is_the_shortest(
    data: st.DataObject,
) -> None:
    row = st.lists(st.sampled_from([0.0, 1.0]), min_size=4, max_size=4)
    X = np.array(data.draw(st.lists(row, min_size=1, max_size=8)))
    y = data.draw(st.lists(st.sampled_from([-1, 1]), min_size=len(X), max_size=len(X)))
    fitting = [
        S
        for k in range(5)
        for S in combinations(range(4), k)
        if all(
            (max(x[list(S)], default=0) > 0) == (label > 0) for x, label in zip(X, y, strict=True)
        )
    ]
    found = small_disjunction(read_rows(X, y), 4)
    assert (found is None) == (not fitting)
    if found is not None:
        assert tuple(found.tolist()) in fitting
        assert len(found) == len(fitting[0])


def test_one_wrong_label_does_not_hide_the_disjunction() -> None:
    rng = np.random.default_rng(5)
    X = (rng.random((300, 30)) < 0.2).astype(float)
    y = np.where(X[:, 3] + X[:, 7] > 0, 1, -1)
    y[100] = -y[100]
    assert forgiving_disjunction(read_rows(X, y), 30, 3.0).tolist() == [3, 7]
    certificate = run(th.Winnow(30), X, y)
    assert certificate.theorem == "WinnowAttributeErrors"
    assert certificate.witness is not None
    assert certificate.witness.errors == 1
    assert certificate.regret == certificate.mistakes - 1


def test_thresholds_of_real_features_have_a_fractional_cover() -> None:
    rng = np.random.default_rng(6)
    X = np.round(rng.random((200, 5)) * 16) / 16
    X = X[np.abs(X[:, 0] + X[:, 1] - 0.8) > 0.35]
    y = np.where(X[:, 0] + X[:, 1] > 0.8, 1, -1)
    certificate = run(th.Winnow(5, beta=Fraction(1, 4)), X, y)
    assert certificate.theorem == "WinnowComparator"
    assert certificate.allowed is not None
    assert certificate.mistakes <= certificate.allowed < len(y)


def test_losses_are_summed_over_all_rounds_so_that_no_comparator_can_hide() -> None:
    """On labels that are pure chance the bound must be near the number of rounds."""
    rng = np.random.default_rng(7)
    X, y = rng.integers(-3, 4, (300, 4)), rng.choice([-1, 1], 300)
    assert run(th.Perceptron(4), X, y).kind == "count"
    # Where half of the labels follow a rule, the other half is paid for in full.
    y = np.where(rng.random(300) < 0.5, np.where(X[:, 0] > X[:, 1], 1, -1), y)
    certificate = run(th.Perceptron(4), X, y)
    assert certificate.theorem in ("PerceptronHinge", "PerceptronSquaredHinge")
    assert certificate.allowed is not None
    assert certificate.witness is not None
    assert certificate.witness.errors is not None
    assert certificate.mistakes + 20 < certificate.allowed < 300
    assert certificate.regret == certificate.mistakes - certificate.witness.errors


def test_attribute_errors_are_counted_as_the_theorem_counts_them() -> None:
    """1 for a positive row without a feature of the set, k for a negative one with k of them."""
    stream = read_rows([[1, 1, 0], [0, 0, 1], [1, 0, 1], [0, 0, 0], [1, 1, 1]], [-1, 1, 1, -1, -1])
    assert attribute_errors(stream, Comparator((0, 1), (1, 1))) == 2 + 1 + 0 + 0 + 2
    assert attribute_errors(stream, Comparator((), ())) == 2


def test_a_bound_above_the_rounds_is_called_what_it_is() -> None:
    X, y = [[9, 1], [9, -1], [9, 1]], [-1, 1, -1]
    certificate = run(th.Perceptron(2), X, y)
    assert certificate.exceeds_rounds
    assert "a mistake in every round" in str(th.verify(certificate, X, y))


def test_a_witness_may_be_brought_along() -> None:
    X, y = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]] * 4), [1, -1, 1] * 4
    given = run(th.Perceptron(3, bias=True), X, y, witness=[2, -1, 0, -0.5])
    assert given.witness is not None
    assert given.witness.comparator == Comparator((0, 1), (4, -2), -1, 2)
    assert given.bounds[-1].quantities["margin"] == Fraction(1, 2)
    by_column = run(th.Perceptron(3), X, y, witness={0: 2, 1: -1})
    assert by_column.bounds[-1].quantities["margin"] == 1
    irrational = run(th.Perceptron(3), X, y, witness=[np.sqrt(2), -1 / 3, 0.0])
    assert irrational.kind == "hindsight"
    useless = run(th.Perceptron(3), X, y, witness=[-1, 0, 0])
    assert useless.kind == "count"
    with pytest.raises(NotCertifiableError, match="finite weights"):
        run(th.Perceptron(3), X, y, witness=[[1, 2]])


def test_a_declared_witness_is_enough_for_the_journal() -> None:
    X, y = np.array([[1, 0], [0, 1]] * 4), [1, -1] * 4
    learner = th.Perceptron(2)
    learner.learn(X, y)
    certificate = th.certify(learner, witness=[1, -1])
    assert certificate.scope == "mistake rounds"
    assert th.verify(certificate, journal=learner.journal).holds


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=5), st.sampled_from([4, 100, 2**16]))
def test_rounding_keeps_the_direction(weights: list[float], scale: int) -> None:
    u = np.array(weights)
    short = rounded(u, np.arange(len(u)), False, scale)
    largest = float(np.max(np.abs(u)))
    assert max(map(abs, short.numerators), default=0) == (scale if largest else 0)
    if largest:
        dense = short.dense(len(u)) * largest / scale
        assert np.max(np.abs(dense - u)) <= 0.51 * largest / scale


def test_a_witness_is_measured_on_rows_the_solver_never_saw() -> None:
    """A row that only the exact check can see decides the margin."""
    X, y = [[1.0, 0.0], [0.0, 1.0], [1.0, 1e-9]], [1, 1, 1]
    margins = Margins(read_rows(X, y), Comparator((0, 1), (1, 1)))
    assert margins.smallest() == 1
    assert margins.at(2) == 1 + Fraction(1e-9)


def test_mistakes_in_rows_without_features_need_no_margin_and_are_certified() -> None:
    X, y = [[0, 0], [0, 0], [1, 0], [0, 0]], [-1, 1, 1, -1]
    learner = th.SignedWinnow(2, eta=Fraction(1, 8))
    learner.learn(X, y)
    assert learner.mistakes == 2
    assert th.verify(th.certify(learner, X, y, delta=None), X, y).holds


def test_margins_whose_squares_are_no_doubles_are_certified() -> None:
    X, y = [[1e-99, 0.0], [0.0, 2.5]], [1, -1]
    learner = th.Perceptron(2)
    learner.learn(X, y)
    assert th.verify(th.certify(learner, X, y, delta=None), X, y).holds

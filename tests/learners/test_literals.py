"""Literals: a variable or its negation, each a feature of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher import theory
from thresher.errors import (
    DimensionError,
    FeatureRangeError,
    ParameterError,
    ThresherError,
)

N = 3
bits = st.lists(st.sampled_from([0, 1]), min_size=N, max_size=N)
streams = st.lists(st.tuples(bits, st.sampled_from([-1, 1])), max_size=15)


@pytest.mark.parametrize("make", [th.Elimination, th.Conjunction])
@given(streams)
def test_literals_are_variables_and_their_complements_side_by_side(
    make: Any, stream: list[tuple[list[int], int]]
) -> None:
    rows, labels = [row for row, _ in stream], [label for _, label in stream]
    literal, doubled = make(N, literals=True), make(2 * N)
    found = literal.learn(rows, labels)
    expected = doubled.learn([row + [1 - bit for bit in row] for row in rows], labels)
    assert found.scores.tolist() == expected.scores.tolist()
    assert literal.dual.tolist() == doubled.dual.tolist()
    names = [f"x{i}" for i in range(N)] + [f"not x{i}" for i in range(N)]
    alive = [name for name, z in zip(names, doubled.dual.tolist(), strict=True) if z == 0.0]
    assert list(literal.hypothesis) == alive


@given(streams)
def test_winnow_over_literals_is_winnow_over_variables_and_complements(
    stream: list[tuple[list[int], int]],
) -> None:
    rows, labels = [row for row, _ in stream], [label for _, label in stream]
    importance = [0.5 + t % 3 for t in range(len(rows))]
    literal, doubled = th.Winnow(N, literals=True), th.Winnow(2 * N)
    assert literal.threshold == 2 * N == doubled.threshold
    found = literal.learn(rows, labels, importance=importance)
    expected = doubled.learn(
        [row + [1 - bit for bit in row] for row in rows], labels, importance=importance
    )
    assert found.scores.tolist() == expected.scores.tolist()
    assert literal.weights.tolist() == doubled.weights.tolist()
    assert literal.n_variables == N


@pytest.mark.parametrize("chosen", [{"eta": 0.3}, {"margin": 0.5}, {}])
def test_normalised_winnow_over_literals_predicts_as_signed_winnow(chosen: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.choice([-1.0, 0.0, 0.5, 1.0], (300, 4))
    y = np.where(X @ [1, -2, 0, 0.3] + rng.normal(size=300) > 0, 1, -1)
    literal = th.NormalizedWinnow(4, literals=True, **chosen)
    signed, doubled = th.SignedWinnow(4, **chosen), th.NormalizedWinnow(8, **chosen)
    scores = literal.learn(X, y).scores
    assert scores.tolist() == doubled.learn(np.hstack((X, -X)), y).scores.tolist()
    assert literal.phase == doubled.phase
    if chosen:  # Guesses last longer with twice the features.
        assert np.allclose(scores, signed.learn(X, y).scores, atol=1e-9)
        assert literal.mistakes == signed.mistakes
    assert literal.weights.sum() == pytest.approx(1.0)
    form = literal.linear_form()
    # An expert and the opposite one weigh against each other.
    assert (form.weights / form.divisor) == pytest.approx(literal.weights[:4] - literal.weights[4:])


def test_winnow_learns_a_disjunction_with_negations_within_its_bound() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (2000, 20))
    y = np.where(X[:, 0] | (1 - X[:, 7]), 1, -1)
    learner = th.Winnow(20, literals=True)
    learner.learn(X, y)
    allowed = theory.WinnowDisjunction(n_features=40, relevant=2).max_mistakes()
    assert 0 < learner.mistakes <= allowed
    assert learner.learn(X, y).mistakes == 0
    # Over the variables alone no set of them is the target.
    plain = th.Winnow(20)
    assert min(plain.learn(X, y).mistakes for _ in range(5)) > allowed


def test_no_audit_is_made_of_winnow_over_literals() -> None:
    for learner in (th.Winnow(3, literals=True), th.NormalizedWinnow(3, eta=0.1, literals=True)):
        assert learner.variations == ("literals=True",)
        learner.learn([[1, 0, 1], [0, 1, 1]], [-1, 1])
        with pytest.raises(ThresherError):
            learner.audit()


def test_what_has_no_place_over_literals_is_refused() -> None:
    with pytest.raises(ParameterError, match="scaling"):
        th.Winnow(3, literals=True, scaling="max")
    with pytest.raises(ParameterError, match="scaling"):
        th.NormalizedWinnow(3, literals=True, scaling="l2")
    with pytest.raises(FeatureRangeError):
        th.Winnow(3, literals=True).learn([[0.5, 0, 0]], [1])
    one = th.NormalizedWinnow(3, literals=True, eta=0.5)
    with pytest.raises(FeatureRangeError, match="row 1, feature 2"):
        one.learn([[1, 0, 0], [0, 0, 1.5]], [-1, 1])
    assert one.n_rounds == 0
    with pytest.raises(DimensionError):
        one.learn([{3: 1.0}], [1])


def test_negations_are_learned() -> None:
    learner = th.Elimination(2, literals=True)
    rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    for _ in range(2):
        learner.learn(rows, [1, -1, 1, 1])
    assert learner.hypothesis == ("x0", "not x1")
    assert learner.formula == ("or", ((0, True), (1, False)))
    assert learner.predict(rows).tolist() == [1, -1, 1, 1]
    assert learner.mistakes == 1


def test_a_formula_has_the_word_of_its_learner_and_others_have_none() -> None:
    assert th.Conjunction(2).formula == ("and", ((0, True), (1, True)))
    assert th.Elimination(2).formula.word == "or"
    assert th.Winnow(2).formula is None


@pytest.mark.parametrize("make", [th.Elimination, th.Conjunction])
@pytest.mark.parametrize("literals", [True, False])
def test_a_journal_of_literals_can_be_played_again_over_variables(
    make: Any, literals: bool
) -> None:
    learner = make(N, literals=literals)
    learner.learn([[1, 1, 0], [0, 1, 0], [0, 0, 0], [0, 1, 1]], [1, -1, 1, -1])
    again = learner.started_anew()
    again.learn(learner.journal_as_given)
    assert again.dual.tolist() == learner.dual.tolist()
    assert len(learner.journal) > 1

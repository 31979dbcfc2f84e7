"""Literals: a variable or its negation, each a feature of its own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th

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

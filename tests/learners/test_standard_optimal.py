"""The standard optimal algorithm makes as many mistakes as it must, and never more."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import finite_classes as slow
from thresher.concepts import (
    Conjunctions,
    Disjunctions,
    TruthTable,
    littlestone_dimension,
    mistake_tree,
    singletons,
    thresholds,
)
from thresher.errors import ParameterError, SearchBudgetError
from thresher.learners.finite.halving import Halving
from thresher.learners.finite.standard_optimal import StandardOptimal

Bits = tuple[int, ...]
FUNCTIONS: list[Bits] = list(np.ndindex(2, 2, 2))
CLASSES = [chosen for size in range(1, 9) for chosen in combinations(FUNCTIONS, size)]


def on_a_line(functions: tuple[Bits, ...]) -> TruthTable:
    return TruthTable(functions, points=np.eye(len(functions[0])))


def most_mistakes(fresh: Halving | StandardOptimal, functions: tuple[Bits, ...]) -> int:
    """Over every order of the points (repeating one changes nothing) and every target."""
    n = len(functions[0])
    return max(
        fresh.copy().learn(np.eye(n)[list(order)], [function[p] for p in order]).mistakes
        for order in permutations(range(n))
        for function in functions
    )


def test_it_makes_exactly_as_many_mistakes_as_the_dimension_on_every_class_on_three_points() -> (
    None
):
    for functions in CLASSES:
        concepts = on_a_line(functions)
        worst = most_mistakes(StandardOptimal(concepts), functions)
        assert worst == littlestone_dimension(concepts), functions
        assert worst <= most_mistakes(Halving(concepts), functions), functions


def test_it_can_be_better_than_halving() -> None:
    rows = "1000 0010 1110 1001 1101 1011 0111 1111"
    functions = tuple(tuple(map(int, row)) for row in rows.split())
    concepts = on_a_line(functions)
    assert most_mistakes(Halving(concepts), functions) == 3
    assert most_mistakes(StandardOptimal(concepts), functions) == 2


@given(
    st.lists(st.tuples(*[st.booleans()] * 4), min_size=1, max_size=9, unique=True),
    st.lists(st.tuples(st.integers(0, 3), st.sampled_from([-1, 1])), max_size=8),
)
def test_it_equals_its_slow_twin(
    functions: list[tuple[bool, ...]], stream: list[tuple[int, int]]
) -> None:
    learner = StandardOptimal(TruthTable(functions, points=np.eye(4)))
    rounds = learner.learn([{p: 1.0} for p, _ in stream], [y for _, y in stream])
    assert rounds.scores.tolist() == slow.standard_optimal(frozenset(functions), stream)


@pytest.mark.parametrize(
    "concepts", [Disjunctions(4), Conjunctions(3, negations=True), thresholds(15)], ids=repr
)
def test_some_path_of_the_mistake_tree_forces_the_dimension(concepts: Disjunctions) -> None:
    dimension = littlestone_dimension(concepts)
    learner, node = StandardOptimal(concepts), mistake_tree(concepts)
    while node.positive is not None and node.negative is not None:
        x = dict.fromkeys(node.point, 1.0)
        wrong = -learner.predict_one(x)
        learner.learn_one(x, wrong)
        node = node.positive if wrong == 1 else node.negative
    assert learner.mistakes == dimension
    assert node.concept in {concept.name for concept in learner.consistent()}
    assert (learner.realisable, learner.dimension) == (True, 0)


def test_every_mistake_lowers_the_dimension() -> None:
    rng = np.random.default_rng(7)
    for _ in range(30):
        table = rng.integers(0, 2, (20, 8))
        learner = StandardOptimal(TruthTable(table, points=np.eye(8)))
        target = table[rng.integers(20)]
        for p in rng.permutation(8).tolist():
            before, mistakes = learner.dimension, learner.mistakes
            learner.learn_one({p: 1.0}, 2 * int(target[p]) - 1)
            assert learner.dimension <= before - (learner.mistakes - mistakes)


def test_a_tie_predicts_plus_one_and_an_empty_side_counts_minus_one() -> None:
    learner = StandardOptimal([[0, 1], [1, 1]])
    assert learner.scores([{}, {0: 1}]).tolist() == [0.0, 2.0]
    assert learner.predict([{}, {0: 1}]).tolist() == [1, 1]


def test_a_search_beyond_the_budget_leaves_the_learner_alone() -> None:
    learner = StandardOptimal(thresholds(40), budget=1)
    before = learner.copy()
    with pytest.raises(SearchBudgetError):
        learner.learn([{20: 1}, {1: 1}], [1, -1])
    assert learner == before
    assert learner.n_rounds == 0


def test_the_repr_shows_what_was_asked_for() -> None:
    assert (
        repr(StandardOptimal(singletons(3)))
        == "StandardOptimal(TruthTable(3 concepts on 3 points))"
    )
    learner = StandardOptimal([any, all], 2, budget=9, journal_bytes=10)
    assert repr(learner) == (
        "StandardOptimal(TruthTable(2 concepts on 4 points), budget=9, journal_bytes=10)"
    )
    with pytest.raises(ParameterError, match="budget must be"):
        StandardOptimal(singletons(3), budget=0)

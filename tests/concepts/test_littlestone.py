"""The Littlestone dimension is the value of the game, and the mistake tree proves it."""

from __future__ import annotations

import dataclasses
import pickle
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import finite_classes as slow
from thresher.concepts import (
    ConceptClass,
    Conjunctions,
    CountingThresholds,
    DecisionLists,
    Disjunctions,
    MistakeTree,
    TruthTable,
    all_functions,
    littlestone_dimension,
    mistake_tree,
    singletons,
    thresholds,
)
from thresher.concepts.littlestone import SubclassDimensions
from thresher.errors import ClassTooLargeError, SearchBudgetError, TableTooLargeError

ALL_ON_THREE_POINTS = [tuple(row) for row in np.ndindex(2, 2, 2)]
CLASSES_ON_THREE_POINTS = [
    chosen for size in range(1, 9) for chosen in combinations(ALL_ON_THREE_POINTS, size)
]


def on_a_line(functions: object) -> TruthTable:
    table = np.array(functions)
    return TruthTable(table, points=np.eye(table.shape[1]))


def shattered(tree: MistakeTree, concepts: ConceptClass) -> bool:
    """Whether all paths have the same length, and the concept at the end of each walked it."""
    named = {concept.name: concept for concept in concepts}
    paths = list(tree.paths())
    walked = all(
        named[name]([int(i in point) for i in range(concepts.n_variables)]) == (label == 1)
        for rounds, name in paths
        for point, label in rounds
    )
    alike = {len(rounds) for rounds, _ in paths} == {tree.depth} and len(paths) == 2**tree.depth
    return walked and alike


def test_the_dimension_is_the_value_of_the_game_for_every_class_on_three_points() -> None:
    assert len(CLASSES_ON_THREE_POINTS) == 255
    for functions in CLASSES_ON_THREE_POINTS:
        value = slow.game_value(frozenset(tuple(map(bool, f)) for f in functions))
        assert littlestone_dimension(on_a_line(functions)) == value, functions


@settings(deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=14))
def test_the_dimension_is_the_value_of_the_game_on_five_points(functions: list[list[bool]]) -> None:
    concepts = on_a_line(functions)
    value = slow.game_value(frozenset(map(tuple, functions)))
    assert littlestone_dimension(concepts) == value
    tree = mistake_tree(concepts)
    assert tree.depth == value
    assert shattered(tree, concepts)


@pytest.mark.parametrize(
    ("concepts", "dimension"),
    [
        (singletons(1), 0),
        *((singletons(n), 1) for n in (2, 3, 64)),
        *((all_functions(n), n) for n in (1, 2, 5, 10)),
        *((thresholds(n), (n + 1).bit_length() - 1) for n in (1, 2, 3, 6, 7, 8, 62, 63, 64, 200)),
        *((Disjunctions(n), n) for n in (1, 2, 5, 8)),
        *((Conjunctions(n), n) for n in (1, 2, 5, 8)),
        # CE16: the bound floor(log2 8) = 3 is reached by 1-disjunctions of 4 signed variables.
        (Disjunctions(4, k=1, negations=True), 3),
        (Disjunctions(4, k=1), 2),
        (Disjunctions(3, k=0), 0),
    ],
    ids=repr,
)
def test_the_dimension_of_a_textbook_class(concepts: ConceptClass, dimension: int) -> None:
    assert littlestone_dimension(concepts) == dimension


@pytest.mark.parametrize(
    "concepts",
    [
        Disjunctions(3, negations=True),
        Disjunctions(5, k=2),
        CountingThresholds(4, r=3),
        DecisionLists(2),
        DecisionLists(3),
    ],
    ids=repr,
)
def test_a_mistake_tree_is_shattered_and_as_deep_as_the_dimension(concepts: ConceptClass) -> None:
    tree = mistake_tree(concepts)
    assert shattered(tree, concepts)
    assert tree.depth == littlestone_dimension(concepts) <= concepts.size.bit_length() - 1


def test_a_doctored_mistake_tree_is_noticed() -> None:
    concepts = Disjunctions(2)
    tree = mistake_tree(concepts)
    assert shattered(tree, concepts)
    swapped = dataclasses.replace(tree, positive=tree.negative, negative=tree.positive)
    assert not shattered(swapped, concepts)
    lopsided = dataclasses.replace(tree, positive=MistakeTree((), concept="x0"))
    assert not shattered(lopsided, concepts)
    elsewhere = dataclasses.replace(tree, point=(1,))
    assert not shattered(elsewhere, concepts)


def test_the_tree_of_a_single_concept_is_a_leaf() -> None:
    tree = mistake_tree(Disjunctions(2, k=2))
    assert (str(tree), tree.depth) == ("x0 or x1", 0)


def test_the_order_and_the_sign_of_points_do_not_matter() -> None:
    rng = np.random.default_rng(3)
    table = rng.integers(0, 2, (24, 7))
    dimension = littlestone_dimension(on_a_line(table))
    assert littlestone_dimension(on_a_line(table[:, ::-1])) == dimension
    assert littlestone_dimension(on_a_line(table[::-1])) == dimension
    assert littlestone_dimension(on_a_line(1 - table)) == dimension
    flipped = table ^ rng.integers(0, 2, 7)
    assert littlestone_dimension(on_a_line(flipped)) == dimension


def test_dimensions_of_subclasses_do_not_depend_on_what_was_asked_before() -> None:
    table = np.random.default_rng(5).integers(0, 2, (36, 7))
    warm = SubclassDimensions(on_a_line(table))
    rows = warm.table.table()
    assert warm.dimension(warm.everything) == slow.game_value(frozenset(map(tuple, rows.tolist())))
    for first, second in combinations(range(7), 2):
        for labels in np.ndindex(2, 2):
            members = np.flatnonzero((rows[:, [first, second]] == labels).all(axis=1))
            left = frozenset(map(tuple, rows[members].tolist()))
            assert warm.dimension(warm.mask(members)) == (slow.game_value(left) if left else -1)
    assert warm.dimension(0) == -1


def test_a_pickle_of_the_dimensions_finds_them_again() -> None:
    dimensions = SubclassDimensions(thresholds(9), budget=1234)
    restored = pickle.loads(pickle.dumps(dimensions))
    assert (restored.table, restored.budget) == (dimensions.table, 1234)
    assert restored.dimension(restored.everything) == 3


def test_a_class_too_large_for_an_exact_search_is_refused() -> None:
    with pytest.raises(ClassTooLargeError, match="has 8192 concepts, more than the limit of 4096"):
        littlestone_dimension(Disjunctions(13))
    with pytest.raises(TableTooLargeError, match="40 x 1099511627776 cells"):
        littlestone_dimension(Disjunctions(40, k=1))


def test_a_search_beyond_its_budget_says_what_it_knows() -> None:
    with pytest.raises(SearchBudgetError, match="at least 2 and at most 3") as stopped:
        littlestone_dimension(thresholds(12), budget=1)
    assert "budget=" in str(stopped.value)
    assert littlestone_dimension(thresholds(12), budget=10_000) == 3

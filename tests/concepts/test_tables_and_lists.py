"""Classes given by the caller: truth tables and lists of functions."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from thresher.concepts import (
    Disjunctions,
    ListedConcepts,
    TruthTable,
    all_functions,
    as_concept_class,
    singletons,
    thresholds,
)
from thresher.errors import ConceptError, TableTooLargeError, UnknownPointError


def on(*indices: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(indices, np.int32)


def test_column_p_of_a_table_is_the_row_with_the_bits_of_p() -> None:
    table = TruthTable(np.eye(8, dtype=int))
    assert table.n_variables == 3
    for p in range(8):
        row = [p >> i & 1 for i in range(3)]
        assert [concept(row) for concept in table] == [f == p for f in range(8)]
        assert table.point(p) == [i for i in range(3) if row[i]]


def test_a_table_speaks_about_the_points_it_was_given() -> None:
    table = TruthTable([[1, -1], [0, 1]], points=[[1, 1, 0], [0, 0, 0]], names=["a", "b"])
    assert table.votes(table.codes(), on(0, 1)).tolist() == [True, False]
    assert table.votes(table.codes(), on()).tolist() == [False, True]
    assert [table.point(0), table.point(1)] == [[0, 1], []]
    with pytest.raises(UnknownPointError, match=r"features equal to 1 are \[2\]"):
        table.votes(table.codes(), on(2))


def test_equal_rows_of_a_table_are_one_concept_with_the_first_name() -> None:
    table = TruthTable([[0, 1], [1, 1], [0, 1], [0, 0]], names=["b", "a", "b again", "c"])
    assert [concept.name for concept in table] == ["b", "a", "c"]
    assert table.table().tolist() == [[False, True], [True, True], [False, False]]


def test_a_part_of_a_table_can_be_asked() -> None:
    table = TruthTable(np.eye(16, dtype=bool))
    codes = table.codes()[:, [3, 5, 11]]
    assert table.votes(codes, on(0, 2)).tolist() == [False, True, False]


def test_a_table_of_a_class_agrees_with_the_class() -> None:
    concepts = Disjunctions(4, negations=True)
    table = TruthTable.of(concepts)
    assert [concept.name for concept in table] == [concept.name for concept in concepts]
    for row in np.ndindex(2, 2, 2, 2):
        assert [concept(row) for concept in table] == [concept(row) for concept in concepts]
    assert TruthTable.of(table) is table


def test_functions_that_agree_on_the_points_become_one() -> None:
    assert TruthTable.of(Disjunctions(3), points=[[1, 0, 0], [0, 1, 1]]).size == 4
    assert TruthTable.of(TruthTable([[0, 1], [1, 1]]), points=[[1]]).size == 1


def test_a_table_too_large_to_hold_is_refused_with_its_sizes() -> None:
    with pytest.raises(TableTooLargeError, match=r"would have 60 x 1152921504606846976 cells"):
        TruthTable.of(Disjunctions(60, k=1))
    with pytest.raises(TableTooLargeError, match=r"60 x at least 2\^100 cells|100 x at least"):
        TruthTable.of(Disjunctions(100, k=1))
    assert TruthTable.of(Disjunctions(60, k=1), points=np.eye(60)).size == 60


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 1, 1]],), "a table of 3 columns does not list all rows"),
        (([[0]],), "a table of 1 columns"),
        (([0, 1],), r"table must be a matrix .* found the shape \(2,\)"),
        (([[]],), "at least one row and one column"),
        (([[0, 1], [1, 2]],), r"table\[1\]\[1\] is .*2.*, but must be 0 or 1 \(or -1 for 0\)"),
        (([[0, 1]], [[0, 1], [0, -1]]), r"points\[1\]\[1\] is .*-1.*, but must be 0 or 1"),
        (([[0, 1]], [[0, 1]]), "found 1 points for a table of 2 columns"),
        (([[0, 1]], [[0, 1], [0, 1]]), "points 0 and 1 are the same row"),
        (([[0, 1]], None, ["a", "b"]), "found 2 names for 1 concepts"),
    ],
)
def test_an_unsound_table_is_refused(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ConceptError, match=message):
        TruthTable(*arguments)  # type: ignore[arg-type]


def test_tables_are_equal_when_points_bits_and_names_are() -> None:
    base = TruthTable([[0, 1], [1, 0]])
    assert base == TruthTable([[False, True], [True, False]])
    assert base == pickle.loads(pickle.dumps(base))
    assert hash(base) == hash(TruthTable([[0, 1], [1, 0]]))
    assert base != TruthTable([[1, 0], [0, 1]])
    assert base != TruthTable([[0, 1], [1, 0]], names=["a", "b"])
    assert base != TruthTable([[0, 1], [1, 0]], points=[[0], [1]])
    assert base != "a table"


def test_listed_functions_are_called_with_a_tuple_of_zeros_and_ones() -> None:
    seen = []

    def spy(x: tuple[int, ...]) -> int:
        seen.append(x)
        return -1

    concepts = ListedConcepts([spy], n_variables=4)
    assert concepts.votes(concepts.codes(), on(1, 3)).tolist() == [False]
    assert seen == [(0, 1, 0, 1)]
    assert type(seen[0][0]) is int


@pytest.mark.parametrize(
    ("answer", "means"),
    [(True, True), (1, True), (1.0, True), (False, False), (0, False), (-1, False),
     (np.bool_(True), True), (np.int8(-1), False)],
)  # fmt: skip
def test_an_answer_of_a_function_means_a_label(answer: object, means: bool) -> None:
    concepts = ListedConcepts([lambda x: answer], n_variables=1)
    assert concepts.votes(concepts.codes(), on()).tolist() == [means]


@pytest.mark.parametrize("answer", [2, None, "yes", 0.5, np.array([1, 0])])
def test_any_other_answer_is_refused(answer: object) -> None:
    concepts = ListedConcepts([lambda x: answer], n_variables=2)
    with pytest.raises(ConceptError, match=r"concept 'concept 0' answered .* for the row \(1, 0\)"):
        concepts.votes(concepts.codes(), on(0))


def test_listed_functions_are_counted_as_listed_and_merged_by_a_table() -> None:
    twice = ListedConcepts([any, max, all], n_variables=2)
    assert twice.size == 3
    assert [concept.name for concept in TruthTable.of(twice)] == ["any", "all"]


def test_a_function_may_bring_its_name() -> None:
    class Named:
        name = "my rule"

        def __call__(self, x: tuple[int, ...]) -> bool:
            return True

    assert next(iter(ListedConcepts([Named()], 1))).name == "my rule"


def test_the_door_takes_classes_tables_and_functions() -> None:
    assert as_concept_class(Disjunctions(3)) == Disjunctions(3)
    assert as_concept_class(np.array([[0, 1]])) == TruthTable([[0, 1]])
    assert as_concept_class([[0, 1]]) == TruthTable([[0, 1]])
    assert as_concept_class((any, all), 2) == ListedConcepts([any, all], 2)
    assert ListedConcepts([any, all], 2) != ListedConcepts([any, all], 3)
    assert hash(ListedConcepts([any], 2)) == hash(ListedConcepts([any], 2))
    assert ListedConcepts([any], 2) != "any"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([any, all],), "pass n_variables="),
        (([any, 3], 2), "concept 1 must be callable .* found 3"),
        ((Disjunctions(3), 4), "n_variables=4 was asked for, but .* has 3"),
    ],
)
def test_the_door_refuses_the_rest(arguments: tuple[object, ...], message: str) -> None:
    with pytest.raises(ConceptError, match=message):
        as_concept_class(*arguments)  # type: ignore[arg-type]
    with pytest.raises(ConceptError, match="the list of concepts is empty"):
        ListedConcepts([], 2)


def test_the_classes_on_a_line_are_what_they_say() -> None:
    assert singletons(3).table().astype(int).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert thresholds(2).table().astype(int).tolist() == [[1, 1], [0, 1], [0, 0]]
    assert sorted(all_functions(3).table().tolist()) == sorted(map(list, np.ndindex(2, 2, 2)))
    assert thresholds(4).point(2) == [2]

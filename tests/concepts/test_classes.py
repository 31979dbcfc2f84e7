"""Every class holds each of its functions once, and knows how many without looking."""

from __future__ import annotations

from itertools import islice
from math import comb

import numpy as np
import pytest

from tests.reference import finite_classes as slow
from thresher.concepts import (
    ConceptClass,
    Conjunctions,
    CountingThresholds,
    DecisionLists,
    Disjunctions,
)
from thresher.errors import ClassTooLargeError, ParameterError

SMALL = [1, 2, 3, 4]
LITERALS = [(n, k, s) for n in SMALL for k in [None, *range(n + 1)] for s in (False, True)]

CASES: list[tuple[ConceptClass, set[slow.Function]]] = [
    *((Disjunctions(n, k, s), slow.disjunctions(n, k, s)) for n, k, s in LITERALS),
    *((Conjunctions(n, k, s), slow.conjunctions(n, k, s)) for n, k, s in LITERALS),
    *(
        (CountingThresholds(n, r, j), slow.counting_thresholds(n, r, j))
        for n in SMALL
        for r in range(1, n + 1)
        for j in [None, *range(1, r + 1)]
    ),
    *(
        (DecisionLists(n, k), slow.decision_lists(n, k))
        for n in SMALL
        for k in [None, *range(n + 1)]
    ),
]


def named(parameter: object) -> str:
    return repr(parameter) if isinstance(parameter, ConceptClass) else ""


every_class = pytest.mark.parametrize(("concepts", "functions"), CASES, ids=named)


def answers(concepts: ConceptClass) -> list[slow.Function]:
    """What each concept says on every row, by votes of the whole class."""
    codes = concepts.codes()
    rows = slow.rows_of(concepts.n_variables)
    votes = [concepts.votes(codes, np.flatnonzero(row).astype(np.int32)) for row in rows]
    return [tuple(each) for each in np.array(votes).T.tolist()]


@every_class
def test_a_class_is_the_set_of_its_functions_each_once(
    concepts: ConceptClass, functions: set[slow.Function]
) -> None:
    enumerated = answers(concepts)
    assert set(enumerated) == functions
    assert len(enumerated) == len(functions) == concepts.size == len(concepts)


@every_class
def test_iteration_names_different_concepts_in_the_order_of_the_codes(
    concepts: ConceptClass, functions: set[slow.Function]
) -> None:
    listed = list(concepts)
    codes = [tuple(code) for code in concepts.codes().T.tolist()]
    assert [concept.code for concept in listed] == codes
    assert len({concept.name for concept in listed}) == len(functions)
    few = slice(None, None, max(1, len(listed) // 20))
    for concept, expected in list(zip(listed, answers(concepts), strict=True))[few]:
        assert slow.tabulated(concepts.n_variables, concept) == expected


def evaluated(name: str, row: slow.Row) -> bool:
    """What a name means, read by Python itself."""
    if name in ("never", "always"):
        return name == "always"
    x = {f"x{i}": bool(value) for i, value in enumerate(row)}
    if name.startswith("at least"):
        least, variables = name.removeprefix("at least ").split(" of ")
        return sum(x[variable] for variable in variables.split(", ")) >= int(least)
    for clause in name.split(", else "):
        condition, then, label = clause.removeprefix("if ").partition(" then ")
        if clause in "+-":
            return clause == "+"
        if eval(condition, {}, x):
            return label == "+" if then else True
    return False


@every_class
def test_a_name_says_what_the_concept_does(
    concepts: ConceptClass, functions: set[slow.Function]
) -> None:
    n = concepts.n_variables
    for concept, expected in zip(concepts, answers(concepts), strict=True):
        said = tuple(evaluated(concept.name, row) for row in slow.rows_of(n))
        assert said == expected, concept.name


def test_sizes_far_beyond_enumeration_are_exact() -> None:
    assert Disjunctions(100).size == 2**100
    assert Conjunctions(100, negations=True).size == 3**100
    assert Disjunctions(1000, k=20, negations=True).size == comb(1000, 20) * 2**20
    assert CountingThresholds(500, r=100).size == comb(500, 100) * 100


def test_as_many_decision_lists_depend_on_all_variables_as_published() -> None:
    """OEIS A005612, unate cascades: Boolean functions that are 1-decision lists of n variables."""
    published = [2, 8, 64, 736, 10624, 183936, 3715072, 85755392, 2226939904, 64255903744]
    depending = [DecisionLists(n).size - DecisionLists(n, k=n - 1).size for n in range(1, 11)]
    assert depending == published


def test_a_numpy_integer_does_not_overflow_the_count() -> None:
    assert Disjunctions(np.int64(100)).size == 2**100  # type: ignore[arg-type]
    assert Disjunctions(np.int64(4)) == Disjunctions(4)  # type: ignore[arg-type]


def test_a_huge_class_is_iterated_lazily_and_its_concepts_can_be_asked() -> None:
    concepts = Disjunctions(100)
    sixth = next(islice(concepts, 5, None))
    assert sixth.name == "x0 or x2"
    assert sixth([1] + [0] * 99)
    assert not sixth([0, 1, 0] + [1] * 97)
    signed = next(islice(DecisionLists(200), 2, None))
    assert (signed.name, signed([1] + [0] * 199)) == ("if x0 then +, else -", True)


def test_a_class_above_the_limit_is_refused_with_its_size() -> None:
    with pytest.raises(ClassTooLargeError, match=r"has 1024 concepts, more than the limit of 1023"):
        Disjunctions(10).codes(limit=1023)
    assert Disjunctions(10).codes(limit=1024).shape == (1, 1024)
    with pytest.raises(ClassTooLargeError, match=r"at least 2\^20000 concepts"):
        Disjunctions(20000).codes()
    with pytest.raises(ClassTooLargeError, match=r"\.size can"):
        len(Disjunctions(64))
    assert Disjunctions(64)


def test_codes_take_few_bytes() -> None:
    assert Disjunctions(8).codes().dtype == np.uint8
    assert Disjunctions(20).codes().nbytes == 4 * 2**20
    assert Disjunctions(200, k=2).codes().nbytes == 2 * comb(200, 2)
    assert Disjunctions(70_000, k=1).codes().nbytes == 4 * 70_000


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Disjunctions(0), "Disjunctions: n_variables must be a whole number, at least 1"),
        (lambda: Conjunctions(3, k=4), "Conjunctions: k must be .* at most 3, found 4"),
        (lambda: Disjunctions(2.0), "found 2.0"),  # type: ignore[arg-type]
        (lambda: Disjunctions(True), "found True"),
        (lambda: CountingThresholds(3, r=0), "r must be a whole number, at least 1"),
        (lambda: CountingThresholds(3, r=2, at_least=3), "at_least must be .* at most 2"),
        (lambda: DecisionLists(3, k=-1), "DecisionLists: k must be"),
        (lambda: DecisionLists(-3), "DecisionLists: n_variables must be"),
    ],
)
def test_impossible_parameters_are_refused(make, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(ParameterError, match=message):
        make()


@pytest.mark.parametrize("x", [[0, 1], [0, 1, 2], [0, 1, 0, 0], [0.5, 0, 0]])
def test_a_concept_refuses_what_is_not_a_row(x: list[int]) -> None:
    with pytest.raises(ParameterError, match="a sequence of 3 values, each 0 or 1"):
        next(iter(Disjunctions(3)))(x)


def test_classes_are_equal_when_their_parameters_are() -> None:
    assert Disjunctions(3, k=2) == Disjunctions(3, k=2)
    other: ConceptClass = Conjunctions(3, k=2)
    assert Disjunctions(3, k=2) != other
    assert Disjunctions(3) != Disjunctions(3, negations=True)
    assert hash(DecisionLists(4)) == hash(DecisionLists(4))

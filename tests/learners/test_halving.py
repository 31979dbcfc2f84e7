"""Halving makes the votes it says, and no more mistakes than the theorem allows."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import finite_classes as slow
from thresher.concepts import (
    ConceptClass,
    Conjunctions,
    CountingThresholds,
    DecisionLists,
    Disjunctions,
    ListedConcepts,
    TruthTable,
)
from thresher.errors import ClassTooLargeError, ParameterError
from thresher.learners.finite.halving import Halving
from thresher.learners.finite.version_space import VersionSpaceRounds

GOLDEN = json.loads(Path(__file__).with_name("halving_golden.json").read_text())


def odd(x: slow.Row) -> int:
    return sum(x) % 2


CASES: list[tuple[ConceptClass, list[slow.Function]]] = [
    (concepts, list(functions))
    for concepts, functions in (
        (Disjunctions(4), slow.disjunctions(4, None, False)),
        (Disjunctions(4, k=2), slow.disjunctions(4, 2, False)),
        (Disjunctions(4, negations=True), slow.disjunctions(4, None, True)),
        (Disjunctions(4, k=2, negations=True), slow.disjunctions(4, 2, True)),
        (Conjunctions(4), slow.conjunctions(4, None, False)),
        (Conjunctions(4, k=3), slow.conjunctions(4, 3, False)),
        (Conjunctions(4, negations=True), slow.conjunctions(4, None, True)),
        (Conjunctions(4, k=2, negations=True), slow.conjunctions(4, 2, True)),
        (CountingThresholds(4, r=3), slow.counting_thresholds(4, 3, None)),
        (CountingThresholds(4, r=3, at_least=2), slow.counting_thresholds(4, 3, 2)),
        (DecisionLists(4), slow.decision_lists(4, None)),
        (DecisionLists(4, k=2), slow.decision_lists(4, 2)),
        (TruthTable.of(Disjunctions(4, k=2)), slow.disjunctions(4, 2, False)),
        (
            ListedConcepts([any, all, odd, any], n_variables=4),
            [slow.tabulated(4, f) for f in (any, all, odd, any)],
        ),
    )
]


def named(parameter: object) -> str:
    return repr(parameter) if isinstance(parameter, ConceptClass) else ""


every_case = pytest.mark.parametrize(("concepts", "functions"), CASES, ids=named)
rows_of_four = st.tuples(*[st.integers(0, 1)] * 4)
labelled = st.lists(st.tuples(rows_of_four, st.sampled_from([-1, 1])), max_size=12)


def sparse(x: slow.Row) -> dict[int, float]:
    return {i: 1.0 for i, value in enumerate(x) if value}


def place(x: slow.Row) -> int:
    """Where a truth table has its answer for the row."""
    return slow.rows_of(len(x)).index(x)


def keeps_halving(rounds: VersionSpaceRounds, size: int) -> bool:
    """|V| 2^M <= |C| after every round, in whole numbers."""
    so_far = np.cumsum(rounds.mistaken).tolist()
    left = rounds.survivors.tolist()
    return all(v * 2**m <= size for v, m in zip(left, so_far, strict=True))


def test_the_golden_trace_of_32_disjunctions_is_reproduced() -> None:
    rows = GOLDEN["rows"]
    learner = Halving(Disjunctions(GOLDEN["n_variables"]))
    rounds = learner.learn(
        [dict.fromkeys(row["on"], 1) for row in rows], [row["y"] for row in rows]
    )
    assert rounds.version_space.tolist() == [row["before"] for row in rows]
    assert rounds.votes_for.tolist() == [row["votes_for"] for row in rows]
    assert rounds.scores.tolist() == [2 * row["votes_for"] - row["before"] for row in rows]
    assert rounds.predictions.tolist() == [row["prediction"] for row in rows]
    assert rounds.survivors.tolist() == [row["after"] for row in rows]
    assert learner.mistakes == rounds.mistakes == GOLDEN["total_mistakes"]
    assert learner.false_positives == 1
    assert learner.concepts.size.bit_length() - 1 == GOLDEN["bound"]
    assert [concept.name for concept in learner.consistent()] == ["x0 or x3", "x0 or x3 or x4"]


@every_case
@given(stream=labelled)
def test_halving_equals_its_slow_twin(
    concepts: ConceptClass, functions: list[slow.Function], stream: list[tuple[slow.Row, int]]
) -> None:
    rounds = Halving(concepts).learn([sparse(x) for x, _ in stream], [y for _, y in stream])
    scores, sizes = slow.halving(functions, [(place(x), y) for x, y in stream])
    assert rounds.scores.tolist() == scores
    assert rounds.survivors.tolist() == sizes


@every_case
@given(xs=st.lists(rows_of_four, max_size=20), choice=st.integers(0, 10**6))
def test_on_labels_of_a_concept_halving_keeps_the_bound_after_every_round(
    concepts: ConceptClass, functions: list[slow.Function], xs: list[slow.Row], choice: int
) -> None:
    target = functions[choice % len(functions)]
    learner = Halving(concepts)
    rounds = learner.learn([sparse(x) for x in xs], [1 if target[place(x)] else -1 for x in xs])
    assert learner.realisable
    assert keeps_halving(rounds, len(functions))
    assert learner.mistakes <= len(functions).bit_length() - 1


def test_a_version_space_that_shrinks_too_slowly_is_noticed() -> None:
    rounds = Halving(Disjunctions(5)).learn([{1: 1, 2: 1}, {0: 1}], [-1, 1])
    assert rounds.survivors.tolist() == [8, 4]
    assert rounds.mistaken.tolist() == [True, False]
    assert keeps_halving(rounds, 32)
    assert not keeps_halving(rounds, 15)
    slower = dataclasses.replace(rounds, votes_for=rounds.version_space - 17)
    assert not keeps_halving(slower, 32)


def worst_case(learner: Halving, n: int) -> int:
    """The most mistakes any realisable sequence can cause from here on."""
    worst: dict[frozenset[str], int] = {}

    def search(state: Halving) -> int:
        names = frozenset(concept.name for concept in state.consistent())
        if names not in worst:
            worst[names] = 0
            for x in slow.rows_of(n):
                for label in (-1, 1):
                    after = state.copy()
                    mistake = after.learn_one(sparse(x), label) != label
                    if 0 < after.version_space_size < state.version_space_size:
                        worst[names] = max(worst[names], mistake + search(after))
        return worst[names]

    return search(learner)


@pytest.mark.parametrize(
    ("concepts", "expected"),
    [
        # "k log2 n" is no bound when variables may be negated: 3 > log2 4.
        (Disjunctions(4, k=1, negations=True), 3),
        (Disjunctions(3, k=1, negations=True), 2),
        (Disjunctions(4, k=1), 2),
        (Disjunctions(3), 3),
        (Conjunctions(3), 3),
    ],
    ids=repr,
)
def test_the_bound_is_reached(concepts: Disjunctions, expected: int) -> None:
    assert worst_case(Halving(concepts), concepts.n_variables) == expected
    assert concepts.size.bit_length() - 1 == expected


def test_a_tie_predicts_plus_one() -> None:
    learner = Halving([[0, 1], [1, 0]])
    assert learner.scores([{}]).tolist() == [0.0]
    assert learner.predict_one({}) == 1


def test_the_version_space_changes_on_correct_rounds_too() -> None:
    learner = Halving(Disjunctions(3))
    assert learner.learn_one({0: 1, 1: 1}, 1) == 1
    assert (learner.mistakes, learner.version_space_size) == (0, 6)


def test_labels_of_no_concept_empty_the_version_space_and_are_reported() -> None:
    learner = Halving(Disjunctions(2))
    learner.learn([{0: 1}], [-1])
    assert (learner.realisable, learner.emptied_in_round) == (True, None)
    rounds = learner.learn([{1: 1}, {0: 1}, {}, {1: 1}], [1, 1, -1, -1])
    assert rounds.survivors.tolist() == [1, 0, 0, 0]
    assert rounds.scores.tolist() == [0.0, -1.0, 0.0, 0.0]
    assert rounds.predictions.tolist() == [1, -1, 1, 1]
    assert (learner.realisable, learner.emptied_in_round) == (False, 3)
    assert learner.version_space_size == 0
    assert list(learner.consistent()) == []
    assert learner.learn_one({0: 1}, -1) == 1
    assert learner.emptied_in_round == 3
    assert learner.scores([{}, {0: 1}]).tolist() == [0.0, 0.0]
    assert (learner.n_rounds, learner.false_negatives, learner.false_positives) == (6, 1, 4)


def test_a_class_above_the_limit_is_refused_before_anything_is_built() -> None:
    with pytest.raises(ClassTooLargeError, match="has 33554432 concepts"):
        Halving(Disjunctions(25))
    with pytest.raises(ClassTooLargeError, match="limit of 7"):
        Halving(Disjunctions(3), limit=7)
    with pytest.raises(ParameterError, match="Halving: limit must be"):
        Halving(Disjunctions(3), limit=0)

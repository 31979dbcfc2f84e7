"""The generic explorer finds the exact worst case, the stream and the loop."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from fractions import Fraction
from itertools import combinations
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.games.golden import DATA
from tests.reference import players as slow
from thresher.errors import ParameterError
from thresher.games import (
    LowerBoundAdversary,
    Separator,
    conjunction,
    cube,
    disjunction,
    expert,
    play,
    worst_case,
)
from thresher.games.worst_case import Edge, _components, _key

SMALL = [row for row in DATA["winnow_worst_case"] if row[0] <= 4]


class Forgetful:
    """Predicts the other sign after every round: the state toggles whatever is learned."""

    def __init__(self, side: int = 1) -> None:
        self.side = side

    def predict_one(self, x: Mapping[Any, float], /) -> int:
        """The current side."""
        return self.side

    def learn_one(self, x: Mapping[Any, float], y: int, /) -> None:
        """Turn round."""
        self.side = -self.side

    def copy(self) -> Forgetful:
        """Another one, on the same side."""
        return Forgetful(self.side)

    def state_key(self) -> Hashable:
        """The side."""
        return self.side


class Halving:
    """Majority of the disjunctions that were right so far, which it counts in every round."""

    def __init__(self, concepts: list[frozenset[int]]) -> None:
        self.left = tuple(concepts)

    def predict_one(self, x: Mapping[Any, float], /) -> int:
        """The majority; a tie is +1."""
        return 1 if 2 * sum(bool(c.intersection(x)) for c in self.left) >= len(self.left) else -1

    def learn_one(self, x: Mapping[Any, float], y: int, /) -> None:
        """Keep the concepts that agree."""
        self.left = tuple(c for c in self.left if bool(c.intersection(x)) == (y > 0))

    def copy(self) -> Halving:
        """Another one with the same concepts left."""
        return Halving(list(self.left))

    def state_key(self) -> Hashable:
        """The concepts left."""
        return self.left


class WithDual(slow.Slow):
    """A Perceptron whose state is an array."""

    def __init__(self) -> None:
        self.dual = np.zeros(3)

    def score(self, x: Mapping[Any, float]) -> float:
        """The inner product."""
        return sum(float(self.dual[i]) * v for i, v in x.items())

    def update(self, x: Mapping[Any, float], y: int) -> None:
        """Add y x."""
        for i, v in x.items():
            self.dual[i] += y * v


@pytest.mark.parametrize(("d", "r", "worst", "bound"), SMALL)
def test_winnows_worst_case_is_the_one_of_the_symmetric_explorer(
    d: int, r: int, worst: int, bound: int
) -> None:
    found = worst_case(slow.Winnow(d), [disjunction(range(r))], cube(d))
    assert found.mistakes == worst
    assert found.loop is None
    assert play(slow.Winnow(d), found.sequence) == worst
    assert len(found.concept.contradictions(found.sequence)) == 0


def test_eliminations_worst_case_is_the_number_of_irrelevant_features() -> None:
    for r in range(5):
        found = worst_case(slow.Elimination(4), [disjunction(range(r))], cube(4))
        assert found.mistakes == 4 - r
        found = worst_case(slow.Conjunction(4), [conjunction(range(r))], cube(4))
        assert found.mistakes == 4 - r


@pytest.mark.parametrize(("n", "k", "floor_log"), [(4, 1, 2), (4, 2, 2), (5, 1, 2), (5, 2, 3)])
def test_halving_loses_at_most_half_of_its_concepts_a_mistake(
    n: int, k: int, floor_log: int
) -> None:
    sets = [frozenset(c) for c in combinations(range(n), k)]
    found = worst_case(Halving(sets), [disjunction(sorted(c)) for c in sets], cube(n))
    assert found.mistakes <= floor_log
    assert play(Halving(sets), found.sequence) == found.mistakes > 0


def test_the_worst_concept_of_a_class_is_named() -> None:
    concepts = [disjunction(range(r)) for r in range(4)]
    found = worst_case(slow.Winnow(3), concepts, cube(3))
    assert found.mistakes == 6
    assert str(found.concept) == "x0 or x1 or x2"


def test_the_perceptrons_worst_case_on_unit_vectors_is_their_number() -> None:
    instances = [{i: 1.0} for i in range(5)]
    stream = LowerBoundAdversary("0.44").play(slow.Perceptron())
    assert stream.target is not None
    found = worst_case(slow.Perceptron(), [stream.target], instances)
    assert found.mistakes == 5


def test_weighted_majority_learns_in_rounds_without_a_mistake_too() -> None:
    advice = [{0: float(a), 1: float(b), 2: float(c)} for a, b, c in [(1, -1, -1), (1, 1, -1)]]
    found = worst_case(slow.WeightedMajority(3, Fraction(0)), [expert(0)], advice)
    assert found.mistakes == 1
    found = worst_case(slow.WeightedMajority(3, Fraction(0)), [expert(2)], advice)
    assert play(slow.WeightedMajority(3, Fraction(0)), found.sequence) == found.mistakes


def test_a_loop_is_found_where_no_bound_exists() -> None:
    target = Separator({1: 1, 2: 1, 3: 2}, threshold=3)
    found = worst_case(slow.Winnow(4), [target], cube(4))
    assert found.mistakes == inf
    assert found.loop is not None
    player = slow.Winnow(4)
    play(player, found.sequence)
    before = player.state_key()
    for _ in range(3):
        assert play(player, found.loop) > 0
        assert player.state_key() == before
    assert len(target.contradictions(found.loop)) == 0


def test_a_mistake_on_a_self_loop_is_for_ever() -> None:
    zero = Separator({0: -1})  # +1 on the empty row, which moves no weight
    found = worst_case(slow.BalancedWinnow(1), [zero], [{}])
    assert found.mistakes == inf
    assert found.loop is not None
    assert len(found.sequence) == 0
    assert len(found.loop) == 1


def test_a_loop_without_mistakes_is_harmless() -> None:
    class Harmless(Forgetful):
        """Right in every state, but never in the same one twice."""

        def predict_one(self, x: Mapping[Any, float], /) -> int:
            return 1

        def copy(self) -> Harmless:
            return Harmless(self.side)

    found = worst_case(Harmless(), [conjunction([])], [{}])
    assert found.mistakes == 0
    assert len(found.sequence) == 0
    assert worst_case(Forgetful(), [conjunction([])], [{}]).mistakes == inf


def test_a_mistake_behind_a_harmless_loop_is_reached() -> None:
    class Late:
        """Walks 0, 1, 2, 0, ... on the empty row without mistakes; row {0} in state 2 ends it."""

        def __init__(self, at: int = 0) -> None:
            self.at = at

        def predict_one(self, x: Mapping[Any, float], /) -> int:
            return -1 if self.at == 2 and x else 1

        def learn_one(self, x: Mapping[Any, float], y: int, /) -> None:
            if not x and self.at < 3:
                self.at = (self.at + 1) % 3
            elif x and self.at == 2:
                self.at = 3

        def copy(self) -> Late:
            return Late(self.at)

        def state_key(self) -> Hashable:
            return self.at

    found = worst_case(Late(), [conjunction([])], [{}, {0: 1.0}])
    assert found.mistakes == 1
    assert list(found.sequence) == [{}, {}, {0: 1.0}]
    assert play(Late(), found.sequence) == 1


def test_the_dual_serves_as_the_state_where_there_is_no_key() -> None:
    instances = [{i: 1.0} for i in range(3)]
    target = Separator({0: -1, 1: -1, 2: 1})
    assert worst_case(WithDual(), [target], instances).mistakes == 2
    other = WithDual()
    other.dual = -np.zeros(3)
    assert _key(other) == _key(WithDual())


def test_a_dual_that_is_no_array_serves_too() -> None:
    class Counting(slow.Slow):
        """Says +1 until its second negative row."""

        dual = 0

        def score(self, x: Mapping[Any, float]) -> int:
            return 1 - self.dual

        def update(self, x: Mapping[Any, float], y: int) -> None:
            self.dual += 1

    assert worst_case(Counting(), [disjunction([])], [{}]).mistakes == 2


def test_a_learner_without_a_state_is_refused() -> None:
    class Opaque(slow.Slow):
        """No state_key and no dual."""

    with pytest.raises(ParameterError, match=r"something with state_key\(\) or dual"):
        worst_case(Opaque(), [disjunction([0])], cube(1))


def test_too_many_states_and_no_concepts_are_refused() -> None:
    with pytest.raises(ParameterError, match="max_states must be enough"):
        worst_case(slow.Winnow(4), [disjunction([0])], cube(4), max_states=10)
    with pytest.raises(ParameterError, match="at least one concept"):
        worst_case(slow.Winnow(1), [], cube(1))


@given(st.lists(st.lists(st.integers(0, 6), max_size=3), min_size=7, max_size=7))
def test_components_are_the_nodes_that_reach_each_other(targets: list[list[int]]) -> None:
    # Every node is reachable from node 0, as in the graphs of states.
    graph = [[Edge(to, 0, False) for to in out] for out in targets]
    graph[0] += [Edge(to, 0, False) for to in range(1, 7)]
    reach = np.eye(7, dtype=bool)
    for node, edges in enumerate(graph):
        reach[node, [edge.to for edge in edges]] = True
    for middle in range(7):
        reach |= reach[:, [middle]] & reach[[middle], :]
    component = _components(graph)
    for a in range(7):
        for b in range(7):
            assert (component[a] == component[b]) == bool(reach[a, b] and reach[b, a])
            if reach[a, b]:
                assert component[b] <= component[a]

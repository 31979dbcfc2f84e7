from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from tests.reference.conjunction import Conjunction
from thresher.errors import StateError

rows = st.frozensets(st.integers(0, 5))
streams = st.lists(st.tuples(rows, st.sampled_from([-1, 1])), max_size=12)


@given(streams)
def test_the_conjunction_learner_is_its_slow_twin(stream: list[tuple[frozenset[int], int]]) -> None:
    examples = [(dict.fromkeys(sorted(on), 1.0), y) for on, y in stream]
    learner, twin = th.Conjunction(6), Conjunction(6)
    rounds = learner.learn([x for x, _ in examples], [y for _, y in examples])
    assert rounds.scores.tolist() == twin.learn(examples)
    assert learner.dual.tolist() == twin.dual()
    assert learner.mistakes == twin.false_negatives + twin.false_positives
    assert list(learner.journal.examples()) == [(x, y) for _, x, y in twin.journal]


@given(rows, streams)
def test_a_hypothesis_that_was_set_goes_on_as_one_that_was_learned(
    start: frozenset[int], stream: list[tuple[frozenset[int], int]]
) -> None:
    twin = Conjunction(6)
    twin.hypothesis = set(start)
    learner = th.Conjunction(6).with_dual(twin.dual())
    for on, label in stream:
        row = dict.fromkeys(on, 1.0)
        assert learner.score_one(row) == twin.play(row, label)
        learner.learn_one(row, label)
    assert learner.dual.tolist() == twin.dual()


@pytest.mark.parametrize("dual", [[0.0, 1.0], [0.0], [0.0, float("nan")]])
def test_a_hypothesis_holds_a_variable_or_does_not(dual: list[float]) -> None:
    with pytest.raises(StateError, match="conjunction"):
        th.Conjunction(2).with_dual(dual)

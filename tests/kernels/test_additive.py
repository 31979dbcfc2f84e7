from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from tests.reference.perceptron import Perceptron
from thresher.errors import StateError

Example = tuple[dict[int, float], int]
values = st.sampled_from([1.0, -1.0, 2.0, 0.1, 1 / 3, 1e-300, 5e-324, 1e100, -1e100, 1e16, 2.0**53])
rows = st.dictionaries(st.integers(0, 6), values | st.floats(-1e3, 1e3).filter(bool), max_size=5)
streams = st.lists(st.tuples(rows, st.sampled_from([-1, 1])), max_size=20)


@given(streams, st.booleans(), st.sampled_from([None, 7, 100]))
def test_the_perceptron_is_its_slow_twin(
    stream: list[Example], bias: bool, n_features: int | None
) -> None:
    twin = Perceptron(bias)
    learner = th.Perceptron(n_features, bias=bias)
    scores = learner.learn([x for x, _ in stream], [y for _, y in stream]).scores
    assert [score.hex() for score in scores.tolist()] == [s.hex() for s in twin.learn(stream)]
    assert learner.dual.tolist() == twin.dual(learner.n_features)
    assert learner.weights.tolist() == twin.dual(learner.n_features)[: learner.n_features]
    assert learner.bias_weight == twin.bias_weight
    assert (learner.false_negatives, learner.false_positives) == (
        twin.false_negatives,
        twin.false_positives,
    )
    rounds, examples = learner.journal.round_number.tolist(), learner.journal.examples()
    kept = [(t, row, label) for t, (row, label) in zip(rounds, examples, strict=True)]
    assert kept == [(t, dict(sorted(row.items())), label) for t, row, label in twin.journal]


@given(
    st.lists(st.tuples(st.sets(st.integers(0, 11)), st.sampled_from([-1, 1])), max_size=12),
    st.sampled_from(
        [
            0.0,
            3.0,
            0.1,
            2.0**31 - 2,
            1.0 - 2.0**31,
            2.0**31,
            2.0**52,
            2.0**53,
            -(2.0**53) + 1,
            1e190,
        ]
    ),
    st.booleans(),
)
def test_rows_of_ones_add_up_as_by_the_slow_twin(
    stream: list[tuple[set[int], int]], start: float, bias: bool
) -> None:
    twin = Perceptron(bias)
    twin.weight = dict.fromkeys(range(0, 12, 2), start)
    learner = th.Perceptron(12, bias=bias).with_dual(twin.dual(12))
    ones = [(dict.fromkeys(sorted(on), 1.0), label) for on, label in stream]
    scores = learner.learn([x for x, _ in ones], [y for _, y in ones]).scores
    assert [score.hex() for score in scores.tolist()] == [s.hex() for s in twin.learn(ones)]
    assert learner.dual.tolist() == twin.dual(12)


wholes = st.sampled_from([1.0, -1.0, 3.0, 2.0**20, -(2.0**20)])
#: What the weights can no longer be kept in 32 bits for: fractions, and values too large.
breaking = st.sampled_from([1.0, -2.0, 0.5, 2.0**30, -(2.0**30), 2.0**20 + 1])
whole_rows = st.dictionaries(st.integers(0, 6), wholes, max_size=5)
other_rows = st.dictionaries(st.integers(0, 6), breaking, max_size=5)


@given(
    st.lists(st.tuples(whole_rows, st.sampled_from([-1, 1])), max_size=12),
    st.lists(st.tuples(other_rows, st.sampled_from([-1, 1])), max_size=6),
    st.sampled_from([1.0, 3.0, 1000.0, 0.5]),
    st.booleans(),
    st.booleans(),
)
def test_whole_weights_become_others_without_a_change_of_a_bit(
    before: list[Example], after: list[Example], importance: float, bias: bool, single: bool
) -> None:
    twin, learner = Perceptron(bias), th.Perceptron(bias=bias)
    stream = [(row, y, 1.0) for row, y in before] + [(row, y, importance) for row, y in after]
    expected = [twin.play(row, label, weight).hex() for row, label, weight in stream]
    if single:
        found = []
        for row, label, weight in stream:
            found.append(learner.score_one(row))
            learner.learn_one(row, label, weight)
    else:
        found = learner.learn([x for x, _ in before], [y for _, y in before]).scores.tolist()
        weights = [importance] * len(after)
        rounds = learner.learn(
            [x for x, _ in after], [y for _, y in after], importance=weights if after else None
        )
        found += rounds.scores.tolist()
    assert [score.hex() for score in found] == expected
    assert learner.dual.tolist() == twin.dual(learner.n_features)
    assert learner.copy() == learner


@given(streams, st.booleans())
def test_growing_row_by_row_leaves_the_bias_in_its_place(stream: list[Example], bias: bool) -> None:
    twin = Perceptron(bias)
    learner: Any = th.Perceptron(bias=bias)
    for row, label in stream:
        score = learner.score_one(row)
        assert score.hex() == twin.play(row, label).hex()
        learner.learn_one(row, label)
        assert learner.dual.tolist() == twin.dual(learner.n_features)


@pytest.mark.parametrize("dual", [[1e201, 0.0], [float("nan"), 0.0], [[1.0, 2.0]], [1.0]])
def test_a_dual_vector_that_could_overflow_a_score_is_refused(dual: list[Any]) -> None:
    with pytest.raises(StateError, match="dual vector"):
        th.Perceptron(2).with_dual(dual)

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from tests.reference.modified_balanced_winnow import BIAS, ModifiedBalancedWinnow
from thresher.errors import FeatureRangeError, StateError

values = st.sampled_from([1.0, 2.0, 0.1, 1e-300, 1e100]) | st.floats(0.01, 5.0)
rows = st.dictionaries(st.integers(0, 5), values, max_size=5)
streams = st.lists(st.tuples(rows, st.sampled_from([-1, 1])), max_size=25)


@given(streams, st.sampled_from([(1.5, 0.5, 1.0), (1.1, 0.9, 0.0), (100.0, 1.0, 3.0)]))
def test_it_is_its_slow_twin(
    stream: list[tuple[dict[int, float], int]], rule: tuple[float, float, float]
) -> None:
    learner, twin = th.ModifiedBalancedWinnow(6, *rule), ModifiedBalancedWinnow(*rule)
    scores = learner.learn([x for x, _ in stream], [y for _, y in stream]).scores
    assert [s.hex() for s in scores.tolist()] == [s.hex() for s in twin.learn(stream)]
    assert learner.weights.tolist() == [twin.weight(i) for i in range(6)]
    assert learner.bias_weight == twin.weight(BIAS)
    assert [t for t, _, _ in twin.journal] == learner.journal.round_number.tolist()
    assert learner.mistakes == twin.false_negatives + twin.false_positives


def test_a_round_of_the_paper_by_hand() -> None:
    learner = th.ModifiedBalancedWinnow(2)
    # (1, 0, bias 1) / 2: score (2 - 1)(1/2 + 1/2) = 1 = threshold, predicted +1.
    rounds = learner.learn([[1, 0]], [-1])
    assert (rounds.scores.tolist(), rounds.mistakes) == ([1.0], 1)
    # u = 2 * 0.5 * (1 - 1/2), v = 1 * 1.5 * (1 + 1/2).
    assert learner.weights.tolist() == pytest.approx([0.5 - 2.25, 1.0], rel=1e-15)
    assert learner.bias_weight == pytest.approx(0.5 - 2.25, rel=1e-15)


def test_weights_do_not_leave_their_range() -> None:
    fresh = th.ModifiedBalancedWinnow(1, promotion=1e6, demotion=1e-6)
    high, low = fresh.with_dual([299, 0, 299, 0]), fresh.with_dual([-299, 10, -299, 0])
    high.learn([[1.0]], [1])
    low.learn([[1.0]], [-1])
    assert high.dual[0] == 300.0
    assert low.dual[0] == -300.0
    # An empty row is all constant feature: 1 - x is 0.
    fresh.learn([[0.0]], [-1])
    assert fresh.dual[1] == -300.0
    assert np.all(np.isfinite(np.concatenate((high.weights, low.weights, fresh.weights))))


def test_a_feature_that_is_promoted_for_ever_stays_in_range_on_both_sides() -> None:
    """Two features too small to matter, each seen with one label; all four end at a limit."""
    learner = th.ModifiedBalancedWinnow(2)
    learner.learn([{0: 1e-200}, {1: 1e-200}] * 900, [-1, 1] * 900)
    assert len(learner.journal) == 1800
    assert learner.dual[[0, 1, 3, 4]].tolist() == [-300.0, 300.0, 300.0, -300.0]


def test_what_it_cannot_take_is_refused() -> None:
    learner = th.ModifiedBalancedWinnow(2)
    with pytest.raises(FeatureRangeError, match=r"\[0, 1e\+100\]"):
        learner.learn([[-1.0, 0.0]], [1])
    with pytest.raises(StateError, match="6 entries"):
        learner.with_dual([0.0, math.inf, 0.0, 0.0, 0.0, 0.0])

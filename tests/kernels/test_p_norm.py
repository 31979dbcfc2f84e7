from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import thresher as th
from tests.reference.p_norm import PNorm
from tests.reference.perceptron import Perceptron
from thresher.errors import StateError

Example = tuple[dict[int, float], int]
labels = st.sampled_from([-1, 1])
whole = st.dictionaries(st.integers(0, 6), st.sampled_from([1.0, -1.0, 2.0]), max_size=5)
whole_streams = st.lists(st.tuples(whole, labels), max_size=25)
sizes = st.sampled_from([1.0, -0.3, 1e-90, 1e100, -1e60, 7.1])
real = st.dictionaries(st.integers(0, 6), sizes, max_size=5)
real_streams = st.lists(st.tuples(real, labels), max_size=25)


def close(found: float, expected: float) -> bool:
    return found == pytest.approx(expected, rel=1e-10, abs=0.0)


@pytest.mark.parametrize("p", [2.0, 3.0, 5.0, 8.0])
@given(whole_streams, st.booleans(), st.sampled_from([0.0, 0.7]))
@settings(max_examples=30)
def test_on_whole_features_it_is_its_slow_twin(
    p: float, stream: list[Example], bias: bool, margin: float
) -> None:
    learner, twin = th.PNormPerceptron(7, p, bias, margin), PNorm(p, bias, margin)
    for row, label in stream:
        # Whole powers of whole duals add up exactly: both decide alike.
        score, expected = learner.score_one(row), twin.play(row, label)
        assert close(score, expected)
        assert (score > 0, score < 0) == (expected > 0, expected < 0)
        learner.learn_one(row, label)
    assert learner.dual.tolist() == twin.dual(7)
    assert learner.mistakes == twin.false_negatives + twin.false_positives
    assert [t for t, _, _ in twin.journal] == learner.journal.round_number.tolist()


@pytest.mark.parametrize("p", [2.5, 17.3, 64.0])
@given(real_streams, st.booleans())
@settings(max_examples=30)
def test_on_features_of_any_size_it_is_close_to_its_slow_twin(
    p: float, stream: list[Example], bias: bool
) -> None:
    learner, twin = th.PNormPerceptron(7, p, bias), PNorm(p, bias)
    for row, label in stream:
        score, expected = learner.score_one(row), twin.score(row)
        top = max(map(abs, twin.weight.values()), default=0.0)
        # Where terms cancel, rounding may decide; powers below the smallest double are nothing.
        assume(
            expected == 0.0 or abs(expected) > 1e-3 * top * max(map(abs, row.values()), default=1)
        )
        assert close(score, expected)
        twin.play(row, label)
        learner.learn_one(row, label)
        assert np.all(np.isfinite(learner.weights))
    assert learner.dual.tolist() == twin.dual(7)


@given(whole_streams, st.booleans())
@settings(max_examples=30)
def test_with_p_of_2_it_is_the_perceptron(stream: list[Example], bias: bool) -> None:
    learner, twin = th.PNormPerceptron(7, 2, bias), Perceptron(bias)
    scores = learner.learn([x for x, _ in stream], [y for _, y in stream]).scores
    assert scores.tolist() == twin.learn(stream)
    assert learner.weights.tolist() == twin.dual(7)[:7]


def test_the_weights_are_the_gradient_of_half_the_squared_norm() -> None:
    theta = np.array([3.0, -1.0, 0.5, 0.0])
    learner = th.PNormPerceptron(4, 3).with_dual(theta)
    norm = np.sum(np.abs(theta) ** 3) ** (1 / 3)
    assert learner.weights == pytest.approx(np.sign(theta) * theta**2 / norm, rel=1e-14)
    # The gradient of F at theta, times theta, is 2 F(theta).
    assert learner.weights @ theta == pytest.approx(norm**2, rel=1e-14)


@pytest.mark.parametrize(
    ("n", "p"), [(2, 2.0), (1000, 2 * np.log(1000)), (2**30, 2 * np.log(2**30))]
)
def test_p_is_twice_the_logarithm_of_n_unless_given(n: int, p: float) -> None:
    if n < 10**6:
        assert th.PNormPerceptron(n).p == pytest.approx(p)
    assert th.PNormPerceptron(n if n < 10**6 else 9, 5).p == 5.0


@pytest.mark.parametrize("p", [8, 16])
def test_what_large_duals_leave_behind_in_the_norm_is_cleaned_up(p: int) -> None:
    """With 8 the sum that is left over has one digit right, with 16 none."""
    learner = th.PNormPerceptron(51, p, margin=1e100)
    large = np.random.default_rng(0).uniform(500, 1500, 50)
    rows = np.zeros((51, 51))
    rows[np.arange(50), np.arange(50)] = large
    rows[50, 50] = 0.3
    # All is learned, and then all is taken back but the last and least.
    learner.learn(rows, np.ones(51, int))
    learner.learn(rows[:50], -np.ones(50, int))
    assert learner.dual.tolist() == [0.0] * 50 + [0.3]
    # The weight of a dual that stands alone is the dual.
    assert learner.weights == pytest.approx([0.0] * 50 + [0.3], rel=1e-12)


@pytest.mark.parametrize("dual", [[1.0], [1e151, 0.0], [float("nan"), 0.0]])
def test_a_dual_vector_that_does_not_fit_is_refused(dual: list[Any]) -> None:
    with pytest.raises(StateError, match="2 entries"):
        th.PNormPerceptron(2).with_dual(dual)


def test_a_score_of_exactly_the_margin_is_too_small() -> None:
    learner = th.PNormPerceptron(1, 2, margin=1.0).started_anew([1.0])
    assert learner.learn([[1.0], [1.0]], [1, 1]).scores.tolist() == [1.0, 2.0]
    assert learner.dual.tolist() == [2.0]

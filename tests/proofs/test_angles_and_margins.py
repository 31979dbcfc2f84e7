"""The angle between w and u, what a mistake does to its row, and the margin of a vector."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher.errors import ComparatorError, HypothesisError
from thresher.proofs import geometric_margin

F = Fraction
WHOLE = st.integers(-3, 3)
ROWS = st.lists(
    st.tuples(st.lists(WHOLE, min_size=3, max_size=3), st.sampled_from([-1, 1])),
    min_size=1,
    max_size=40,
)


def cosine(a: Any, b: Any) -> float:
    length = math.sqrt(sum(v * v for v in a) * sum(v * v for v in b))
    return sum(p * q for p, q in zip(a, b, strict=True)) / length if length else 0.0


@given(ROWS, st.lists(WHOLE, min_size=3, max_size=3))
def test_the_angle_is_that_of_a_plain_replay(stream: Any, u: list[int]) -> None:
    w, seen = [0, 0, 0], []
    for x, label in stream:
        score = sum(a * b for a, b in zip(w, x, strict=True))
        if (score >= 0) != (label > 0):
            w = [a + label * b for a, b in zip(w, x, strict=True)]
            seen.append(cosine(w, u))
    audit = th.Perceptron(3).audit([x for x, _ in stream], [y for _, y in stream], comparator=u)
    assert audit.table["cosine"] == pytest.approx(seen, abs=1e-12)
    turned = [math.degrees(math.acos(max(-1.0, min(1.0, c)))) for c in seen]
    assert audit.table["angle"] == pytest.approx(turned, abs=1e-5)


@given(st.integers(0, 2**20))
def test_with_a_margin_the_cosine_stays_above_its_floor(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (40, 3))
    u = np.array([2, -1, 1])
    X = X[X @ u != 0]
    audit = th.Perceptron(3).audit(X, np.sign(X @ u), comparator=u.tolist(), margin=1)
    assert audit.holds
    floor, cos = audit.floats("cosine_envelope"), audit.floats("cosine")
    assert np.all(floor <= cos + 1e-12)
    assert np.all(cos <= 1 + 1e-12)
    # The floor is gamma M/(||u|| sqrt(S)): it would pass 1 after the mistakes of the theorem.
    made = np.arange(1, len(audit) + 1)
    spent = audit.floats("sum_of_squares")
    assert floor == pytest.approx(made / np.sqrt(6 * spent))


def test_a_wrong_comparator_shows_as_an_angle_above_90_degrees() -> None:
    X, y = [[1, 0], [0, 1]] * 3, [-1, -1] * 3
    away = th.Perceptron(2).audit(X, y, comparator=[1, 1])
    assert away.floats("angle").tolist() == pytest.approx([135.0, 180.0])
    assert not away.holds


def test_real_rows_have_angles_too() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    audit = th.Perceptron(4).audit(X, np.sign(X[:, 0]), comparator=[1, 0, 0, 0])
    assert len(audit) > 3
    learner = th.Perceptron(4)
    learner.learn(X, np.sign(X[:, 0]))
    assert audit.floats("cosine")[-1] == pytest.approx(cosine(learner.weights, [1, 0, 0, 0]))


@given(ROWS)
def test_a_mistake_raises_the_score_of_its_own_row_by_its_squared_length(stream: Any) -> None:
    """y w_{t+1}.x_t = y w_t.x_t + ||x_t||^2, exactly, which need not make it positive."""
    learner = th.Perceptron(3)
    for x, y in stream:
        before, mistakes = learner.score_one(dict(enumerate(x))), learner.mistakes
        learner.learn([x], [y])
        after = learner.score_one(dict(enumerate(x)))
        moved = learner.mistakes > mistakes
        assert y * after == y * before + moved * sum(v * v for v in x)


def test_one_update_need_not_repair_its_row() -> None:
    learner = th.Perceptron(2)
    learner.learn([[3, 0]], [-1])
    assert learner.learn([[1, 0], [1, 0]], [1, 1]).scores.tolist() == [-3.0, -2.0]


@given(ROWS, st.lists(WHOLE, min_size=3, max_size=3).filter(any))
def test_the_margin_is_the_smallest_distance(stream: Any, w: list[int]) -> None:
    X, y = [x for x, _ in stream], [label for _, label in stream]
    signed = [F(label * sum(a * b for a, b in zip(w, x, strict=True))) for x, label in stream]
    found = geometric_margin(w, th.Batch.of(X, y))
    assert found.functional == min(signed)
    assert found.row == signed.index(min(signed))
    assert found.norm_squared == sum(v * v for v in w)
    assert found.radius_squared == max(sum(v * v for v in x) for x in X)
    exact_squared = found.functional**2 / found.norm_squared
    assert abs(F(found.geometric) ** 2 - exact_squared) <= exact_squared * F(1, 2**50)
    sign = -1 if found.functional < 0 else 1
    assert F(found.geometric) * abs(F(found.geometric)) <= sign * exact_squared
    twice = geometric_margin([2 * v for v in w], th.Batch.of(X, y))
    assert twice.geometric == pytest.approx(found.geometric)
    assert twice.functional == 2 * found.functional


def test_the_margin_promises_the_perceptron_a_bound_that_it_keeps() -> None:
    X, y = np.array([[1, 0, 1], [0, 1, 1], [-1, 2, 1], [2, -3, 1]] * 20), [1, -1, -1, 1] * 20
    promised = geometric_margin([1, -1, 0], th.Batch.of(X, y)).bound()
    assert th.Perceptron(3).learn(X, y).mistakes <= promised.max_mistakes()
    learner = th.Perceptron(3)
    learner.learn(X, y)
    assert geometric_margin([1, -1, 0], learner.journal).functional >= promised.margin
    wrong = geometric_margin([-1, 1, 0], th.Batch.of(X, y))
    assert wrong.geometric < 0
    with pytest.raises(HypothesisError):
        wrong.bound().max_mistakes()


def test_rounding_hides_no_row() -> None:
    """Added up in doubles the first row is the smaller one; exactly it is the second."""
    small = 2.0**-53
    rows = [[1, small, small], [small, small / 2, 1]]
    assert 1 + small + small < small + small / 2 + 1
    found = geometric_margin([1, 1, 1], th.Batch.of(rows, [1, 1]))
    assert (found.row, found.functional) == (1, 1 + F(3, 2**54))
    root = 2.0**-27  # Its square is half of what 1 would notice.
    lengths = th.Batch.of([[1, root, root, root, root], [root, root, root, 0, 1]], [1, 1])
    assert geometric_margin([1], lengths).radius_squared == 1 + F(1, 2**52)
    assert geometric_margin({0: F(1, 3)}, th.Batch.of([{0: 3.0, 7: 5.0}], [1])).functional == 1


def test_what_has_no_margin_is_refused() -> None:
    with pytest.raises(ComparatorError, match="no direction"):
        geometric_margin([0, 0], th.Batch.of([[1, 2]], [1]))
    with pytest.raises(ComparatorError, match="no rows"):
        geometric_margin([1], th.Batch.of(np.empty((0, 1)), []))

"""After a hundred million updates on one feature: no overflow, no NaN, and still right."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import thresher as th

FAR = 10**8


def makers() -> list[Any]:
    return [
        th.Perceptron(3, bias=True),
        th.Winnow(3),
        th.Winnow(3, beta=Fraction(13, 5), threshold=Fraction(1, 3)),
        th.Winnow(3, beta=2.0**-40),
        th.Winnow(3, beta=2.0**40, threshold=1e100),
        th.BalancedWinnow(3),
        th.BalancedWinnow(3, beta=0.1, threshold=0.1),
        th.NormalizedWinnow(3, eta=0.5, bias=True),
        th.NormalizedWinnow(3, eta=1000),
        th.NormalizedWinnow(3, margin=Fraction(1, 2)),
        th.NormalizedWinnow(3),
        th.SignedWinnow(3, eta=0.5, bias=True),
        th.SignedWinnow(3, eta=1e-12),
        th.SignedWinnow(3, margin=0.9),
        th.WeightedMajority(3),
        th.WeightedMajority(3, beta=1 - 2.0**-40),
        th.WeightedMajority(3, beta=0),
    ]


@pytest.mark.parametrize("learner", makers(), ids=repr)
@pytest.mark.parametrize("far", [FAR, -FAR, 2**30 - 2, -(2**30) + 2, 2**31, -(2**31), FAR + 0.5])
def test_rounds_go_on_at_any_depth(learner: Any, far: float) -> None:
    dual = np.zeros_like(learner.dual)
    dual[1] = far
    dual[2] = -far / 2 if float(far).is_integer() else 0.25
    at = learner.with_dual(dual)
    before = at.dual.tolist()
    rows = [{1: 1.0}, {0: 1.0, 1: 1.0}, {0: 1.0}, {1: 1.0, 2: -1.0}, {}, {2: 1.0}]
    if isinstance(learner, th.Winnow):
        rows[3] = {1: 1.0, 2: 1.0}
    for label in (1, -1, -1, 1):
        rounds = at.learn(rows, [label] * len(rows))
        assert np.all(np.isfinite(rounds.scores))
        assert np.all(np.isfinite(at.weights))
        assert not np.any(np.isnan(at.dual))
    assert at.n_rounds == 24
    if not isinstance(learner, th.WeightedMajority):
        moved = [abs(a - b) for a, b in zip(before, at.dual.tolist(), strict=True)]
        assert max(moved) <= 24 or at.dual.tolist() == [0.0] * len(before) or at.phase > 1
    assert at.copy() == at


@pytest.mark.parametrize("far", [FAR, 2**30 - 3])
def test_winnow_comes_back_from_any_depth(far: int) -> None:
    learner = th.Winnow(2).with_dual([0, -far])
    assert learner.learn([{1: 1.0}] * 100, [1] * 100).mistakes == 100
    assert learner.dual.tolist() == [0.0, 100.0 - far]
    near = th.Winnow(2).with_dual([0, -100])
    assert near.learn([{1: 1.0}] * 200, [1] * 200).mistakes == 101


def test_duals_turn_real_before_whole_numbers_end_and_go_on_counting() -> None:
    # Promoted alone, then demoted in company: feature 1 sinks by one in every turn.
    rows, labels = [{0: 1.0}, {0: 1.0, 1: 1.0}] * 10, [1, -1] * 10
    whole = th.Winnow(2, threshold=2).with_dual([0, -(2**30) + 5])
    pieces = whole.copy()
    assert whole.learn(rows, labels).mistakes == 20
    for row, label in zip(rows, labels, strict=True):
        pieces.learn_one(row, label)
    for learner in (whole, pieces):
        assert learner.dual.tolist() == [0.0, -(2.0**30) - 5]
        assert learner.learn([{1: 1.0}] * 3, [1] * 3).mistakes == 3
        assert learner.dual.tolist() == [0.0, -(2.0**30) - 2]


@pytest.mark.parametrize("size", [2**24 + 1, 2**24 + 3, 10**8 + 1, 2**30 - 1])
def test_whole_duals_that_no_single_precision_holds_move_by_one(size: int) -> None:
    learners: list[Any] = [
        th.Winnow(1, threshold=1),
        th.BalancedWinnow(1),
        th.SignedWinnow(1, eta=0.5),
        th.NormalizedWinnow(1, eta=0.5),
    ]
    for learner in learners:
        at = learner.with_dual([size])
        assert at.dual.tolist() == [size]
        assert at.learn([{0: 1.0}] * 3, [-1] * 3).mistakes == 3
        assert at.dual.tolist() == [size - 3]


@pytest.mark.parametrize("eta", [0.5, 3.0, 199.0])
@pytest.mark.parametrize("kind", [th.NormalizedWinnow, th.SignedWinnow])
def test_updates_one_way_and_back_leave_the_normaliser_as_if_summed_up_anew(
    kind: Any, eta: float
) -> None:
    learner = kind(4, eta=eta)
    rows = np.random.default_rng(0).choice([-1.0, 0.0, 1.0], (400, 4))
    for row in rows:
        label = -int(learner.predict([row])[0])
        learner.learn([row], [label])
    assert learner.mistakes == 400
    fresh = learner.with_dual(learner.dual)
    # A weight that is nothing beside the largest one may underflow where it is kept.
    assert learner.weights == pytest.approx(fresh.weights, rel=1e-14, abs=1e-45)
    assert learner.scores(rows) == pytest.approx(fresh.scores(rows), rel=1e-14, abs=1e-45)
    assert learner.predict(rows).tolist() == fresh.predict(rows).tolist()

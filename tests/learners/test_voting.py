"""The vote of a Perceptron is that of the weights it has had."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.errors import StateError
from thresher.learners.two_class import voting


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("options", [{}, {"margin": 1.0}, {"class_weight": (1, 2)}], ids=repr)
def test_every_weight_vector_votes_as_often_as_it_stood(bias: bool, options: Any) -> None:
    generator = np.random.default_rng(1)
    X = generator.integers(-2, 3, (50, 4)).astype(float)
    y = generator.choice([-1, 1], 50)
    weights = generator.integers(1, 3, 50).astype(float)
    learner, rows = th.Perceptron(4, bias, **options), generator.integers(-2, 3, (9, 4))
    ballots = np.where(learner.scores(rows) >= 0, 1, -1)
    for x, label, weight in zip(X, y, weights, strict=True):
        learner.learn([x], [label], importance=[weight])
        ballots += np.where(learner.scores(rows) >= 0, 1, -1)
    assert len(learner.journal) > 10
    assert learner.vote(rows).tolist() == (ballots / 51).tolist()
    assert learner.vote(np.zeros((0, 4))).tolist() == []


def test_rows_are_taken_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = th.Perceptron(3)
    learner.learn([[1, 0, 0], [1, 1, 0], [0, 1, 1]] * 5, [-1, 1, -1] * 5)
    rows = np.eye(3)
    whole = learner.vote(rows).tolist()
    monkeypatch.setattr(voting, "CELLS", 1)
    assert learner.vote(rows).tolist() == whole


def test_names_and_growing_learners_vote_too() -> None:
    learner = th.Perceptron()
    learner.learn([{"a": 1.0}, {"b": 1.0}], [-1, 1])
    assert learner.vote([{"a": 1.0}, {"c": 1.0}]).tolist() == [-1 / 3, 1.0]


@pytest.mark.parametrize(
    "learner",
    [
        th.Perceptron(2, journal_bytes=0),
        th.Perceptron(2).with_dual([1.0, 0.0]),
        th.Perceptron(2, decay=0.1),
        th.Perceptron(2, scaling="l2"),
    ],
    ids=repr,
)
def test_a_vote_that_cannot_be_counted_is_refused(learner: th.Perceptron) -> None:
    learner.learn([[1, 0]], [-1])
    learner.learn([[1, 0]], [1])
    with pytest.raises(StateError, match="a vote"):
        learner.vote([[1, 0]])

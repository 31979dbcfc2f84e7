"""What a replayed learner makes of rows that it does not learn: just what the learner does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.verifier.replay_cases import CASES, WIDTH, learners, streams_of
from thresher.certifier import identity
from thresher.concepts import Disjunctions, ListedConcepts
from thresher.verifier import read_rows
from thresher.verifier.replayed_run import ReplayedRun

RNG = np.random.default_rng(8)
BITS = (RNG.random((60, WIDTH)) < 0.4).astype(float)
LABELS = np.where((BITS[:, 1] > 0) | (BITS[:, 3] == 0), 1, -1)


def run_of(learner: Any, X: Any, y: Any) -> ReplayedRun:
    algorithm, parameters = identity(learner)
    names = tuple(map(str, learner.classes)) if algorithm.several else None
    return ReplayedRun.of(algorithm, parameters, read_rows(X, y, names))


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_scores_of_further_rows_are_the_learners_to_the_bit(name: str, data: st.DataObject) -> None:
    values = CASES[name][2]
    learner = data.draw(learners(name))
    X, y = data.draw(streams_of(values))
    # The last two columns are new to it, or what it knows of them is from other rows.
    shown = np.array(X, float).reshape(-1, WIDTH)
    known = shown * np.array([1.0] * (WIDTH - 2) + [0.0] * 2)
    learner.learn(known, y)
    more, labels = data.draw(streams_of(values))
    rows = np.array(more, float).reshape(-1, WIDTH)
    run = run_of(learner, known, y)
    assert run.replay.leans is not None
    found = run.replay.leans(read_rows(rows, labels))
    own = learner.scores(rows) - learner.threshold
    sized = np.isfinite(found)
    assert np.array_equal(found[sized], own[sized])
    assert np.array_equal(found >= 0.0, learner.predict(rows) > 0)
    assert run.replay.errors_on(read_rows(rows, labels)) == int(
        np.count_nonzero(learner.predict(rows) != np.array(labels))
    )


def check(learner: Any, X: Any, y: Any, rows: Any, labels: Any) -> None:
    learner.learn(X, y)
    run = run_of(learner, X, y)
    names = run.stream.classes
    if names is not None:
        names = (*names, *sorted({str(label) for label in labels} - {*names}))
    predicted = [str(label) for label in learner.predict(rows)]
    wrong = sum(a != str(b) for a, b in zip(predicted, labels, strict=True))
    assert run.replay.errors_on(read_rows(rows, labels, names)) == wrong
    if run.replay.names is not None:
        assert run.replay.names(read_rows(rows, labels, names)) == predicted


ONES = (RNG.random((80, WIDTH + 2)) < 0.4).astype(float)

TWO_CLASSES: dict[str, Any] = {
    "committee": lambda: th.Committee(),
    "committee with room": lambda: th.Committee(WIDTH + 2),
    "elimination": lambda: th.Elimination(WIDTH + 2),
    "elimination, literals": lambda: th.Elimination(WIDTH + 2, literals=True),
    "conjunction": lambda: th.Conjunction(WIDTH + 2),
    "conjunction, literals": lambda: th.Conjunction(WIDTH + 2, literals=True),
    "majority": lambda: th.WeightedMajority(WIDTH + 2),
    "halving": lambda: th.Halving(Disjunctions(WIDTH + 2, k=2)),
    "optimal": lambda: th.StandardOptimal(
        ListedConcepts([lambda x: x[1] or x[4], lambda x: x[1], lambda x: x[0]], WIDTH + 2)
    ),
    "calibrated": lambda: th.Calibrated(th.AROW()),
}


@pytest.mark.parametrize("name", TWO_CLASSES)
@pytest.mark.parametrize("learned", [0, 1, 5, 60])
def test_predictions_of_two_classes_are_the_learners(name: str, learned: int) -> None:
    labels = np.where((ONES[:, 1] > 0) | (ONES[:, 6] > 0), 1, -1)
    check(TWO_CLASSES[name](), BITS[:learned], LABELS[:learned], ONES, labels)


@pytest.mark.parametrize("learned", [1, 5, 200])
def test_scores_of_a_committee_are_the_learners_to_the_bit(learned: int) -> None:
    X = RNG.standard_normal((200, 6)) * np.array([1, 1, 1, 10, 0.1, 0])
    y = np.where(X[:, 0] > 0.3, 1, -1)
    rows = RNG.standard_normal((100, 8)) * 3
    learner = th.Committee()
    learner.learn(X[:learned], y[:learned])
    run = run_of(learner, X[:learned], y[:learned])
    assert run.replay.leans is not None
    state = learner.scores(rows)
    assert np.array_equal(run.replay.leans(read_rows(rows, np.ones(100))), state)
    # To predict has changed nothing: the same rows have the same scores again.
    assert np.array_equal(run.replay.leans(read_rows(rows, np.ones(100))), state)


SEVERAL: dict[str, Any] = {
    "perceptron": lambda: th.MulticlassPerceptron(),
    "perceptron, stated": lambda: th.MulticlassPerceptron(classes=["x", "a"]),
    "passive-aggressive": lambda: th.MulticlassPassiveAggressive(bias=True),
    "normalised": lambda: th.MulticlassNormalizedWinnow(WIDTH + 2, eta=0.5),
    "signed": lambda: th.MulticlassSignedWinnow(WIDTH + 2, margin=0.1),
    "network": lambda: th.SparseNetwork(),
    "rest": lambda: th.OneVersusRest(th.AROW(bias=True)),
    "rest, winnow": lambda: th.OneVersusRest(th.Winnow(WIDTH + 2)),
    "rest, committee": lambda: th.OneVersusRest(th.Committee()),
    "rest, calibrated": lambda: th.OneVersusRest(th.Calibrated(th.Perceptron(scaling="l2"))),
}


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.parametrize("learned", [1, 7, 60])
def test_predictions_of_several_classes_are_the_learners(name: str, learned: int) -> None:
    # A class of its own is never learned, and so never predicted.
    labels = np.array(["a", "b", "c"])[(BITS[:, 0] + 2 * BITS[:, 1] * (1 - BITS[:, 0])).astype(int)]
    others = np.array(["a", "b", "c", "new"])[(ONES[:, 0] + 2 * ONES[:, 1]).astype(int)]
    check(SEVERAL[name](), BITS[:learned], labels[:learned], ONES, others)


def test_predictions_by_lot_are_not_repeated() -> None:
    votes = 2 * BITS - 1
    learner = th.RandomizedWeightedMajority(WIDTH, seed=4)
    learner.learn(votes, LABELS)
    assert run_of(learner, votes, LABELS).replay.errors_on(read_rows(votes, LABELS)) is None

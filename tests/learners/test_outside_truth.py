"""The same algorithm in other libraries."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from river import linear_model
from sklearn.linear_model import PassiveAggressiveClassifier
from sklearn.linear_model import Perceptron as ScikitPerceptron

import thresher as th

Table = NDArray[Any]


def rows(seed: int, n_rows: int = 300, n: int = 8) -> tuple[Table, Table]:
    generator = np.random.default_rng(seed)
    X = generator.integers(-8, 9, (n_rows, n)).astype(np.float64) / 4
    X *= generator.random((n_rows, n)) < 0.5
    # Multiples of 1/4: sums are exact in every order, so weights are equal, not close.
    return X, np.where(X @ np.arange(-3, n - 3) + generator.normal(0, 3, n_rows) > 0.5, 1, -1)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_scikit_learn_ends_with_the_same_weights(seed: int, bias: bool) -> None:
    X, y = rows(seed)
    # scikit-learn updates on every tie, we only where the label is -1; without ties it is one
    # algorithm. The first row is a tie; labelled -1 it is a mistake for both.
    ours = th.Perceptron(8, bias=bias)
    keep = [int(np.flatnonzero(np.abs(X).sum(axis=1))[0])]
    y[keep[0]] = -1
    ours.learn(X[keep], y[keep])
    for t in range(keep[0] + 1, len(X)):
        if ours.scores(X[t : t + 1])[0] != 0.0:
            ours.learn(X[t : t + 1], y[t : t + 1])
            keep.append(t)
    theirs = ScikitPerceptron(shuffle=False, max_iter=1, tol=None, fit_intercept=bias)
    theirs.fit(X[keep], y[keep])
    assert ours.mistakes > 20
    assert ours.weights.tolist() == theirs.coef_[0].tolist()
    assert ours.bias_weight == (theirs.intercept_[0] if bias else 0.0)
    untied = X[ours.scores(X) != 0.0]
    assert ours.predict(untied).tolist() == theirs.predict(untied).tolist()


@pytest.mark.filterwarnings("ignore::FutureWarning")
@pytest.mark.parametrize(("variant", "loss"), [("PA-I", "hinge"), ("PA-II", "squared_hinge")])
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_scikit_learn_is_as_passive_and_as_aggressive(variant: str, loss: str, C: float) -> None:
    X, y = rows(0)
    options = {"shuffle": False, "max_iter": 1, "tol": None, "fit_intercept": False}
    theirs = PassiveAggressiveClassifier(C=C, loss=loss, **options).fit(X, y)
    ours = th.PassiveAggressive(8, variant, C)
    ours.learn(X, y)
    assert len(ours.journal) > ours.mistakes > 20
    assert ours.weights == pytest.approx(theirs.coef_[0], rel=1e-9)


@pytest.mark.parametrize("variant", ["PA-I", "PA-II"])
def test_river_is_as_passive_and_as_aggressive(variant: str) -> None:
    X, y = rows(1)
    mode = {"PA-I": 1, "PA-II": 2}[variant]
    theirs = linear_model.PAClassifier(C=0.1, mode=mode, learn_intercept=False)
    ours = th.PassiveAggressive(8, variant, 0.1)
    for x, label in zip(X, y.tolist(), strict=True):
        features = {i: float(v) for i, v in enumerate(x) if v}
        if features:
            theirs.learn_one(features, label > 0)
            ours.learn_one(features, label)
    assert ours.weights == pytest.approx([theirs.weights[i] for i in range(8)], rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_river_ends_with_the_same_weights(seed: int) -> None:
    X, y = rows(seed)
    y[0] = -1  # a tie, and so a mistake for both
    theirs = linear_model.Perceptron(l2=0.0)
    ours = th.Perceptron(8, bias=True)
    for x, label in zip(X, y.tolist(), strict=True):
        features = {i: float(v) for i, v in enumerate(x) if v}
        if ours.score_one(features) == 0.0 and ours.n_rounds:
            continue
        theirs.learn_one(features, label > 0)
        ours.learn_one(features, label)
    assert ours.mistakes > 20
    assert ours.weights.tolist() == [theirs.weights[i] for i in range(8)]
    assert ours.bias_weight == theirs.intercept

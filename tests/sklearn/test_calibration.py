"""Probabilities from the scores of the rounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

import thresher as th
from tests.sklearn.test_estimator_checks import expected_failures
from tests.sklearn.test_learning import bits, colours
from thresher.errors import ParameterError
from thresher.sklearn import AROWClassifier, CommitteeClassifier, PerceptronClassifier


@pytest.mark.parametrize("method", ["isotonic", "platt"])
def test_two_classes_have_the_probabilities_of_the_calibrated_learner(method: str) -> None:
    X = bits(200)
    y = np.where(X[:, 2] > X[:, 4], 1, -1)
    model = PerceptronClassifier(calibrate=method).fit(X, y)
    learner = th.Calibrated(th.Perceptron(6, bias=True), method=method)
    learner.learn(X, y)
    assert model.predict_proba(X).tolist() == learner.predict_proba(X).tolist()
    assert model.predict_log_proba(X).tolist() == np.log(model.predict_proba(X)).tolist()


@pytest.mark.parametrize("stated", [True, False])
def test_several_classes_share_one(stated: bool) -> None:
    X = bits(200)
    y = colours(X)
    model = AROWClassifier(calibrate="platt", new_classes=not stated)
    for part in (slice(0, 50), slice(50, 200)):
        model.partial_fit(X[part], y[part], classes=["blue", "green", "red"] if stated else None)
    given = model.predict_proba(X)
    assert given.shape == (200, 3)
    assert np.allclose(given.sum(axis=1), 1.0)
    each = []
    for k, name in enumerate(model.classes_):
        start = 0 if stated else int(np.flatnonzero(y == name)[0])
        alone = th.Calibrated(th.AROW(6, bias=True), method="platt")
        alone.learn(X[start:], np.where(y[start:] == name, 1, -1))
        assert alone.learner == model.learners_[k]
        each.append(alone.predict_proba(X)[:, 1])
    expected = np.stack(each, axis=1)
    assert given.tolist() == (expected / expected.sum(axis=1, keepdims=True)).tolist()


def test_probabilities_are_there_when_asked_for() -> None:
    X, y = bits(), bits()[:, 0]
    assert not hasattr(AROWClassifier(), "predict_proba")
    assert hasattr(AROWClassifier(calibrate="platt"), "predict_proba")
    assert hasattr(CommitteeClassifier(), "predict_log_proba")
    with pytest.raises(ParameterError, match="'isotonic' or 'platt'"):
        AROWClassifier(calibrate="guess").fit(X, y)


def test_scikit_learn_finds_nothing_wrong_with_probabilities() -> None:
    model = AROWClassifier(calibrate="platt")
    # The learner's own predictions are those whose mistakes are counted, and the score at which
    # both classes are as likely need not be its threshold.
    expected = expected_failures(model) | {"check_classifiers_train": "predictions are by score"}
    done: list[dict[str, Any]] = check_estimator(
        model, expected_failed_checks=expected, on_skip=None
    )
    assert len(done) > 50
    assert [one["check_name"] for one in done if one["status"] == "failed"] == []

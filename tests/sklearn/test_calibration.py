"""Probabilities from the scores of the rounds."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
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
    y[:60] = np.where(y[:60] == "green", "blue", y[:60])
    model = AROWClassifier(calibrate="platt", new_classes=not stated)
    for part in (slice(0, 50), slice(50, 200)):
        model.partial_fit(X[part], y[part], classes=["blue", "green", "red"] if stated else None)
    given = model.predict_proba(X)
    assert given.shape == (200, 3)
    assert np.allclose(given.sum(axis=1), 1.0)
    each = []
    for k, name in enumerate(model.classes_):
        # A class that comes late has seen the rows before as well.
        alone = th.Calibrated(th.AROW(6, bias=True), method="platt")
        alone.wait_for_class()
        alone.learn(X, np.where(y == name, 1, -1))
        assert alone.learner == model.learners_[k]
        each.append(alone.predict_proba(X)[:, 1])
    expected = np.stack(each, axis=1)
    assert np.allclose(given, expected / expected.sum(axis=1, keepdims=True), rtol=1e-14, atol=0)


def test_probabilities_are_there_when_asked_for() -> None:
    X, y = bits(), bits()[:, 0]
    assert not hasattr(AROWClassifier(), "predict_proba")
    with pytest.raises(AttributeError) as caught:
        AROWClassifier().predict_proba(X)
    assert "set calibrate='platt'" in str(caught.value.__cause__)
    with pytest.raises(AttributeError) as caught:
        AROWClassifier(calibrate="platt").decision_function(X)
    assert "predict_proba takes the place" in str(caught.value.__cause__)
    assert hasattr(AROWClassifier(calibrate="platt"), "predict_proba")
    assert hasattr(CommitteeClassifier(), "predict_log_proba")
    with pytest.raises(ParameterError, match="'isotonic' or 'platt'"):
        AROWClassifier(calibrate="guess").fit(X, y)


@pytest.mark.parametrize("method", ["isotonic", "platt"])
@pytest.mark.parametrize("passes", [1, 2])
def test_the_likeliest_class_is_predicted(method: str, passes: int) -> None:
    X = bits(150)
    noise = np.random.default_rng(5).random(150)
    for y in (colours(X), np.where(X[:, 0] + noise > 1.4, 7, 3)):
        model = PerceptronClassifier(calibrate=method, max_iter=passes).fit(X, y)
        likeliest = model.classes_[model.predict_proba(X).argmax(axis=1)]
        assert model.predict(X).tolist() == likeliest.tolist()
        assert not hasattr(model, "decision_function")


def test_mistakes_are_those_of_the_scores_also_where_probabilities_predict() -> None:
    X = bits(150)
    y = np.where(X[:, 0] + np.random.default_rng(5).random(150) > 1.4, 7, 3)
    plain, model = PerceptronClassifier().fit(X, y), PerceptronClassifier(calibrate="platt")
    model.fit(X, y)
    assert model.mistakes_ == plain.mistakes_ == model.learners_[0].mistakes
    assert model.coef_.tolist() == plain.coef_.tolist()
    assert model.predict(X).tolist() != plain.predict(X).tolist()

"""The estimators among the tools they are made for."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

import thresher as th
from thresher.errors import NotCertifiableError
from thresher.sklearn import AROWClassifier, PerceptronClassifier, WinnowClassifier
from thresher.streams import load_mushrooms

MAIL = ["cash now", "meeting at noon", "free cash", "noon meeting notes"] * 5
KIND = ["spam", "ham", "spam", "ham"] * 5


def test_hashed_words_in_a_pipeline() -> None:
    model = make_pipeline(HashingVectorizer(n_features=2**10), AROWClassifier()).fit(MAIL, KIND)
    assert model.predict(["cash", "notes"]).tolist() == ["spam", "ham"]


def test_a_grid_search_and_cross_validation() -> None:
    X = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]] * 10)
    y = np.array([0, 1] * 10)
    search = GridSearchCV(AROWClassifier(), {"r": [0.1, 1.0]}, cv=2).fit(X, y)
    assert search.best_score_ == 1.0
    assert cross_val_score(WinnowClassifier(max_iter=3), X, y, cv=2).tolist() == [1.0, 1.0]


def test_weights_are_routed_to_the_estimator_that_asks_for_them() -> None:
    X, y = np.array([[1.0], [-1.0], [2.0], [-2.0]] * 3), np.array([0, 1, 0, 1] * 3)
    weight = np.arange(12.0)
    with config_context(enable_metadata_routing=True):
        asking = PerceptronClassifier().set_fit_request(sample_weight=True)
        model = make_pipeline(MinMaxScaler(), asking).fit(X, y, sample_weight=weight)
    alone = PerceptronClassifier().fit(MinMaxScaler().fit_transform(X), y, sample_weight=weight)
    assert model[-1].learners_ == alone.learners_


def test_names_of_features_come_from_frames() -> None:
    frame = pd.DataFrame({"free": [1, 0, 2], "cash": [0, 1, 0]})
    scaler = MinMaxScaler().set_output(transform="pandas")
    model = make_pipeline(scaler, WinnowClassifier()).fit(frame, [1, 0, 1])
    assert model[-1].feature_names_in_.tolist() == ["free", "cash"]
    with pytest.raises(ValueError, match="feature names"):
        model[-1].predict(pd.DataFrame({"cash": [1], "other": [0]}))


def test_new_columns_of_a_frame_are_found_by_name() -> None:
    model = PerceptronClassifier(new_features=True, fit_intercept=False)
    model.partial_fit(pd.DataFrame({"a": [1.0], "b": [2.0]}), [0], classes=[0, 1])
    model.partial_fit(pd.DataFrame({"c": [3.0], "a": [4.0]}), [1])
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert model.coef_.tolist() == [[3.0, -2.0, 3.0]]
    unseen = pd.DataFrame({"d": [9.0], "b": [1.0]})
    assert model.decision_function(unseen).tolist() == [-2.0]
    assert model.n_features_in_ == 3
    with pytest.raises(ValueError, match="new ones need some"):
        model.partial_fit(np.ones((1, 4)), [1])


def test_new_columns_of_an_array_stand_at_the_end() -> None:
    model = AROWClassifier(new_features=True).partial_fit([[1.0]], [0], classes=[0, 1, 2])
    model.partial_fit([[1.0, 0.0, 2.0]], [1]).partial_fit([[1.0, 1.0]], [2])
    assert model.coef_.shape == (3, 3)
    assert model.predict([[0.0, 0.0, 1.0, 7.0], [0.0, 1.0, 0.0, 0.0]]).tolist() == [1, 2]
    with pytest.raises(ValueError, match="3 features, but"):
        AROWClassifier().fit([[1.0], [2.0]], [0, 1]).partial_fit([[1.0, 2.0, 3.0]], [0])


@pytest.mark.parametrize("passes", [1, 2])
def test_a_certificate_of_two_classes(passes: int) -> None:
    batch, names = load_mushrooms(order=1)
    X, y = batch.to_scipy(len(names))[:300], np.where(batch.label[:300] > 0, "bad", "good")
    model = PerceptronClassifier(max_iter=passes).fit(X, y)
    certificate = model.certificate(X, y)
    assert isinstance(certificate, th.Certificate)
    assert certificate.false_negatives + certificate.false_positives == model.mistakes_
    assert certificate.rounds == 300 * passes == model.n_rounds_
    assert certificate.allowed is not None
    assert model.mistakes_ <= certificate.allowed
    # The second class in alphabetical order is the positive one.
    stream = th.Batch.of(X, y, positive="good")
    if passes == 1:
        assert th.verify(certificate, stream).holds


def test_each_of_several_classes_has_a_certificate() -> None:
    X, y = np.eye(3)[[0, 1, 2] * 4], ["c", "a", "b"] * 4
    model = WinnowClassifier().fit(X, y)
    found = model.certificate(X, y)
    assert isinstance(found, dict)
    assert list(found) == ["a", "b", "c"]
    for learner, certificate in zip(model.learners_, found.values(), strict=True):
        assert certificate.false_negatives + certificate.false_positives == learner.mistakes
    with pytest.raises(NotCertifiableError):
        model.certificate()


def test_a_notebook_shows_a_diagram() -> None:
    assert "PerceptronClassifier" in PerceptronClassifier()._repr_html_()

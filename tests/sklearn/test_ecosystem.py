"""The estimators among the tools they are made for."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config  # type: ignore[import-untyped]
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils import shuffle

import thresher as th
import thresher.sklearn
from thresher.errors import NotCertifiableError, SortedRowsWarning
from thresher.sklearn import (
    AROWClassifier,
    CommitteeClassifier,
    MulticlassPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)
from thresher.streams import load_mushrooms

ALL = [getattr(thresher.sklearn, name) for name in thresher.sklearn.__all__]
MAIL = ["cash now", "meeting at noon", "free cash", "noon meeting notes"] * 5
KIND = ["spam", "ham", "spam", "ham"] * 5


def test_hashed_words_in_a_pipeline() -> None:
    model = make_pipeline(HashingVectorizer(n_features=2**10), AROWClassifier()).fit(MAIL, KIND)
    assert model.predict(["cash", "notes"]).tolist() == ["spam", "ham"]


X_EASY = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]] * 10)
Y_EASY = np.array([0, 1] * 10)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_grid_search_by_one_or_by_two_at_a_time(jobs: int) -> None:
    grid = {"r": [0.1, 1.0], "calibrate": [None, "platt"]}
    with parallel_config(backend="threading"):
        search = GridSearchCV(AROWClassifier(), grid, cv=2, n_jobs=jobs).fit(X_EASY, Y_EASY)
    assert search.best_score_ == 1.0
    assert search.best_estimator_.learners_ == AROWClassifier(r=0.1).fit(X_EASY, Y_EASY).learners_


def test_a_grid_search_over_learners() -> None:
    model = Pipeline([("scale", MinMaxScaler()), ("learn", PerceptronClassifier())])
    kinds = [getattr(thresher.sklearn, name)() for name in thresher.sklearn.__all__]
    search = GridSearchCV(model, {"learn": kinds}, cv=2).fit(X_EASY, Y_EASY)
    assert search.best_score_ == 1.0
    assert not np.isnan(search.cv_results_["mean_test_score"]).any()


def test_cross_validation_and_scores_of_ranks() -> None:
    assert cross_val_score(WinnowClassifier(max_iter=3), X_EASY, Y_EASY, cv=2).tolist() == [1, 1]
    for model in (AROWClassifier(), AROWClassifier(calibrate="platt"), CommitteeClassifier()):
        ranks = cross_val_score(model, X_EASY, Y_EASY, cv=2, scoring="roc_auc")
        assert ranks.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("kind", ALL)
def test_it_is_cloned_pickled_and_drawn(kind: Any) -> None:
    y = np.where(X_EASY[:, 0] > 0, "yes", "no")
    model = kind(max_iter=2).fit(X_EASY, y)
    fresh = clone(model)
    assert fresh.get_params() == model.get_params()
    assert not hasattr(fresh, "classes_")
    again = pickle.loads(pickle.dumps(model))
    assert again.learner_ == model.learner_
    assert again.predict(X_EASY).tolist() == model.predict(X_EASY).tolist()
    assert (again.mistakes_, again.n_rounds_, again.n_iter_) == (model.mistakes_, 40, 2)
    again.partial_fit(X_EASY, y)
    assert again.n_rounds_ == 60
    assert kind.__name__ in model._repr_html_()
    assert kind.__name__ in repr(model)
    with pytest.raises(NotFittedError):
        fresh.predict(X_EASY)
    with pytest.raises(NotFittedError):
        fresh.certificate()


def test_weights_are_routed_to_the_estimator_that_asks_for_them() -> None:
    X, y = np.array([[1.0], [-1.0], [2.0], [-2.0]] * 3), np.array([0, 1, 0, 1] * 3)
    weight = np.arange(12.0)
    with config_context(enable_metadata_routing=True):
        asking = PerceptronClassifier().set_fit_request(sample_weight=True)
        model = make_pipeline(MinMaxScaler(), asking).fit(X, y, sample_weight=weight)
    alone = PerceptronClassifier().fit(MinMaxScaler().fit_transform(X), y, sample_weight=weight)
    assert model[-1].learners_ == alone.learners_
    with config_context(enable_metadata_routing=True):
        stream = PerceptronClassifier().set_partial_fit_request(sample_weight=True, classes=True)
        assert set(stream.get_metadata_routing().partial_fit.requests) == {
            "sample_weight",
            "classes",
        }


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
    X, y = batch.to_scipy(len(names))[:120], np.where(batch.label[:120] > 0, "bad", "good")
    model = PerceptronClassifier(max_iter=passes).fit(X, y)
    certificate = model.certificate(X, y)
    assert isinstance(certificate, th.Certificate)
    assert certificate.mistakes == model.mistakes_
    assert certificate.rounds == 120 * passes == model.n_rounds_
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
        assert certificate.mistakes == learner.mistakes
    with pytest.raises(NotCertifiableError):
        model.certificate()


def test_a_class_that_came_late_has_a_certificate_of_all_rows() -> None:
    X, y = np.eye(3)[[0, 1, 0, 1, 2, 0, 2, 1]], np.array(list("babacbca"))
    model = PerceptronClassifier(new_classes=True)
    model.partial_fit(X[:3], y[:3]).partial_fit(X[3:], y[3:])
    found = model.certificate(X, y)
    assert isinstance(found, dict)
    assert {label: certificate.rounds for label, certificate in found.items()} == {
        "a": 8,
        "b": 8,
        "c": 8,
    }
    for learner, (label, certificate) in zip(model.learners_, found.items(), strict=True):
        assert certificate.mistakes == learner.mistakes
        stream = th.Batch.of(X, np.where(y == label, 1, -1))
        assert th.verify(certificate, stream).holds
    assert found == PerceptronClassifier().fit(X, y).certificate(X, y)


def test_a_late_class_of_an_old_estimator_has_a_certificate_of_the_rows_since() -> None:
    X, y = np.eye(3)[[0, 1, 0, 1, 2, 0, 2, 1]], np.array(list("babacbca"))
    model: Any = PerceptronClassifier(new_classes=True).partial_fit(X[:1], y[:1])
    # What release 0.2.0 saved has no learner that sees every row as -1.
    each = model.learner_._each
    each.restore(each.members, ())
    found = model.partial_fit(X[1:], y[1:]).certificate(X, y)
    assert {label: part.rounds for label, part in found.items()} == {"a": 7, "b": 8, "c": 4}
    for learner, certificate in zip(model.learners_, found.values(), strict=True):
        assert certificate.mistakes == learner.mistakes


def test_scores_behind_probabilities_are_certified() -> None:
    y = np.where(X_EASY[:, 0] > 0, "yes", "no")
    sure, plain = PerceptronClassifier(calibrate="platt"), PerceptronClassifier()
    expected = plain.fit(X_EASY, y).certificate(X_EASY, y)
    assert sure.fit(X_EASY, y).certificate(X_EASY, y) == expected


def test_a_table_for_all_classes_has_one_certificate() -> None:
    model = MulticlassPerceptronClassifier().fit(X_EASY, Y_EASY)
    certificate = model.certificate(X_EASY, Y_EASY)
    assert isinstance(certificate, th.Certificate)
    assert certificate.mistakes == model.mistakes_
    assert certificate.classes is not None


def test_the_learner_inside_is_saved_and_goes_on_without_scikit_learn(tmp_path: Any) -> None:
    X, y = np.eye(3)[[0, 1, 2] * 4], ["c", "a", "b"] * 4
    model = AROWClassifier().fit(X, y)
    model.learner_.save(tmp_path / "model.thr")
    again = th.load(tmp_path / "model.thr")
    assert again.predict(X).tolist() == model.predict(X).tolist() == y


def test_rows_that_are_sorted_by_their_class_are_told_to_be() -> None:
    """One pass over them ends with a model of the last class, and the error hides it."""
    X, y = load_iris(return_X_y=True)
    with pytest.warns(SortedRowsWarning, match=r"changes 2 times in 150 rows.*utils\.shuffle\(X"):
        CommitteeClassifier().fit(X, y)
    X, y = shuffle(X, y, random_state=0)
    assert CommitteeClassifier().fit(X, y).score(X, y) > 0.9

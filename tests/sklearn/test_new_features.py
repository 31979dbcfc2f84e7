"""Features that were not there before."""

from __future__ import annotations

import pickle
from inspect import Parameter, signature
from typing import Any

import numpy as np
import pandas as pd
import pytest

import thresher as th
import thresher.sklearn
from thresher.errors import ParameterError, UnsoundBatchError
from thresher.sklearn import (
    AROWClassifier,
    CommitteeClassifier,
    MulticlassPerceptronClassifier,
    PerceptronClassifier,
    SignedWinnowClassifier,
    WinnowClassifier,
)

ALL = [getattr(thresher.sklearn, name) for name in thresher.sklearn.__all__]
RNG = np.random.default_rng(4)
X = RNG.integers(0, 2, (40, 5)).astype(float)
Y = np.array(["no", "perhaps", "yes"])[(X[:, 0] + X[:, 4]).astype(int)]


def room(kind: Any) -> Any:
    learner = getattr(th, kind.__name__.removesuffix("Classifier"))
    must_know = signature(learner).parameters["n_features"].default is Parameter.empty
    return {"new_features": 5 if must_know else True}


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("labels", [Y, np.where(Y == "no", "no", "yes")], ids=["three", "two"])
def test_every_estimator_takes_columns_that_come_later(kind: Any, labels: Any) -> None:
    classes = np.unique(labels)
    late = X.copy()
    late[:20, 3:] = 0.0
    whole = kind(**room(kind)).partial_fit(late, labels, classes=classes)
    model = kind(**room(kind))
    model.partial_fit(late[:20, :3], labels[:20], classes=classes)
    assert model.n_features_in_ == 3
    model.partial_fit(late[20:], labels[20:])
    assert model.n_features_in_ == 5
    assert model.decision_function(X).tolist() == whole.decision_function(X).tolist()
    assert model.predict(X).tolist() == whole.predict(X).tolist()
    # Columns that nobody has learned count for nothing.
    wider = np.hstack((X, 9.0 * np.ones((40, 2))))
    assert model.decision_function(wider).tolist() == model.decision_function(X).tolist()
    if hasattr(model, "coef_"):
        assert model.coef_.shape == (1 if len(classes) == 2 else 3, 5)


@pytest.mark.parametrize("kind", ALL)
def test_frames_are_matched_by_name_and_strangers_count_for_nothing(kind: Any) -> None:
    frame = pd.DataFrame(X, columns=list("abcde"))
    model, plain = kind(**room(kind)), kind(**room(kind))
    model.partial_fit(frame[["a", "b", "c"]], Y, classes=np.unique(Y))
    model.partial_fit(frame[["e", "d", "c", "b", "a"]], Y)
    assert model.feature_names_in_.tolist() == ["a", "b", "c", "e", "d"]
    plain.partial_fit(X[:, :3], Y, classes=np.unique(Y)).partial_fit(X[:, [0, 1, 2, 4, 3]], Y)
    ordered = plain.decision_function(X[:, [0, 1, 2, 4, 3]])
    assert model.decision_function(frame).tolist() == ordered.tolist()
    assert model.decision_function(frame.assign(z=7.0)).tolist() == ordered.tolist()
    # A frame without a known column has zeros there.
    without = X.copy()
    without[:, 1] = 0.0
    assert (
        model.decision_function(frame.drop(columns="b")).tolist()
        == plain.decision_function(without[:, [0, 1, 2, 4, 3]]).tolist()
    )


@pytest.mark.parametrize("kind", [WinnowClassifier, SignedWinnowClassifier])
def test_an_algorithm_that_depends_on_the_number_must_know_it(kind: Any) -> None:
    with pytest.raises(ParameterError, match="the number of features that there may ever be"):
        kind(new_features=True).fit(X, Y)
    with pytest.raises(ParameterError, match="new_features"):
        kind(new_features=3).fit(X, Y)
    model = kind(new_features=5).partial_fit(X[:, :3], Y, classes=np.unique(Y))
    before = pickle.dumps(model)
    with pytest.raises(ParameterError, match="at least 6, for so many features have come"):
        model.partial_fit(np.ones((40, 6)), Y)
    assert pickle.dumps(model) == before
    assert model.learner_.n_features == 5


@pytest.mark.parametrize("kind", [AROWClassifier, MulticlassPerceptronClassifier])
def test_what_is_refused_leaves_no_feature_and_no_class_behind(kind: Any) -> None:
    model = kind(new_features=True, new_classes=True)
    model.partial_fit(pd.DataFrame({"a": [1.0, 2.0]}), ["x", "y"])
    before = pickle.dumps(model)
    for y, sheet in (
        (["x", "z"], pd.DataFrame({"b": [1.0, np.inf]})),
        (["x"], pd.DataFrame({"b": [1.0, 2.0]})),
    ):
        with pytest.raises(ValueError, match=r"."):
            model.partial_fit(sheet, np.array(y, dtype=object))
        assert pickle.dumps(model) == before


def test_a_first_call_that_is_refused_leaves_nothing() -> None:
    model = PerceptronClassifier(new_features=True)
    with pytest.raises(ValueError, match="infinity"):
        model.partial_fit([[np.inf]], [1], classes=[0, 1])
    assert not hasattr(model, "classes_")
    assert not hasattr(model, "n_features_in_")


def test_columns_without_names_cannot_join_those_with_names() -> None:
    model = CommitteeClassifier(new_features=True)
    model.partial_fit(pd.DataFrame({"a": [1.0]}), [0], classes=[0, 1])
    with pytest.raises(UnsoundBatchError, match="new ones need some"):
        model.partial_fit(np.ones((1, 4)), [1])
    model.partial_fit(np.ones((1, 1)), [1])

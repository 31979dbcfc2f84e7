"""The River classifiers among the tools they are made for."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from river import base, compose, datasets, evaluate, metrics, multiclass, preprocessing

import thresher as th
import thresher.river
from thresher.errors import LabelError, ParameterError
from thresher.river import (
    AROWClassifier,
    CommitteeClassifier,
    MulticlassPassiveAggressiveClassifier,
    MulticlassPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)

ALL = [getattr(thresher.river, name) for name in thresher.river.__all__]
RNG = np.random.default_rng(6)
FRAME = pd.DataFrame(RNG.integers(0, 2, (60, 4)).astype(float), columns=["b", "d", "a", "c"])
COLOURS = pd.Series(np.array(["red", "green", "blue"])[RNG.integers(0, 3, 60)])


def one_by_one(model: Any, frame: pd.DataFrame, labels: Any) -> Any:
    for (_, row), label in zip(frame.iterrows(), labels, strict=True):
        model.learn_one(row.to_dict(), label)
    return model


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("labels", [COLOURS, COLOURS == "red"], ids=["names", "truth"])
def test_a_frame_is_its_rows_in_order(kind: Any, labels: Any) -> None:
    many = kind()
    many.learn_many(FRAME[:25], labels[:25])
    many.learn_many(FRAME[25:], labels[25:])
    one = one_by_one(kind(), FRAME, labels)
    assert many.learner == one.learner
    rows = FRAME.to_dict("records")
    assert many.predict_many(FRAME).tolist() == [one.predict_one(x) for x in rows]
    assert many.predict_many(FRAME[3:7]).index.tolist() == [3, 4, 5, 6]
    assert many.predict_many(FRAME[:0]).tolist() == []


@pytest.mark.parametrize("labels", [COLOURS, COLOURS == "red"], ids=["names", "truth"])
@pytest.mark.parametrize(
    "model", [AROWClassifier(calibrate="platt"), WinnowClassifier(64, calibrate="isotonic")]
)
def test_the_likeliest_class_is_predicted(model: Any, labels: Any) -> None:
    model = model.clone()
    assert model.predict_proba_one({"a": 1.0}) == {}
    assert model.predict_proba_many(FRAME).shape == (60, 0)
    model.learn_many(FRAME, labels)
    given = model.predict_proba_many(FRAME)
    assert np.allclose(given.sum(axis=1), 1.0)
    assert set(given.columns) == set(labels)
    assert model.predict_many(FRAME).tolist() == given.idxmax(axis="columns").tolist()
    for x, expected in zip(FRAME.to_dict("records"), given.to_dict("records"), strict=True):
        found = model.predict_proba_one(x)
        assert found == pytest.approx(expected, rel=1e-12)
        assert model.predict_one(x) == max(found, key=lambda label: found[label])


def test_probabilities_of_two_classes_are_those_of_the_calibrated_learner() -> None:
    model = one_by_one(PerceptronClassifier(calibrate="platt"), FRAME, COLOURS == "red")
    learner = th.Calibrated(th.Perceptron(bias=True, journal_bytes=0), "platt")
    names = sorted(FRAME.columns)
    signs = [1 if label else -1 for label in COLOURS == "red"]
    learner.learn(FRAME[names].to_dict("records"), signs)
    assert model.learner == learner
    row = dict.fromkeys("abcd", 1.0)
    assert model.predict_proba_one(row)[True] == learner.probability_one(row)


def test_who_has_no_probabilities_says_how_to_get_them() -> None:
    model = AROWClassifier()
    model.learn_one({"a": 1.0}, True)
    for call in (
        lambda: model.predict_proba_one({"a": 1.0}),
        lambda: model.predict_proba_many(FRAME),
    ):
        with pytest.raises(RuntimeError) as caught:
            call()
        assert "calibrate='platt'" in caught.value.__notes__[0]
    with pytest.raises(ParameterError, match="'isotonic' or 'platt'"):
        AROWClassifier(calibrate="guess")


def test_weights_come_one_for_all_or_one_for_each_row() -> None:
    weight = pd.Series(RNG.integers(1, 4, 60) / 2.0)
    many, one = AROWClassifier(), AROWClassifier()
    many.learn_many(FRAME, COLOURS, w=weight)
    for x, y, w in zip(FRAME.to_dict("records"), COLOURS, weight, strict=True):
        one.learn_one(x, y, w=w)
    assert many.learner == one.learner
    twice, plain = AROWClassifier(), AROWClassifier()
    twice.learn_many(FRAME, COLOURS, w=2.0)
    plain.learn_many(FRAME, COLOURS)
    assert twice.learner != plain.learner


@pytest.mark.parametrize("kind", [AROWClassifier, CommitteeClassifier, PerceptronClassifier])
def test_names_can_be_hashed(kind: Any) -> None:
    model = one_by_one(kind(n_features=512), FRAME, COLOURS == "red")
    assert model.learner.n_features == 512
    assert dict(model.learner.vocabulary) == {}
    exact = one_by_one(kind(), FRAME, COLOURS == "red")
    assert len({model.learner.column_of(name) for name in FRAME}) == 4
    assert model.predict_many(FRAME).tolist() == exact.predict_many(FRAME).tolist()
    assert model.learner.mistakes == exact.learner.mistakes


def test_a_frame_with_a_fault_leaves_no_trace() -> None:
    model = AROWClassifier()
    with pytest.raises(ValueError, match="nan"):
        model.learn_many(pd.DataFrame({"a": [1.0, np.nan]}), pd.Series([True, False]))
    with pytest.raises(LabelError, match="do not mix"):
        model.learn_many(FRAME[:2], pd.Series([True, "red"], dtype=object))
    assert model.learner is None
    model.learn_many(FRAME[:0], COLOURS[:0])
    assert model.predict_many(FRAME[:2]).tolist() == [None, None]


@pytest.mark.parametrize(
    "kind", [MulticlassPerceptronClassifier, MulticlassPassiveAggressiveClassifier]
)
def test_a_table_for_all_classes_takes_truth_and_names(kind: Any) -> None:
    model, learner = kind(), getattr(th, kind.__name__.removesuffix("Classifier"))
    expected = learner(bias=True, journal_bytes=0)
    for x, y in zip(FRAME.to_dict("records"), COLOURS, strict=True):
        model.learn_one(x, y)
        expected.learn_one({name: x[name] for name in sorted(x)}, y)
    assert model.learner == expected
    assert model.margins_one({"a": 1.0}) == expected.scores_one({"a": 1.0})
    truth = one_by_one(kind(), FRAME, COLOURS == "red")
    assert type(truth.predict_one({"a": 1.0})) is bool
    assert set(truth.margins_one({"a": 1.0})) == {True, False}
    assert kind().margins_one({}) == {}


def test_pipelines_learn_rows_and_frames() -> None:
    rows = compose.Pipeline(preprocessing.StandardScaler(), AROWClassifier(calibrate="platt"))
    metric = evaluate.progressive_val_score(
        datasets.Phishing().take(300), rows, metrics.ROCAUC() + metrics.LogLoss()
    )
    assert len(metric.get()) == 2
    frames = compose.Pipeline(preprocessing.StandardScaler(), AROWClassifier())
    frames.learn_many(FRAME, COLOURS)
    assert frames["AROWClassifier"].learner.n_rounds == 60
    assert set(frames.predict_many(FRAME)) <= set(COLOURS)


@pytest.mark.parametrize("inner", [CommitteeClassifier(), AROWClassifier(calibrate="platt")])
def test_it_serves_in_rivers_own_one_versus_rest(inner: Any) -> None:
    model = multiclass.OneVsRestClassifier(inner)
    for x, y in zip(FRAME.to_dict("records"), COLOURS, strict=True):
        model.learn_one(x, y)
    assert set(model.classifiers) == set(COLOURS)
    assert model.predict_one({"a": 1.0}) in set(COLOURS)


@pytest.mark.parametrize("kind", ALL)
def test_it_is_cloned_pickled_and_recognised(kind: Any) -> None:
    model = kind()
    model.learn_many(FRAME, COLOURS)
    fresh = model.clone()
    assert fresh.learner is None
    assert fresh._get_params() == model._get_params()
    again = pickle.loads(pickle.dumps(model))
    assert again.learner == model.learner
    assert isinstance(model, base.MiniBatchClassifier)
    assert (preprocessing.StandardScaler() | model)._multiclass


def test_a_clone_takes_other_parameters() -> None:
    model = AROWClassifier(r=0.5).clone({"r": 2.0})
    assert model.r == 2.0
    model.learn_one({"a": 1.0}, True)
    assert model.learner.parameters["r"] == 2.0

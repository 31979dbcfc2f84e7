"""What the River classifiers learn is what the learners learn."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from river import compose, datasets, evaluate, feature_extraction, metrics, preprocessing

import thresher as th
import thresher.river
from thresher.errors import FeatureRangeError, LabelError, ParameterError, RowError
from thresher.river import (
    AROWClassifier,
    CommitteeClassifier,
    PerceptronClassifier,
    SignedWinnowClassifier,
    WinnowClassifier,
)

ALL = [getattr(thresher.river, name) for name in thresher.river.__all__]
ROWS = [({"a": 1.0, "b": 2.0}, "x"), ({"c": 1.0}, "y"), ({"b": 1.0, "c": 3.0}, "z")] * 3


def test_true_and_false_are_one_learner() -> None:
    model, learner = PerceptronClassifier(), th.Perceptron(bias=True, journal_bytes=0)
    stream = list(datasets.Phishing().take(300))
    wrong = 0
    for x, y in stream:
        predicted = model.predict_one(x)
        wrong += bool(predicted is not None and predicted != y)
        model.learn_one(x, y)
        learner.learn_one({name: x[name] for name in sorted(x)}, 1 if y else -1)
    assert model.learner == learner
    first_was_wrong = not stream[0][1]
    assert learner.mistakes == wrong + first_was_wrong
    assert type(model.predict_one(stream[0][0])) is bool


def test_other_labels_have_a_learner_each_that_saw_every_row() -> None:
    model = AROWClassifier()
    for x, y in ROWS:
        model.learn_one(x, y)
    assert isinstance(model.learner, th.OneVersusRest)
    assert model.learner.classes == ("x", "y", "z")
    for name in model.learner.classes:
        # Names have their columns from the first round on, whoever learned then.
        alone = th.AROW(bias=True, journal_bytes=0)
        alone.wait_for_class()
        columns = {"a": 0, "b": 1, "c": 2}
        for x, y in ROWS:
            alone.learn_one({columns[key]: x[key] for key in x}, 1 if y == name else -1)
        assert model.learner.learner_of(name).weights.tolist() == alone.weights.tolist()
    assert [model.predict_one(x) for x, _ in ROWS[:3]] == ["x", "y", "z"]


def test_whole_numbers_are_labels_and_do_not_mix_with_truth() -> None:
    model = PerceptronClassifier()
    model.learn_one({"a": 1.0}, np.int64(1))
    model.learn_one({"b": 1.0}, 0)
    assert model.learner is not None
    assert model.learner.classes == (1, 0)
    assert model.predict_one({"b": 2.0}) == 0
    with pytest.raises(LabelError, match="do not mix"):
        model.learn_one({"a": 1.0}, True)
    two = PerceptronClassifier()
    two.learn_one({"a": 1.0}, True)
    with pytest.raises(LabelError, match="do not mix"):
        two.learn_one({"a": 1.0}, "spam")


def test_a_row_that_is_refused_leaves_no_trace() -> None:
    model = PerceptronClassifier()
    model.learn_one({"a": 1.0}, "x")
    before = pickle.dumps(model)
    with pytest.raises(RowError, match="must be a number"):
        model.learn_one(dict[str, Any](a="red"), "y")
    assert pickle.dumps(model) == before
    with pytest.raises(ParameterError, match="margin"):
        PerceptronClassifier(margin=-1.0)


def test_weights_are_importance() -> None:
    model, learner = AROWClassifier(), th.AROW(bias=True, journal_bytes=0)
    model.learn_one({"a": 1.0}, True, w=3.0)
    learner.learn_one({"a": 1.0}, 1, 3.0)
    assert model.learner == learner
    several, expected = AROWClassifier(), th.OneVersusRest(th.AROW(bias=True, journal_bytes=0))
    several.learn_one({"a": 1.0}, "x", w=3.0)
    expected.learn_one({"a": 1.0}, "x", 3.0)
    assert several.learner == expected


@pytest.mark.parametrize("kind", [WinnowClassifier, SignedWinnowClassifier])
def test_bounds_are_kept_scaled_or_an_error(kind: Any) -> None:
    scaled, plain = kind(n_features=64), kind(n_features=64, scaling=None)
    for x, y in [({"a": 1.0}, True), ({"b": 1.0}, False), ({"a": 1.0, "b": 1.0}, True)] * 4:
        scaled.learn_one({name: 50 * value for name, value in x.items()}, y)
        plain.learn_one(x, y)
    assert scaled.learner.weights.tolist() == plain.learner.weights.tolist()
    with pytest.raises(FeatureRangeError):
        plain.learn_one({"a": 50.0}, True)


@pytest.mark.parametrize("kind", ALL)
def test_the_order_within_a_row_decides_nothing(kind: Any) -> None:
    forth, back = kind(), kind()
    # Three numbers whose sum depends on the order in which they are added.
    rows = [*ROWS, ({"d": 0.1, "e": 0.2, "f": 0.3}, "x"), ({"f": 0.7, "a": 0.1, "e": 0.1}, "y")]
    for x, y in rows:
        forth.learn_one(x, y)
        back.learn_one(dict(reversed(x.items())), y)
    assert forth.learner == back.learner
    for x, _ in rows:
        assert forth.margins_one(x) == back.margins_one(dict(reversed(x.items())))


def test_probabilities_of_the_committee_are_its_own() -> None:
    model = CommitteeClassifier()
    assert model.predict_proba_one({"a": 1.0}) == {}
    for x, y in ROWS:
        model.learn_one(x, y == "x")
    assert isinstance(model.learner, th.Committee)
    score = model.learner.score_one({"a": 1.0})
    given = model.predict_proba_one({"a": 1.0})
    assert given == {False: 1.0 - (1 + score) / 2, True: (1 + score) / 2}


def test_a_pipeline_of_words_and_pairs_of_words() -> None:
    words = feature_extraction.BagOfWords(ngram_range=(1, 2))
    model = compose.Pipeline(words, PerceptronClassifier())
    for text, spam in [("free cash now", True), ("cash flow report", False)] * 3:
        model.learn_one(text, spam)
    assert model.predict_one("free cash") is True
    learner = model["PerceptronClassifier"].learner
    assert {"cash", "free cash"} <= set(learner.vocabulary)


def test_progressive_validation_counts_the_same_mistakes() -> None:
    model = preprocessing.MinMaxScaler() | AROWClassifier()
    metric = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    learner = model["AROWClassifier"].learner
    # River leaves the first row out, for which there is no prediction yet.
    assert abs(metric.get() - (1 - learner.mistakes / learner.n_rounds)) <= 1 / learner.n_rounds

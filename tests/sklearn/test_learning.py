"""What the estimators learn is what the learners learn, in the order given."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from sklearn.base import clone

import thresher as th
import thresher.sklearn
from thresher.errors import (
    FeatureRangeError,
    ImportanceError,
    LabelError,
    ParameterError,
    UnsoundBatchError,
)
from thresher.sklearn import (
    AROWClassifier,
    CommitteeClassifier,
    ModifiedBalancedWinnowClassifier,
    MulticlassPassiveAggressiveClassifier,
    MulticlassPerceptronClassifier,
    PassiveAggressiveClassifier,
    PerceptronClassifier,
    SignedWinnowClassifier,
    WinnowClassifier,
)

ALL = [getattr(thresher.sklearn, name) for name in thresher.sklearn.__all__]


def bits(n_rows: int = 60, n_features: int = 6, seed: int = 1) -> NDArray[np.float64]:
    return np.random.default_rng(seed).integers(0, 2, (n_rows, n_features)).astype(np.float64)


def colours(X: NDArray[np.float64]) -> NDArray[np.str_]:
    return np.where(X[:, 0] > 0, "red", np.where(X[:, 3] > X[:, 1], "green", "blue"))


@pytest.mark.parametrize("passes", [1, 3])
def test_two_classes_are_one_learner_over_the_rows_in_order(passes: int) -> None:
    X = bits()
    y = np.where(X[:, 2] > X[:, 4], "yes", "no")
    model = PerceptronClassifier(max_iter=passes).fit(X, y)
    learner = th.Perceptron(6, bias=True)
    for _ in range(passes):
        learner.learn(X, np.where(y == "yes", 1, -1))
    assert model.learners_ == [learner]
    assert model.coef_.tolist() == [learner.weights.tolist()]
    assert model.intercept_.tolist() == [learner.bias_weight]
    assert (model.mistakes_, model.n_rounds_, model.n_iter_) == (
        learner.mistakes,
        passes * len(X),
        passes,
    )
    assert model.predict(X).tolist() == np.where(learner.predict(X) > 0, "yes", "no").tolist()


def slow_mistakes(X: Any, y: Any, classes: list[str]) -> int:
    """One row at a time, by the rule in words."""
    learners = {name: th.AROW(X.shape[1], bias=True) for name in classes}
    mistakes = 0
    for row, name in zip(X, y, strict=True):
        scores = {each: learner.scores([row])[0] for each, learner in learners.items()}
        mistakes += max(scores, key=lambda each: scores[each]) != name
        for each, learner in learners.items():
            learner.learn([row], [1 if each == name else -1])
    return mistakes


def test_mistakes_among_several_classes_are_those_of_the_class_ahead() -> None:
    X = bits()
    y = colours(X)
    model = AROWClassifier().fit(X, y)
    assert 3 < model.mistakes_ == slow_mistakes(X, y, ["blue", "green", "red"])


JOINT = [
    (MulticlassPerceptronClassifier, th.MulticlassPerceptron),
    (MulticlassPassiveAggressiveClassifier, th.MulticlassPassiveAggressive),
]


@pytest.mark.parametrize(("kind", "learner"), JOINT)
@pytest.mark.parametrize("two", [True, False])
def test_a_table_for_all_classes_is_the_learner(kind: Any, learner: Any, two: bool) -> None:
    X = bits()
    y = np.where(colours(X) == "red", "red", "blue") if two else colours(X)
    names = np.unique(y).tolist()
    model = kind(max_iter=2).fit(X, y)
    expected = learner(6, bias=True, classes=names)
    mistakes = expected.learn(X, y).mistakes + expected.learn(X, y).mistakes
    assert model.learner_ == expected
    assert model.mistakes_ == mistakes
    assert model.predict(X).tolist() == expected.predict(X).tolist()
    scores = expected.scores(X)
    decision = scores[:, 1] - scores[:, 0] if two else scores
    tied = decision == 0.0
    assert model.decision_function(X)[~tied].tolist() == decision[~tied].tolist()
    linear = X @ model.coef_.T + model.intercept_
    assert np.allclose(linear[:, 0] if two else linear, decision)


@pytest.mark.parametrize("kind", [PerceptronClassifier, MulticlassPerceptronClassifier])
@pytest.mark.parametrize("first", ["a", "b"])
def test_a_tie_of_two_leans_to_the_class_that_appeared_first(kind: Any, first: str) -> None:
    other = "b" if first == "a" else "a"
    model = kind(new_classes=True, fit_intercept=False)
    model.partial_fit([[1.0, 0.0], [0.0, 1.0]], [first, other])
    tie = [[0.0, 0.0]]
    assert model.predict(tie).tolist() == [first]
    assert (model.decision_function(tie)[0] > 0) == (first == "b")
    assert abs(model.decision_function(tie)[0]) < 1e-300


@pytest.mark.parametrize("kind", ALL)
def test_mistakes_are_those_of_predictions_made_row_by_row(kind: Any) -> None:
    X = bits()
    y = colours(X)
    # The order of appearance is not the one that sorts it when it is applied once more.
    first, second, third = (str(name) for name in dict.fromkeys(y.tolist()))
    new = {first: "green", second: "red", third: "blue"}
    y = np.array([new[name] for name in y])
    model = kind(new_classes=True).partial_fit(X[:1], y[:1])
    mistakes = 1
    for at in range(1, 60):
        mistakes += int(model.predict(X[at : at + 1])[0] != y[at])
        model.partial_fit(X[at : at + 1], y[at : at + 1])
    assert model.mistakes_ == mistakes
    assert kind(new_classes=True).partial_fit(X, y).mistakes_ == mistakes


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("form", [np.asarray, csr_array])
def test_how_a_stream_is_cut_makes_no_difference(kind: Any, form: Any) -> None:
    X = bits()
    y = colours(X)
    whole = kind().fit(form(X), y)
    parts = kind()
    for part in (slice(0, 1), slice(1, 20), slice(20, 60)):
        parts.partial_fit(form(X[part]), y[part], classes=["red", "green", "blue"])
    assert parts.decision_function(X).tolist() == whole.decision_function(X).tolist()
    assert parts.mistakes_ == whole.mistakes_


@pytest.mark.parametrize("cuts", [[60], [1, 2, 3, 10, 60], [7, 60]])
def test_classes_that_come_later_have_learned_as_if_they_had_been_stated(cuts: list[int]) -> None:
    X = bits()
    y = colours(X)
    y[:9] = "blue"
    model = PerceptronClassifier(new_classes=True)
    first = 0
    for stop in cuts:
        model.partial_fit(X[first:stop], y[first:stop])
        first = stop
    assert model.classes_.tolist() == ["blue", "green", "red"]
    starts = [int(np.flatnonzero(y == name)[0]) for name in model.classes_]
    assert starts[0] == 0 < min(starts[1:])
    for learner, name in zip(model.learners_, model.classes_, strict=True):
        alone = th.Perceptron(6, bias=True)
        alone.learn(X, np.where(y == name, 1, -1))
        assert learner == alone
        # The rows before it came are rounds it has played.
        assert learner.n_rounds == len(X)
    stated = PerceptronClassifier().fit(X, y)
    assert model.learners_ == stated.learners_
    assert model.coef_.tolist() == stated.coef_.tolist()
    # A class cannot be predicted in the round in which it comes.
    assert model.mistakes_ >= 3
    again = PerceptronClassifier(new_classes=True).partial_fit(X, y)
    assert again.mistakes_ == model.mistakes_


def test_a_single_class_so_far_is_predicted() -> None:
    model = PerceptronClassifier(new_classes=True).partial_fit([[1.0], [2.0]], ["a", "a"])
    assert (model.predict([[-5.0]]).tolist(), model.mistakes_) == (["a"], 1)
    model.partial_fit([[-1.0]], ["b"])
    assert model.predict([[-5.0], [5.0]]).tolist() == ["b", "a"]


def test_classes_must_be_what_was_said() -> None:
    with pytest.raises(LabelError, match="first call to partial_fit"):
        PerceptronClassifier().partial_fit([[1.0]], [1])
    model = PerceptronClassifier().partial_fit([[1.0]], [1], classes=[0, 1])
    with pytest.raises(LabelError, match=r"found the classes \[2\]"):
        model.partial_fit([[1.0]], [2])
    with pytest.raises(LabelError, match=r"found the classes \[7\]"):
        model.partial_fit([[1.0]], [1], classes=[1, 7])
    model.set_params(new_classes=True)
    with pytest.raises(ValueError, match="cannot become three"):
        model.partial_fit([[1.0]], [2])
    with pytest.raises(LabelError, match="at least 2 classes that count, found 1 class"):
        PerceptronClassifier().fit([[1.0], [2.0]], [1, 1])


def test_weights_of_rows_are_their_importance() -> None:
    X, weight = bits(), np.random.default_rng(2).integers(0, 4, 60) / 2
    y = np.where(X[:, 2] > X[:, 4], 1, -1)
    model = AROWClassifier().fit(X, y, sample_weight=weight)
    learner = th.AROW(6, bias=True)
    learner.learn(X, y, importance=weight)
    assert model.learners_ == [learner]


def weights_of(y: Any, given: Any) -> dict[Any, float]:
    """The weight of each class, "balanced" by its definition."""
    names = sorted(set(y.tolist()))
    if given == "balanced":
        return {name: len(y) / (len(names) * np.count_nonzero(y == name)) for name in names}
    return {name: given.get(name, 1.0) for name in names}


@pytest.mark.parametrize("given", [{"red": 2.0}, {"red": 2.0, "blue": 0.5}, "balanced"])
@pytest.mark.parametrize("kind", [AROWClassifier, PassiveAggressiveClassifier])
def test_one_of_two_classes_weighs_what_its_rows_would_weigh(kind: Any, given: Any) -> None:
    X = bits()
    y = np.where(colours(X) == "red", "red", "blue")
    weight = np.array([weights_of(y, given)[name] for name in y])
    by_class = kind(class_weight=given).fit(X, y)
    assert by_class.learner_ == kind().fit(X, y, sample_weight=weight).learner_
    both = kind(class_weight=given).fit(X, y, sample_weight=weight)
    assert both.learner_ == kind().fit(X, y, sample_weight=weight**2).learner_


@pytest.mark.parametrize("given", [{"red": 2.0, "blue": 0.5}, "balanced"])
def test_one_of_several_classes_weighs_in_its_own_learner(given: Any) -> None:
    X, rows = bits(), np.random.default_rng(2).integers(1, 4, 60) / 2
    y = colours(X)
    each = weights_of(y, given)
    model = AROWClassifier(class_weight=given).fit(X, y, sample_weight=rows)
    for name, learner in zip(model.classes_, model.learners_, strict=True):
        alone = th.AROW(6, bias=True)
        alone.wait_for_class()
        own = np.where(y == name, each[name], 1.0)
        alone.learn(X, np.where(y == name, 1, -1), importance=rows * own)
        assert learner == alone


def test_where_a_weight_is_a_limit_it_counts_in_all_learners() -> None:
    X = bits()
    y = colours(X)
    given = {"red": 0.1, "blue": 0.01}
    weight = np.array([given.get(name, 1.0) for name in y])
    by_class = PassiveAggressiveClassifier(class_weight=given).fit(X, y)
    by_row = PassiveAggressiveClassifier().fit(X, y, sample_weight=weight)
    assert by_class.learner_ == by_row.learner_
    assert by_class.learner_ != PassiveAggressiveClassifier().fit(X, y).learner_


def test_weights_that_make_no_sense_are_refused() -> None:
    X, y = [[1.0], [2.0]], [0, 1]
    with pytest.raises(ParameterError, match="a dict for partial_fit"):
        PerceptronClassifier(class_weight="balanced").partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ImportanceError, match="all sample weights are zero"):
        PerceptronClassifier().fit(X, y, sample_weight=[0, 0])
    with pytest.raises(LabelError, match="found 1 class"):
        PerceptronClassifier().fit(X, y, sample_weight=[0, 1])
    with pytest.raises(ImportanceError, match="PassiveAggressive has no place"):
        PassiveAggressiveClassifier(variant="PA").fit(X, y, sample_weight=[1, 2])
    with pytest.raises(ParameterError, match=r"about the classes \[0, 1\]"):
        PerceptronClassifier(class_weight={0: 2.0, 2: 1.0}).fit(X, y)
    with pytest.raises(ParameterError, match="a dict, 'balanced' or None"):
        PerceptronClassifier(class_weight="fair").fit(X, y)
    with pytest.raises(ParameterError, match="max_iter"):
        PerceptronClassifier(max_iter=0).fit(X, y)


def test_a_tie_predicts_the_second_class_and_says_so() -> None:
    model = PerceptronClassifier(fit_intercept=False).fit([[1.0, 0.0], [1.0, 0.0]], [0, 1])
    tie = [[0.0, 5.0]]
    assert model.learners_[0].scores(tie).tolist() == [0.0]
    assert model.predict(tie).tolist() == [1]
    assert 0.0 < model.decision_function(tie)[0] < 1e-300


@pytest.mark.parametrize("kind", [WinnowClassifier, SignedWinnowClassifier])
def test_bounds_are_kept_scaled_or_an_error_and_never_clipped(kind: Any) -> None:
    X = bits()
    y = X[:, 0].astype(int)
    model = kind().fit(X, y)
    assert model.scaling_ is None
    before = pickle.dumps(model)
    with pytest.raises(FeatureRangeError, match="needs features in"):
        model.partial_fit(2 * X, y)
    with pytest.raises(FeatureRangeError, match="needs features in"):
        model.predict(2 * X)
    assert pickle.dumps(model) == before
    with pytest.raises(FeatureRangeError, match="needs features in"):
        kind(scaling=None).fit(2 * X, y)
    scaled = kind().fit(1000 * X, y)
    assert scaled.scaling_ == "online"
    assert scaled.coef_.tolist() == model.coef_.tolist()


@pytest.mark.parametrize("kind", [WinnowClassifier, ModifiedBalancedWinnowClassifier])
def test_negative_features_are_refused_where_they_have_no_meaning(kind: Any) -> None:
    X = bits()
    with pytest.raises(UnsoundBatchError, match="HashingVectorizer makes none"):
        kind().fit(-X, X[:, 0])
    with pytest.raises(UnsoundBatchError, match="Negative values in data"):
        kind().fit(X, X[:, 0]).predict(csr_array(-X))


def test_the_committee_gives_its_own_probabilities() -> None:
    X = bits()
    model = CommitteeClassifier().fit(X, X[:, 0])
    scores = model.learners_[0].scores(X)
    assert model.predict_proba(X)[:, 1].tolist() == ((1 + scores) / 2).tolist()
    several = CommitteeClassifier().fit(X, colours(X))
    given = several.predict_proba(X)
    assert np.allclose(given.sum(axis=1), 1.0)
    assert several.classes_[given.argmax(axis=1)].tolist() == several.predict(X).tolist()


def test_duplicates_of_a_sparse_matrix_are_added_up_in_a_copy() -> None:
    twice = csr_array((np.ones(3), np.array([1, 1, 0]), np.array([0, 2, 3])), shape=(2, 2))
    model = PerceptronClassifier(fit_intercept=False).fit(twice, ["a", "b"])
    assert model.coef_.tolist() == [[0.0, -2.0]]
    assert twice.nnz == 3


def test_a_clone_has_the_parameters_and_nothing_learned() -> None:
    model = PerceptronClassifier(margin=2.0, max_iter=2).fit([[1.0], [-1.0]], [1, 0])
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "coef_")
    assert pickle.loads(pickle.dumps(model)).learners_ == model.learners_

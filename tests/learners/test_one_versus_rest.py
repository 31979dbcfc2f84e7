"""What several classes get from one two-class learner for each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.errors import ImportanceError, ParameterError, RowError

RNG = np.random.default_rng(3)
X = RNG.integers(0, 3, (80, 6)) / 2.0
COLOURS = np.array(["red", "green", "blue"])
Y = COLOURS[np.argmax(X[:, :3] + RNG.random((80, 3)), axis=1)]


@pytest.mark.parametrize("base", [th.Perceptron(6, bias=True), th.Winnow(6), th.AROW()])
def test_scores_are_dot_products_with_the_weights_of_the_classes(base: Any) -> None:
    learner = th.OneVersusRest(base)
    learner.learn(X, Y)
    assert learner.weights.shape == (3, learner.n_features) == (3, 6)
    assert np.allclose(learner.scores(X), X @ learner.weights.T + learner.bias_weights)
    for line, label in zip(learner.weights, learner.classes, strict=True):
        assert line.tolist() == learner.learner_of(label).weights.tolist()


def test_before_the_first_class_there_are_no_weights() -> None:
    learner = th.OneVersusRest(th.Perceptron(6))
    assert learner.weights.shape == (0, 0)
    assert (learner.n_features, learner.bias_weights.tolist()) == (6, [])
    assert th.OneVersusRest(th.Committee()).probabilities_one({"a": 1.0}) == {}


def test_without_a_background_late_classes_have_fewer_weights_and_the_table_is_filled_up() -> None:
    learner = th.OneVersusRest(th.Perceptron())
    saved = learner.__getstate__()
    # As release 0.2.0 saved it.
    saved["state"] = saved["state"][:4]
    learner.__setstate__(saved)
    learner.learn([{0: 1.0}, {9: 1.0}, {0: 1.0}], ["a", "a", "b"])
    assert learner.weights.shape == (2, 10)
    assert learner.weights[1].tolist() == [0.0] * 10
    assert learner.learner_of("b").n_features == 1


@pytest.mark.parametrize("weight", [{"red": 3.0, "blue": 0.0}, {"violet": 7.0}])
def test_a_class_weighs_in_its_own_learner(weight: dict[Any, float]) -> None:
    importance = RNG.integers(1, 4, 80) / 2.0
    learner = th.OneVersusRest(th.AROW(6), COLOURS.tolist(), class_weight=weight)
    learner.learn(X, Y, importance=importance)
    one = th.OneVersusRest(th.AROW(6), COLOURS.tolist(), class_weight=weight)
    for row, label, w in zip(X, Y, importance, strict=True):
        one.learn_one(dict(enumerate(row)), label, w)
    assert one == learner
    for label in COLOURS.tolist():
        alone = th.AROW(6)
        alone.wait_for_class()
        own = np.where(label == Y, weight.get(label, 1.0), 1.0)
        alone.learn(X, np.where(label == Y, 1, -1), importance=importance * own)
        assert learner.learner_of(label) == alone


@pytest.mark.parametrize("base", [th.Committee(6, class_weight={1: 1e2}), th.AROW(6)])
def test_what_rows_and_classes_weigh_together_is_refused_before_anybody_learns(base: Any) -> None:
    learner = th.OneVersusRest(base, class_weight={"red": 1e5})
    learner.learn(X, Y)
    before = learner.copy()
    with pytest.raises(ImportanceError, match=r"row 3: .* class weight is .*; it must be"):
        learner.learn([[1.0]] * 4, ["red"] * 4, importance=[1, 1, 1, 1e6])
    with pytest.raises(ImportanceError, match="from 0 to 1e9"):
        learner.learn_one({0: 1.0}, "red", 1e6)
    assert learner == before


def test_a_committee_refuses_what_its_floats_cannot_hold() -> None:
    learner = th.Committee(6, class_weight={1: 1e9})
    for _ in range(3):
        learner.learn(X, np.where(Y == "red", 1, -1))
    before = learner.copy()
    with pytest.raises(ImportanceError, match="Divide the class weights"):
        learner.learn(X[:2], [-1, -1], importance=[1.0, 2.0])
    with pytest.raises(ImportanceError, match="Divide the class weights"):
        learner.learn_one({0: 1.0}, -1, 2.0)
    assert learner == before
    assert np.isfinite(learner.scores(X)).all()


def test_weights_of_classes_are_kept_with_the_learner(tmp_path: Path) -> None:
    learner = th.OneVersusRest(th.AROW(6), class_weight={np.int64(3): 2.0, "red": 1})
    assert learner.parameters["class_weight"] == {3: 2.0, "red": 1.0}
    learner.learn(X, Y)
    learner.save(tmp_path / "m.thr")
    again = th.load(tmp_path / "m.thr")
    assert again == learner
    assert again.learn(X, Y).mistakes == learner.learn(X, Y).mistakes


def test_weights_of_classes_that_make_no_sense_are_refused() -> None:
    lists: Any = [1.0, 2.0]
    with pytest.raises(ParameterError, match="a dict from label to weight"):
        th.OneVersusRest(th.AROW(6), class_weight=lists)
    with pytest.raises(ParameterError, match="class_weight"):
        th.OneVersusRest(th.AROW(6), class_weight={"a": -1.0})


@pytest.mark.parametrize(
    "base", [th.Committee(6), th.Calibrated(th.AROW(6)), th.Calibrated(th.Winnow(6), "platt")]
)
def test_probabilities_are_those_of_the_classes_shared_out(base: Any) -> None:
    learner = th.OneVersusRest(base)
    learner.learn(X, Y)
    given = learner.predict_proba(X)
    raw = [learner.learner_of(label).predict_proba(X)[:, 1] for label in learner.classes]
    assert given.tolist() == (np.stack(raw, 1) / np.stack(raw, 1).sum(1, keepdims=True)).tolist()
    for row, expected in zip(X[:5], given, strict=False):
        found = learner.probabilities_one(dict(enumerate(row)))
        assert list(found) == list(learner.classes)
        assert np.allclose(list(found.values()), expected, rtol=1e-12)


def test_a_committee_says_how_sure_it_is() -> None:
    learner = th.Committee(6)
    learner.learn(X, np.where(Y == "red", 1, -1))
    assert learner.predict_proba(X)[:, 1].tolist() == ((1.0 + learner.scores(X)) / 2.0).tolist()
    row = {i: v for i, v in enumerate(X[0]) if v}
    assert learner.probability_one(row) == learner.predict_proba([row])[0, 1]


def test_learners_without_probabilities_say_how_to_get_them() -> None:
    learner = th.OneVersusRest(th.AROW(6))
    with pytest.raises(ParameterError, match=r"OneVersusRest\(Calibrated\(learner\)\)"):
        learner.probabilities_one({0: 1.0})


def test_a_row_that_is_refused_leaves_no_class_and_no_name() -> None:
    learner = th.OneVersusRest(th.Perceptron())
    learner.learn_one({"a": 1.0}, "x")
    before = learner.copy()
    with pytest.raises(RowError):
        learner.learn_one({"b": float("nan")}, "y")
    assert learner == before
    assert learner.classes == ("x",)


@pytest.mark.parametrize("base", [th.Conjunction(6), th.RandomizedWeightedMajority(6, seed=2)])
def test_rows_alone_and_in_batches_are_the_same_for_learners_of_other_kinds(base: Any) -> None:
    rows = [{int(i): 1.0 for i in np.flatnonzero(row)} for row in X[:30]]
    if isinstance(base, th.RandomizedWeightedMajority):
        rows = [{i: 1.0 if row.get(i) else -1.0 for i in range(6)} for row in rows]
    batch, alone = th.OneVersusRest(base), th.OneVersusRest(base)
    expected = batch.learn(rows, Y[:30]).predictions.tolist()
    found = [alone.learn_one(row, label) for row, label in zip(rows, Y[:30], strict=True)]
    assert found == expected
    assert alone == batch


def test_rounds_that_changed_nobody_are_told_where_learners_change_on_mistakes_alone() -> None:
    rows, labels = (
        [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]],
        ["a", "b", "a", "b", "a"],
    )
    learner = th.OneVersusRest(th.Perceptron(3))
    for row, label in zip(rows * 4, labels * 4, strict=True):
        before = learner.copy()
        changed = learner.learn([row], [label]).changed
        assert changed is not None
        then, now = before.learned_state(), learner.learned_state()
        same = then.keys() == now.keys() and all(np.array_equal(then[k], now[k]) for k in now)
        assert bool(changed[0]) != same
    assert th.OneVersusRest(th.AROW(3)).learn(rows, labels).changed is None

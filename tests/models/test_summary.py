"""What a model is said to be: of two classes and of several, JSON-ready."""

from __future__ import annotations

import json
from typing import Any

import pytest

import thresher as th
from tests.models.classes import SEVERAL, labelled
from thresher.errors import ExportError
from thresher.models.model import Model
from thresher.models.shared_columns import collisions_of
from thresher.models.summary import summary
from thresher.names.kept import KeptNames
from thresher.streams.label_scheme import LabelScheme

FACTS = [
    "sha256", "learner", "parameters", "rounds", "mistakes", "names", "recipe", "history",
    "data_sha256",
]  # fmt: skip
OF_TWO = ["false_negatives", "false_positives", "positive", "negative", "journal"]
WEIGHTS = ["weights", "constant", "default", "touched", "features"]


def test_of_two_classes_it_is_one_list_of_weights() -> None:
    learner = th.Perceptron(64, bias=True)
    learner.learn([{"free": 1, "cash": 2}, {"meeting": 1}], [-1, 1])
    found = summary(Model(learner=learner, labels=LabelScheme("ham", "spam")), top=1)
    assert list(found) == [*FACTS, *OF_TWO, "n_features", "threshold", *WEIGHTS]
    assert json.loads(json.dumps(found)).keys() == found.keys()
    assert (found["positive"], found["negative"]) == ("ham", "spam")
    kept = {"updates": learner.mistakes, "kept": learner.mistakes}
    assert found["journal"] == {**kept, "explains_the_weights": True}
    (heaviest,) = found["features"]
    assert heaviest["column"] == learner.column_of("cash")
    assert (heaviest["weight"], found["touched"], found["constant"]) == (
        learner.weights.min(),
        (learner.weights != 0).sum(),
        learner.bias_weight,
    )


@pytest.mark.parametrize("learner", SEVERAL, ids=lambda learner: learner.plain_name)
def test_of_several_classes_each_has_its_own(learner: Any) -> None:
    learner = learner.copy()
    learner.learn(*labelled())
    model = Model(learner=learner)
    found = summary(model)
    assert list(found) == [*FACTS, "n_classes", "classes"]
    assert json.loads(json.dumps(found)).keys() == found.keys()
    assert [one["label"] for one in found["classes"]] == list(learner.classes)
    for one in found["classes"]:
        assert list(one) == ["label", *WEIGHTS]
        weights = [feature["weight"] for feature in one["features"]]
        # What speaks for the class comes first, and what speaks against it last.
        assert weights == sorted(weights, reverse=True)
        (alone,) = summary(model, label=one["label"])["classes"]
        sizes = [abs(feature["weight"]) for feature in alone["features"]]
        assert sizes == sorted(sizes, reverse=True)
        assert sorted(sizes) == sorted(map(abs, weights))
        form = learner.linear_form(one["label"])
        assert one["constant"] == form.constant / form.divisor - form.minus


def test_what_many_rows_had_speaks_louder_than_what_few_had() -> None:
    learner = th.MulticlassPerceptron(64, classes=["a", "b"])
    model = Model(learner=learner)
    learner.learn([{"often": 1, "seldom": 1.5}], ["b"])
    model.kept = KeptNames(model.name_table)
    model.kept.add([["often", "seldom"], *[["often"]] * 5])
    for label, first in ((None, ["often"]), ("b", ["seldom"])):
        found = {one["label"]: one["features"] for one in summary(model, 1, label)["classes"]}
        assert found["b"][0]["names"] == first


@pytest.mark.parametrize(
    ("learner", "kind", "keys"),
    [
        (th.AROW(scaling="online"), "scaled", {"weight", "largest", "weight_of_unscaled"}),
        (th.Perceptron(8, scaling="l2"), "scaled", {"weight", "largest", "weight_of_unscaled"}),
        (th.ModifiedBalancedWinnow(8), "alone", {"value", "adds"}),
        (th.Committee(), "alone", {"value", "adds"}),
    ],
)
def test_what_is_no_plain_weight_is_called_something_else(
    learner: Any, kind: str, keys: set[str]
) -> None:
    learner.learn([{0: 8.0}, {1: 1.0}, {0: 4.0, 1: 1.0}] * 5, [1, -1, 1] * 5)
    found = summary(Model(learner=learner))
    assert (found["weights"], found["touched"]) == (kind, 2)
    first, second = found["features"]
    assert first.keys() == second.keys() == {"column", "names"} | keys
    sizes = [abs(one.get("weight", one.get("adds"))) for one in (first, second)]
    assert sizes == sorted(sizes, reverse=True)


def test_a_weight_of_scaled_values_is_given_for_values_as_they_come_too() -> None:
    learner = th.Perceptron(2, scaling="online")
    learner.learn([{0: -8.0}], [-1])
    (only,) = summary(Model(learner=learner))["features"]
    assert (only["weight"], only["largest"], only["weight_of_unscaled"]) == (1.0, 8.0, 0.125)
    assert learner.score_one({0: 2.0}) == 2.0 * only["weight_of_unscaled"]


def test_who_does_not_score_feature_by_feature_says_so() -> None:
    learner = th.Halving(th.concepts.Disjunctions(3))
    found = summary(Model(learner=learner))
    assert found["features"] is None
    assert "feature by feature" in found["why_no_features"]
    assert json.loads(json.dumps(found))["learner"] == learner.name


def test_a_committee_for_each_class_shows_what_features_add_alone() -> None:
    learner = th.OneVersusRest(th.Committee(2))
    learner.learn([[1, 0], [0, 1]] * 5, ["a", "b"] * 5)
    for one in summary(Model(learner=learner))["classes"]:
        assert one["weights"] == "alone"
        assert one["features"][0]["adds"] > 0 > one["features"][-1]["adds"]


def test_a_mixture_says_how_its_members_have_done() -> None:
    learner = th.Committee(2)
    learner.learn([[1, 0], [0, 1]] * 5, [1, -1] * 5)
    members = summary(Model(learner=learner))["members"]
    assert [(one["name"], one["mistakes"]) for one in members] == [
        (member.name, member.mistakes) for member in learner.members
    ]
    assert "members" not in summary(Model(learner=th.Perceptron(2)))
    assert th.Perceptron(2).members == ()


def test_a_class_that_is_not_there_is_an_error_and_no_summary() -> None:
    model = Model(learner=th.MulticlassPerceptron(2, classes=["a"]))
    with pytest.raises(ExportError, match="no class 'b'"):
        summary(model, label="b")
    with pytest.raises(ExportError, match="two classes and one list of weights"):
        summary(Model(learner=th.Perceptron(2)), label="a")


def test_features_that_share_a_column_are_those_of_one_class() -> None:
    learner = th.OneVersusRest(th.Perceptron(1))
    learner.learn([{"a": 1}, {"b": 1}], ["x", "y"])
    model = Model(learner=learner)
    model.kept = KeptNames(model.name_table)
    model.kept.add([["a"], ["b"]])
    (shared,) = collisions_of(model, label="y").worst
    assert shared.names == ("a", "b")
    assert shared.weight == learner.learner_of("y").weights[0]
    with pytest.raises(ExportError, match="several classes"):
        collisions_of(model)

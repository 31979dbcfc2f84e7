"""Text, read back; names and labels in text and JSON."""

from __future__ import annotations

import json

import pytest

import thresher as th
from tests.export.models import WEIGHED, trained
from tests.learners.makers import Maker
from thresher.export import form_of, to_json, to_text
from thresher.export.scorer import linear_scorer
from thresher.models.model import Model
from thresher.streams.label_scheme import LabelScheme

every_model = pytest.mark.parametrize("maker", WEIGHED, ids=str)


@every_model
def test_the_text_lists_the_weights_of_the_learner_by_size(maker: Maker) -> None:
    model = trained(maker)
    lines = [line for line in to_text(model).splitlines() if not line.startswith("#")]
    listed = [(int(name), float(weight)) for name, weight in (line.split("\t") for line in lines)]
    form = form_of(model.learner)
    expected = {c: float(w) / form.divisor for c, w in enumerate(form.weights) if w != form.default}
    assert dict(listed) == expected
    assert listed == sorted(listed, key=lambda item: (-abs(item[1]), item[0]))


def test_names_and_labels_are_those_of_the_data() -> None:
    learner = th.Perceptron()
    learner.learn([{"free": 1, "a\tb": 2}, {"meeting": 1}, {"free": 1}], [-1, 1, 1])
    model = Model(learner=learner, labels=LabelScheme("spam", "ham"))
    assert to_text(model) == (
        "# perceptron: 2 mistakes in 3 rounds\n"
        "# spam if the sum of weight times value is at least 0.0, otherwise ham\n"
        "a\\tb\t-2.0\n"
    )
    assert json.loads(to_json(model))["features"][0]["names"] == ["a\tb"]


def test_only_the_heaviest_are_listed_if_asked() -> None:
    learner = th.Perceptron(5).with_dual([1.0, -3.0, 2.0, 0.0, 3.0])
    text = to_text(Model(learner=learner), top=2)
    assert text.endswith("# the 2 heaviest of 4 features\n1\t-3.0\n4\t3.0\n")
    assert [f["column"] for f in json.loads(to_json(Model(learner=learner), 3))["features"]] == [
        1, 4, 2,
    ]  # fmt: skip
    assert linear_scorer(Model(learner=learner), 2).forms[0].weights.tolist() == [0, -3, 0, 0, 3]


def test_what_no_update_has_touched_is_said_once() -> None:
    learner = th.Winnow(2**16)
    learner.learn([{3: 1, 5: 1}], [+1])
    text = to_text(Model(learner=learner))
    assert "# features not listed weigh\t1.0\n3\t2.0\n5\t2.0\n" in text
    assert len(text.splitlines()) == 5


def test_of_several_classes_each_has_a_weight() -> None:
    learner = th.OneVersusRest(th.Winnow(3, threshold=2))
    learner.learn([{0: 1}, {1: 1}, {0: 1, 2: 1}], ["a\tb", "c", "c"])
    text = to_text(Model(learner=learner))
    assert "# classes:\ta\\tb\tc\n" in text
    assert "# every row has\t-2.0\t-2.0\n" in text
    listed = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    found = {int(column): [float(w) for w in each] for column, *each in listed}
    for r, label in enumerate(learner.classes):
        weights = learner.learner_of(label).weights
        assert all(weights[column] == each[r] for column, each in found.items())


@pytest.mark.parametrize(
    ("scaling", "says"), [("l2", "by its length"), ("online", "by the largest of its feature")]
)
def test_a_scaled_model_says_so(scaling: str, says: str) -> None:
    assert says in to_text(Model(learner=th.AROW(3, scaling=scaling)))

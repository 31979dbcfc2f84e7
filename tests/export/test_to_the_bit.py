"""C, JavaScript and JSON give the scores of the model to the bit, whatever the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.export.models import ROUNDED, WEIGHED, asked, too_close, trained
from tests.export.runners import InC, InJavaScript, InJson
from tests.learners.makers import Maker
from tests.learners.test_forms import odd_rows
from thresher.export import form_of, to_json
from thresher.learners.base.learner import Learner
from thresher.models.model import Model
from thresher.streams import Rows, load_mushrooms

SEVERAL: list[Learner] = [
    th.MulticlassPerceptron(9, bias=True),
    th.MulticlassPassiveAggressive(),
    th.OneVersusRest(th.AROW(bias=True)),
    th.OneVersusRest(th.AROW(9, scaling="l2")),
    th.OneVersusRest(th.AdaGrad(scaling="online")),
    th.OneVersusRest(th.Calibrated(th.PassiveAggressive(9))),
    th.OneVersusRest(th.Committee(9)),
    th.OneVersusRest(th.Committee(members=[("arow", 1, "unit"), ("means", 1, "root")])),
]
TWO: list[Learner] = [
    th.Committee(9),
    th.Committee(),
    th.Calibrated(th.Committee(members=[("adagrad", 1, "root"), ("arow", 0.1, "scaled")]), "platt"),
    *(th.AROW(9, bias=True, scaling=scaling) for scaling in ("l2", "l1", "max", "online")),
    th.Perceptron(scaling="online"),
    th.PassiveAggressive(scaling="l2"),
]


@pytest.mark.parametrize("maker", WEIGHED + ROUNDED, ids=str)
def test_every_linear_learner_keeps_its_scores(maker: Maker, tmp_path: Path) -> None:
    model, rows = trained(maker), asked(maker)
    expected = form_of(model.learner).scores(rows).tolist()
    settled = too_close(model.learner, model.learner.scores(rows))
    labels = np.where(model.learner.predict(rows) > 0, "+1", "-1")
    for runner in (InC(model, tmp_path), InJavaScript(model), InJson(to_json(model))):
        answers = [runner.row(row) for row in rows]
        assert [scores for scores, _ in answers] == [[score] for score in expected]
        same = np.array([label for _, label in answers]) == labels
        assert np.all(same | settled)


@pytest.mark.parametrize("learner", TWO + SEVERAL, ids=repr)
def test_scaled_learners_committees_and_several_classes_keep_theirs(
    learner: Any, tmp_path: Path
) -> None:
    learner = learner.copy()
    rows = odd_rows(90, 9, 1)
    if learner.several:
        labels = [f"class {(2 * len(row) + (sum(row.values()) > 0)) % 5}" for row in rows]
        learner.learn(rows[:70], labels[:70])
        # A late class has seen fewer columns than the others, where learners grow.
        learner.learn([{0: 1.0}, {3: -2.0}], ["late", "late"])
    else:
        learner.learn(rows, [1 if sum(row.values()) > 0.2 else -1 for row in rows])
    model = Model(learner=learner)
    grows = model.name_table.growing
    questions = [*odd_rows(60, 12 if grows else 9, 2), {}, {0: 0.0}, {1: -0.0, 2: 1.0}]
    scores = learner.scores(questions)
    expected = scores.tolist() if learner.several else [[score] for score in scores.tolist()]
    predicted = learner.predicted_numbers(scores).tolist()
    names = learner.classes if learner.several else ("-1", "+1")
    for runner in (InC(model, tmp_path), InJavaScript(model), InJson(to_json(model))):
        answers = [runner.row(row) for row in questions]
        assert [found for found, _ in answers] == expected
        assert [label for _, label in answers] == [names[number] for number in predicted]


@pytest.mark.parametrize("n_classes", [2, 3])
def test_a_committee_keeps_what_it_knows_about_mushrooms(n_classes: int, tmp_path: Path) -> None:
    mushrooms, names = load_mushrooms(order=1)
    learner: Any = th.Committee(len(names))
    if n_classes > 2:
        learner = th.OneVersusRest(learner)
        odors = [next(names[i] for i in row if names[i].startswith("odor")) for row in mushrooms]
        learner.learn(Rows.of(list(mushrooms[:2000])), odors[:2000])
    else:
        learner.learn(mushrooms[:2000])
    rows = mushrooms[2000:2100]
    model = Model(learner=learner)
    expected = learner.scores(rows).reshape(len(rows), -1).tolist()
    for runner in (InC(model, tmp_path), InJavaScript(model)):
        assert [runner.row(row)[0] for row in rows] == expected
    document = InJson(to_json(model))
    assert [document.row(row)[0] for row in rows[:20]] == expected[:20]


@pytest.mark.parametrize("rounds", [0, 3])
def test_a_committee_that_has_seen_no_feature_is_exported(rounds: int, tmp_path: Path) -> None:
    learner = th.Committee(5)
    learner.learn(np.zeros((rounds, 5)), [-1] * rounds)
    model = Model(learner=learner)
    expected = learner.scores([{3: 1.0}]).tolist()
    for runner in (InC(model, tmp_path), InJavaScript(model), InJson(to_json(model))):
        assert runner.row({3: 1.0}) == (expected, "-1" if rounds else "+1")


MEMBERS = [
    [("arow", 1, "standard")],
    [("arow", 10, "pairs"), ("matrix", 1, "standard")],
    [("means", 1, "presence"), ("arow", 1, "squares")],
]


@pytest.mark.parametrize("members", MEMBERS, ids=str)
def test_members_for_narrow_streams_alone_keep_their_scores(members: Any, tmp_path: Path) -> None:
    learner = th.Committee(9, members=members)
    rows = odd_rows(60, 9, 1)
    learner.learn(rows, [1 if sum(row.values()) > 0.2 else -1 for row in rows])
    model, asked = Model(learner=learner), odd_rows(40, 9, 2)
    for runner in (InC(model, tmp_path), InJavaScript(model), InJson(to_json(model))):
        assert [runner.row(row)[0][0] for row in asked] == learner.scores(asked).tolist()


def test_who_has_left_a_committee_is_not_exported(tmp_path: Path) -> None:
    learner = th.Committee(200)
    random = np.random.default_rng(1)
    rows = [{int(i): 1.0 for i in random.choice(200, 9, replace=False)} for _ in range(60)]
    learner.learn(rows, random.choice([-1, 1], 60))
    # Pairs and hats are for 128 columns, standardised ones for 1024.
    assert len(learner.mixture_form().seats) == 4
    model = Model(learner=learner)
    for runner in (InC(model, tmp_path), InJavaScript(model), InJson(to_json(model))):
        assert [runner.row(row)[0][0] for row in rows[:20]] == learner.scores(rows[:20]).tolist()

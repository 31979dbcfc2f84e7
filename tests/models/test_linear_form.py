"""The linear form of every learner, of two classes and of several."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.export.models import ROUNDED, WEIGHED, asked, too_close, trained
from tests.learners.makers import MAKERS, Maker
from tests.models.classes import SEVERAL, labelled
from thresher.errors import ExportError
from thresher.learners.base.linear_form import LinearForm
from thresher.models.linear_form import form_of
from thresher.streams import Rows


@pytest.mark.parametrize("maker", WEIGHED, ids=str)
def test_the_linear_form_gives_the_scores_of_the_learner_to_the_bit(maker: Maker) -> None:
    model, rows = trained(maker), asked(maker)
    found, expected = form_of(model.learner).scores(rows), model.learner.scores(rows)
    settled = too_close(model.learner, expected)
    assert found[~settled].tolist() == expected[~settled].tolist()
    assert np.abs(found - expected)[settled].max(initial=0.0) < 1e-12
    assert np.count_nonzero(~settled) > 60


@pytest.mark.parametrize("learner", SEVERAL, ids=lambda learner: learner.plain_name)
def test_every_class_has_a_form_that_gives_its_scores(learner: Any) -> None:
    table, labels = labelled()
    learner = learner.copy()
    learner.learn(table, labels)
    fresh = Rows.of(labelled(seed=9)[0])
    scores = learner.scores(fresh)
    for number, label in enumerate(learner.classes):
        found = form_of(learner, label).scores(fresh)
        np.testing.assert_allclose(found, scores[:, number], rtol=1e-12, atol=1e-12)


def test_of_several_classes_one_must_be_named() -> None:
    with pytest.raises(ExportError, match=r"has several classes.*model_of_class"):
        form_of(th.MulticlassPerceptron(classes=["red", "blue"]))


def test_a_class_whose_weights_are_not_its_scores_is_refused() -> None:
    class Liar(th.MulticlassPerceptron):
        def linear_form(self, label: Any = None) -> LinearForm:
            return super().linear_form("red")

    liar = Liar(2)
    liar.learn([[1, 0], [0, 1], [1, 1]], ["red", "blue", "red"])
    form_of(liar, "red")
    with pytest.raises(ExportError, match="scores of this Liar"):
        form_of(liar, "blue")


@pytest.mark.parametrize("maker", [m for m in MAKERS if m not in WEIGHED + ROUNDED], ids=str)
def test_what_is_not_linear_is_refused_by_the_learner_itself(maker: Maker) -> None:
    learner = trained(maker).learner
    with pytest.raises(ExportError, match=r"by weights alone|no list of weights"):
        learner.linear_form()


def test_a_learner_whose_weights_are_not_its_scores_is_refused() -> None:
    class Liar(th.Perceptron):
        def _weights(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
            return super()._weights() * 2.0

    liar = Liar(3)
    liar.learn([[1, 0, 1]], [-1])
    with pytest.raises(ExportError, match="scores of this Liar are not those of its weights"):
        form_of(liar)


@pytest.mark.parametrize("make", [th.Elimination, th.Conjunction])
@pytest.mark.parametrize("n_rows", [0, 1, 2])
def test_negated_features_are_folded_into_weights_and_a_constant(make: Any, n_rows: int) -> None:
    learner = make(4, literals=True)
    learner.learn(np.array([[1, 0, 0, 1], [0, 0, 1, 1]])[:n_rows], [-1, 1][:n_rows])
    every_row = Rows.of(list(itertools.product([0, 1], repeat=4)))
    form = form_of(learner)
    assert form.scores(every_row).tolist() == learner.scores(every_row).tolist()
    assert form.constant == learner.scores([{}])[0]

"""The history of every weight of every learner, from its journal alone."""

from __future__ import annotations

import numpy as np
import pytest

import thresher as th
from tests.export.models import WEIGHED, trained
from tests.learners.makers import Maker, N
from thresher.errors import ExportError
from thresher.learners.base.linear_learner import LinearLearner
from thresher.models.blame import blame
from thresher.models.model import Model

every_model = pytest.mark.parametrize("maker", WEIGHED, ids=str)


@every_model
def test_the_journal_tells_how_every_weight_came_about(maker: Maker) -> None:
    model = trained(maker)
    journal = model.learner.journal_as_given
    assert journal is not None
    for column in range(N):
        found = blame(model, str(column))
        assert found.matches is True
        held = [k for k, row in enumerate(journal) if column in row]
        assert [e.round_number for e in found.entries] == journal.round_number[held].tolist()
        if found.entries and "normalized" not in maker.title and "signed" not in maker.title:
            # Between its own updates a weight stands still, unless all are divided by their sum
            # or by a norm.
            last = found.entries[-1].weight
            moves = ("majority", "conjunction", "p-norm")
            assert np.isclose(last, found.weight) or any(word in maker.title for word in moves)


def test_weights_of_rows_are_part_of_the_history() -> None:
    learner = th.Perceptron(n_features=2)
    learner.learn([[1, 0], [1, 1]], [-1, -1], importance=[2.5, 1.0])
    learner.learn([[0, 1], [1, 0]], [-1, +1], importance=[3.0, 0.5])
    found = blame(Model(learner=learner), "0")
    assert [(entry.round_number, entry.weight) for entry in found.entries] == [(0, -2.5), (3, -2.0)]
    assert found.matches is True


def test_a_journal_that_was_tampered_with_is_noticed() -> None:
    model = trained(WEIGHED[0])
    learner = model.learner
    assert isinstance(learner, LinearLearner)
    forged = learner.with_dual(learner.dual + 1.0)
    forged.warm_start = False
    forged._engine.set_history(learner._engine.counts(), learner._engine.journal)
    model.learner = forged
    assert blame(model, "1").matches is False


def test_a_class_with_a_learner_of_its_own_has_a_history_of_every_weight() -> None:
    learner = th.OneVersusRest(th.Perceptron(2))
    learner.learn([[1, 0], [1, 1], [1, 0]], ["red", "blue", "red"])
    model = Model(learner=learner)
    found = blame(model, "0", label="red")
    assert [entry.label for entry in found.entries] == ["not red", "red"]
    assert (found.weight, found.matches) == (learner.learner_of("red").weights[0], True)
    with pytest.raises(ExportError, match="has several classes"):
        blame(model, "0")


def test_a_mixture_has_no_weight_to_tell_of() -> None:
    with pytest.raises(ExportError, match="no list of weights"):
        blame(Model(learner=th.Committee(2)), "0")


def test_a_weight_of_scaled_rows_is_told_for_values_as_they_come() -> None:
    learner = th.Perceptron(2, scaling="online")
    learner.learn([[8.0, 0.0], [0.0, 1.0], [4.0, 0.0]], [-1, 1, 1])
    history = blame(Model(learner=learner), "0")
    assert history.matches
    assert history.weight == history.entries[-1].weight == learner.score_one({0: 1.0})

"""How much features matter: measured over rows, and by themselves."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import thresher as th
from tests.models.classes import labelled
from thresher.errors import ExportError
from thresher.models.importance import AT_ONCE
from thresher.models.model import Model
from thresher.streams.rows import Rows


def committee() -> tuple[Model, Rows]:
    table, names = labelled(n_rows=AT_ONCE + 50)
    learner = th.Committee(6)
    learner.learn(table, [1 if name == "red" else -1 for name in names])
    return Model(learner=learner), Rows.of(table)


def test_the_importance_is_the_spread_of_what_explanations_say() -> None:
    model, rows = committee()
    found = model.importances(rows)
    assert (found.unit, found.rows) == ("log-odds", len(rows))
    adds = np.zeros((len(rows), 6))
    for t, row in enumerate(rows):
        for part in model.explain(row).contributions:
            adds[t, part.column] = part.adds
    assert [one.column for one in found.features] == np.argsort(-adds.std(axis=0)).tolist()
    for one in found.features:
        assert one.importance == pytest.approx(adds[:, one.column].std())
        assert one.adds == pytest.approx(adds[:, one.column].mean())
        assert one.rows == np.count_nonzero(rows.column == one.column)


def test_files_are_read_as_the_training_data_was(tmp_path: Path) -> None:
    file = tmp_path / "mail.tsv"
    file.write_text("spam\tfree cash\nham\tlunch\n" * 4)
    model = th.train(file, "perceptron:bias=yes", positive="spam", format="text", words=(1, 1))
    found = model.importances(file)
    assert found == model.importances([{"free": 1, "cash": 1}, {"lunch": 1}] * 4)
    assert {one.names for one in found.features} == {("free",), ("cash",), ("lunch",)}
    assert model.importances(file, top=1).features == found.features[:1]


def test_without_rows_a_feature_matters_by_what_it_adds_alone() -> None:
    model, _ = committee()
    lone = model.learner.lone_effects()
    found = model.importances()
    assert found.rows is None
    assert [one.adds for one in found.features] == lone.adds.tolist()
    assert [one.importance for one in found.features] == np.abs(lone.adds).tolist()


def test_of_several_classes_it_is_the_mean_over_them_or_one_of_them() -> None:
    learner = th.MulticlassPerceptron(2, classes=["a", "b"])
    learner.learn([[1.0, 0.0]], ["b"])
    model = Model(learner=learner)
    rows = [[2.0, 5.0], [0.0, 5.0]]
    both = {
        one.column: (one.importance, one.adds, one.rows) for one in model.importances(rows).features
    }
    # It adds -2 or 0 for a, and 2 or 0 for b.
    assert both == {
        0: (1.0, 0.0, 1),
        1: (0.0, 0.0, 2),
    }
    (first, _) = model.importances(rows, label="b").features
    assert (first.column, first.importance, first.adds) == (0, 1.0, 1.0)
    with pytest.raises(ExportError, match="no class 'c'"):
        model.importances(rows, label="c")


def test_a_model_without_classes_and_one_that_counts_votes_say_so() -> None:
    with pytest.raises(ExportError, match="not seen a class"):
        Model(learner=th.MulticlassPerceptron(2)).importances()
    with pytest.raises(ExportError, match="feature by feature"):
        Model(learner=th.Halving(th.concepts.Disjunctions(2))).importances()

"""Several passes with rows held out: the model is the one after the best."""

from __future__ import annotations

from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import noisy_rows, run
from thresher.models.events import PassFinished, TrainingEvent


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "a.svm"
    path.write_text(noisy_rows(400))
    return path


@pytest.mark.parametrize("learner", ["perceptron", "arow:r=1/1000"])
def test_the_model_is_the_one_after_the_best_pass(data: Path, learner: str) -> None:
    events: list[TrainingEvent] = []
    model = th.train(data, learner, passes=6, holdout=4, n_features=30, on_event=events.append)
    errors = [event.holdout_error or 0.0 for event in events if isinstance(event, PassFinished)]
    best = errors.index(min(errors)) + 1
    assert 1 <= best < 6
    again = th.train(data, learner, passes=best, holdout=4, n_features=30)
    assert model.learner == again.learner
    (training,) = model.history
    assert training.holdout_errors == tuple(errors)
    assert [(source.passes, source.rows) for source in training.sources] == [(best, best * 400)]
    assert model.holdout is None
    assert model.kept is not None
    assert model.kept.table == model.name_table


def test_a_vocabulary_is_that_of_the_best_pass(data: Path) -> None:
    model = th.train(data, "perceptron", passes=6, holdout=4, vocabulary=True)
    assert model.predict(data).tolist()
    assert model.kept is not None
    assert model.kept.table is model.name_table


def test_the_report_says_which_pass_the_model_is_from(data: Path) -> None:
    said = run(
        "train", data, "-o", data.parent / "m.thr", "--passes", "6", "--holdout", "4",
        "--learner", "perceptron",
    )  # fmt: skip
    rounds = th.Model.load(data.parent / "m.thr").learner.n_rounds
    assert f"the model is that of pass {rounds // 300}" in said.stdout

"""Commands speak of two classes, and say so to a model that has several."""

from __future__ import annotations

from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import run


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    learner = th.MulticlassPerceptron(8)
    learner.learn([{1: 1}, {2: 1}, {3: 1}], ["a", "b", "c"])
    model, data = tmp_path / "several.thr", tmp_path / "rows.svm"
    learner.save(model)
    data.write_text("1 1:1\n-1 2:1\n")
    return str(model), str(data)


@pytest.mark.parametrize("command", ["predict", "test", "inspect", "certify"])
def test_a_model_with_several_classes_is_refused(files: tuple[str, str], command: str) -> None:
    model, data = files
    result = run(command, model, *([] if command == "inspect" else [data]))
    assert result.exit_code == 2
    assert "this MulticlassPerceptron has several classes, and commands have two" in result.stderr


def test_training_does_not_go_on_with_several_classes(files: tuple[str, str]) -> None:
    model, data = files
    result = run("train", data, "--resume", model, "-o", model)
    assert result.exit_code == 2
    assert "has several classes" in result.stderr


@pytest.mark.parametrize("learner", ["multiclass_perceptron", "one_versus_rest", "calibrated"])
def test_a_learner_that_needs_a_program_is_refused(files: tuple[str, str], learner: str) -> None:
    model, data = files
    result = run("train", data, "--learner", learner, "-o", model)
    assert result.exit_code == 2
    assert f"{learner} can only be made by a program" in result.stderr

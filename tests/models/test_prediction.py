from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.cli.class_streams import batch_of, class_rows, svmlight
from tests.cli.running import noisy_rows, run
from thresher.errors import OtherFormatError, ParameterError, ResumeError, StreamFaultError
from thresher.models import scoring
from thresher.models.file import load_model
from thresher.models.input_data import InputData
from thresher.models.prediction import Predictions, predict, predict_probabilities

FRESH = class_rows(60, seed=9)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("answers")
    (folder / "two.svm").write_text(noisy_rows(300))
    (folder / "several.svm").write_text(svmlight(class_rows(400)))
    (folder / "new.svm").write_text(svmlight(FRESH))
    (folder / "bad.svm").write_text("x y\nred 1:1\nred 1:x\nred z\nblue 2:1\nq w\n")
    for name, data, words in (
        ("two", "two.svm", ["--learner", "perceptron"]),
        ("sure", "several.svm", ["--positive", "red", "--calibrate", "platt"]),
        ("several", "several.svm", ["--calibrate", "platt"]),
        ("joint", "several.svm", ["--learner", "multiclass_passive_aggressive"]),
    ):
        output = ["-o", folder / f"{name}.thr", "--bits", "6", "-q"]
        assert run("train", folder / data, *output, *words).exit_code == 0
    return folder


@pytest.fixture(autouse=True)
def _in_the_folder(made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made)


@pytest.mark.parametrize("name", ["two", "sure", "several", "joint"])
def test_the_labels_are_the_lines_of_the_command(name: str) -> None:
    model = load_model(f"{name}.thr")
    lines = run("predict", f"{name}.thr", "new.svm").stdout.splitlines()
    forms: list[Any] = [
        "new.svm",
        Path("new.svm"),
        ["new.svm"],
        InputData(paths=("new.svm",), chunk_bytes=100),
        batch_of(FRESH),
        batch_of(FRESH).to_scipy(64),
        [dict.fromkeys(on, 1.0) for _, on in FRESH],
    ]
    for data in forms:
        assert predict(model, data).tolist() == lines


def test_several_files_are_answered_one_after_the_other() -> None:
    model = load_model("several.thr")
    once = predict(model, "new.svm").tolist()
    assert predict(model, ("new.svm", "new.svm")).tolist() == once + once


@pytest.mark.parametrize("name", ["sure", "several"])
def test_a_bad_line_keeps_its_place(name: str) -> None:
    model, data = load_model(f"{name}.thr"), InputData(paths=("bad.svm",), on_bad=("skip", None))
    missing = [True, False, True, True, False, True]
    assert [label is None for label in predict(model, "bad.svm", on_bad="skip")] == missing
    assert [label is None for label in predict(model, data)] == missing
    sure = predict_probabilities(model, data)
    assert np.isnan(sure).all(axis=1).tolist() == missing
    assert sure.shape == (6, len(model.learner.classes))
    predictions = Predictions(model, data)
    assert [part.bad_after for part in predictions] == [[0, 1, 1, 2]]
    assert predictions.bad.count == 4


@pytest.mark.parametrize("name", ["sure", "several"])
def test_probabilities_are_those_of_the_learner_and_add_up(name: str) -> None:
    model = load_model(f"{name}.thr")
    expected = model.learner.predict_proba(batch_of(FRESH))
    for data in ("new.svm", batch_of(FRESH)):
        sure = predict_probabilities(model, data)
        assert sure.tolist() == expected.tolist()
        assert sure.sum(axis=1).tolist() == pytest.approx([1.0] * 60, abs=1e-12)
    told = json.loads(
        run("predict", f"{name}.thr", "new.svm", "--probabilities", "--json").stdout.splitlines()[7]
    )
    assert [*told["probabilities"].values()] == expected[7].tolist()


@pytest.mark.parametrize("name", ["two", "joint"])
def test_whoever_knows_no_probabilities_says_so_before_anything_is_read(name: str) -> None:
    model = load_model(f"{name}.thr")
    for data in (InputData(paths=("none.svm",)), batch_of(FRESH)):
        with pytest.raises(ParameterError, match="calibrated to give probabilities"):
            predict_probabilities(model, data)


@pytest.mark.parametrize("name", ["sure", "several"])
def test_every_row_is_scored_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_model(f"{name}.thr")
    kind, counted = type(model.learner), []
    scores = kind.scores

    def counting(self: Any, X: Any) -> Any:
        if self is model.learner:
            counted.append(len(X))
        return scores(self, X)

    monkeypatch.setattr(kind, "scores", counting)
    data = InputData(paths=("new.svm",), chunk_bytes=200)
    parts = list(Predictions(model, data, probabilities=True))
    assert len(parts) > 3
    assert sum(counted) == 60


@pytest.mark.parametrize("together", [1, 7, 10, 59])
@pytest.mark.parametrize("name", ["sure", "several"])
def test_no_more_scores_are_held_than_there_is_room_for(
    name: str, together: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = load_model(f"{name}.thr")
    whole = predict(model, "new.svm").tolist()
    monkeypatch.setattr(scoring, "SCORES_TOGETHER", together)
    parts = list(Predictions(model, InputData(paths=("new.svm",))))
    columns = 3 if name == "several" else 1
    assert max(part.scores.size for part in parts) <= max(together, columns)
    assert [label for part in parts for label in part.labels] == whole
    assert predict(model, batch_of(FRESH)).tolist() == whole


def test_a_row_that_does_not_fit_is_called_by_its_own_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = th.Model(learner=th.Winnow(n_features=4))
    monkeypatch.setattr(scoring, "SCORES_TOGETHER", 2)
    with pytest.raises(StreamFaultError, match=r"^row 4: "):
        predict(model, [[1, 0], [1, 0], [1, 0], [0, 0], [0, 7]])


def test_a_learner_from_a_program_answers_as_it_was_taught() -> None:
    learner = th.Perceptron(n_features=2)
    learner.learn([[1, 0], [0, 1]], [1, -1])
    assert predict(th.Model(learner=learner), [[1, 0], [0, 1]]).tolist() == [1, -1]
    several = th.OneVersusRest(th.Perceptron(n_features=2))
    assert predict(th.Model(learner=several), [[1, 0]]).tolist() == [None]
    several.learn([[1, 0], [0, 1]], [7, 8])
    assert predict(th.Model(learner=several), [[1, 0], [0, 1]]).tolist() == [7, 8]
    assert predict(th.Model(learner=several), np.empty((0, 2))).tolist() == []


@pytest.mark.parametrize("name", ["two", "several"])
def test_the_best_class_comes_first(name: str) -> None:
    (part,) = Predictions(load_model(f"{name}.thr"), InputData(paths=("new.svm",)))
    best = part.best(9)
    assert best[:, 0].tolist() == part.numbers.tolist()
    assert [sorted(row) for row in best.tolist()] == [[*range(len(part.names))]] * 60
    assert part.best(1).shape == (60, 1)


def test_errors_speak_to_a_program() -> None:
    model = load_model("several.thr")
    for name in ("new", "new.json"):
        Path(name).write_text('{"features": {"0": 1}}\n')
    with pytest.raises(OtherFormatError, match=r"If it is json, say format='json'\.$"):
        predict(model, "new")
    assert len(predict(model, "new", format="json")) == len(predict(model, "new.json")) == 1
    with pytest.raises(ResumeError, match="one_based"):
        predict(model, InputData(paths=("new.svm",), given={"one_based": True}))
    for data in (InputData(paths=("new.svm",)), [[1, 0]]):
        with pytest.raises(ParameterError, match="format must be left out: it is for paths"):
            predict(model, data, format="json")
    with pytest.raises(ParameterError, match="found 'words_of_wisdom'"):
        predict(model, "new.svm", words_of_wisdom=3)


def test_a_name_that_nobody_knows_a_column_for_is_refused() -> None:
    model = th.Model(learner=th.Halving(th.concepts.Disjunctions(3)))
    with pytest.raises(th.errors.UnsoundBatchError, match="feature 'a' is a name"):
        model.predict([{"a": 1}])

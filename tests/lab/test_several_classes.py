"""Several classes in the lab: the figures of the library, and a clear word where there are none."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.testclient import TestClient

import thresher as th
from tests.cli.class_streams import class_rows, svmlight
from thresher.lab.files import OF_SEVERAL, read_file
from thresher.lab.frames import weight_history
from thresher.lab.quality import MOST_CLASSES, explained, quality
from thresher.lab.race import race
from thresher.lab.shelf import Shelf
from thresher.models.blame import blame
from thresher.models.comparison import Comparison
from thresher.models.input_data import InputData


@pytest.fixture
def file(shelf: Shelf, tmp_path: Path) -> Path:
    path = tmp_path / "colours.svm"
    path.write_text(svmlight(class_rows(300)))
    shelf.keep("k", read_file(str(path), "colours.svm", {}, "k"))
    return path


def rounds_of(learner: Any, path: Path) -> th.Rounds:
    rows, labels = [], []
    for line in path.read_text().splitlines():
        label, *cells = line.split()
        labels.append(label)
        rows.append({int(cell.split(":")[0]): float(cell.split(":")[1]) for cell in cells})
    rounds: th.Rounds = learner.learn(rows, labels)
    return rounds


@pytest.mark.parametrize("learner", OF_SEVERAL)
def test_the_confusion_is_that_of_the_rounds(shelf: Shelf, file: Path, learner: str) -> None:
    run = shelf.run("file:k", learner)
    told = quality(run)
    rounds = rounds_of(run.learner.started_anew(), file)
    assert told.mistakes == rounds.mistakes == run.learner.mistakes
    labels, said = rounds.labels.tolist(), rounds.predictions.tolist()
    assert told.others == 0
    for r, label in enumerate(told.classes):
        for k, other in enumerate(told.classes):
            assert told.confusion[r][k] == sum(
                pair == (label, other) for pair in zip(labels, said, strict=True)
            )
        figures = told.figures[r]
        assert (figures.label, figures.rows) == (label, labels.count(label))
        right = told.confusion[r][r]
        assert figures.recall == right / labels.count(label)
        assert figures.precision == right / said.count(label)
    assert sum(map(sum, told.confusion)) == 300
    assert [one.label for one in told.weights] == told.classes
    # Of several classes there is no single score to rank rows by.
    assert (told.roc, told.area) == ([], None)


def test_the_calibration_is_that_of_what_was_said(shelf: Shelf, file: Path) -> None:
    run = shelf.run("file:k", "committee")
    told = quality(run)
    rounds = rounds_of(run.learner.started_anew(), file)
    assert rounds.predicted is not None
    known = rounds.predicted >= 0
    assert sum(one.rows for one in told.calibration) == np.count_nonzero(known)
    right = np.count_nonzero(~rounds.mistaken)
    assert sum(one.rows * one.came for one in told.calibration) == pytest.approx(right)
    said = ((1 + rounds.scores[known]) / 2).sum()
    assert sum(one.rows * one.said for one in told.calibration) == pytest.approx(said)
    assert quality(shelf.run("file:k", "multiclass_perceptron")).calibration == []


def test_a_row_is_explained_by_the_class_that_was_said(shelf: Shelf, file: Path) -> None:
    run = shelf.run("file:k", "multiclass_perceptron")
    rounds = rounds_of(run.learner.started_anew(), file)
    for t in (2, 150, 300):
        why = explained(run, t)
        assert why["said"] == rounds.predictions[t - 1]
        assert why["label"] == rounds.labels[t - 1]
        assert why["total"] == rounds.scores[t - 1]
    assert explained(run, 1)["said"] == "nothing"


def test_a_weight_of_a_class_is_blamed_on_its_rounds(shelf: Shelf, file: Path) -> None:
    run = shelf.run("file:k", "perceptron")
    told = quality(run)
    assert told.journal
    label, heaviest = told.weights[0].label, told.weights[0].for_[0]
    history = weight_history(run, heaviest.column, label)
    twin = blame(th.Model(learner=run.learner), str(heaviest.column), label)
    assert history["matches"] is True
    assert (history["weight"], history["updates"]) == (twin.weight, len(twin.entries))
    assert history["weight"] == heaviest.adds
    assert {one["label"] for one in history["entries"]} <= {label, f"not {label}"}


def test_a_race_of_several_classes_is_that_of_the_library(shelf: Shelf, file: Path) -> None:
    *_, last = race("file:k", [*OF_SEVERAL], shelf.files)
    assert last.several
    twin = Comparison(InputData.described(str(file)), OF_SEVERAL)
    for _ in twin:
        pass
    made = {runner.title: runner.curve.mistakes for runner in twin.race.runners}
    assert {line.learner: line.made for line in last.lines} == made


def test_step_says_that_it_is_for_two_classes(lab: TestClient, file: Path) -> None:
    for path in ("step", "step/rounds"):
        answer = lab.get(f"api/{path}?stream=file:k&learner=perceptron")
        assert answer.status_code == 400
        assert "two" in answer.json()["error"]


def test_many_classes_are_told_by_the_commonest(shelf: Shelf, tmp_path: Path) -> None:
    lines = [f"c{k % 40 if k % 3 else 0} {k % 7}:1 {7 + k % 40}:1" for k in range(800)]
    path = tmp_path / "many.svm"
    path.write_text("\n".join(lines) + "\n")
    shelf.keep("m", read_file(str(path), "many.svm", {}, "m"))
    run = shelf.run("file:m", "multiclass_perceptron")
    told = quality(run)
    assert len(told.classes) == MOST_CLASSES
    assert told.others == 40 - MOST_CLASSES
    assert told.classes[0] == "c0"
    assert len(told.confusion) == MOST_CLASSES + 1
    assert sum(map(sum, told.confusion)) == 800


def test_too_many_classes_for_one_learner_each_are_refused(
    lab: TestClient, shelf: Shelf, tmp_path: Path
) -> None:
    lines = [f"c{k} {k * 500}:1" for k in range(2000)]
    path = tmp_path / "wide.svm"
    path.write_text("\n".join(lines) + "\n")
    found = read_file(str(path), "wide.svm", {}, "w")
    shelf.keep("w", found)
    assert "committee" not in found.look.learners
    answer = lab.get("api/data/quality?stream=file:w&learner=committee")
    assert answer.status_code == 400
    assert "multiclass_perceptron" in answer.json()["error"]


def recorded(page: str) -> dict[str, Any]:
    found = re.search(r'id="recorded">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_a_saved_page_holds_all_that_your_data_shows(lab: TestClient, file: Path) -> None:
    of = "stream=file:k&learner=perceptron"
    answer = lab.get("api/data/page?key=k&learner=perceptron&row=7&view=%23data?key=k")
    assert answer.headers["content-disposition"] == 'attachment; filename="thresher-data.html"'
    data = recorded(answer.text)
    assert data["view"] == "#data?key=k"
    told = data["answers"]
    assert told["data/quality"] == lab.get(f"api/data/quality?{of}").json()
    assert told["data/row"] == lab.get(f"api/data/row?{of}&t=7").json()
    assert told["step/evidence"] == lab.get(f"api/step/evidence?{of}").json()
    assert told["data/look"] == lab.get("api/data/look?key=k").json()
    assert told["race"]["phase"] == "done"
    assert str(file.parent) not in answer.text


@pytest.mark.parametrize(
    ("which", "settings", "moves"),
    [
        ("adversary", "margin=1/2&learner=perceptron", "0m.1p.2m"),
        ("learner", "kind=lower-bound&setting=1/3", "p.m"),
        ("halving", "kind=disjunctions/3", "m.p"),
        ("experts", "count=4&beta=1/2", "7.1"),
    ],
)
def test_a_saved_game_holds_every_move_of_it(
    lab: TestClient, which: str, settings: str, moves: str
) -> None:
    page = lab.get(f"api/game/page?which={which}&{settings}&moves={moves}").text
    answers = recorded(page)["answers"]
    words = moves.split(".")
    assert [*answers] == [".".join(words[:k]) for k in range(len(words) + 1)]
    for played, told in answers.items():
        assert told == lab.get(f"api/game/{which}?{settings}&moves={played}").json()

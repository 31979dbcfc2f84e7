"""Tuning: all settings of a grid from one reading, each as if it had run alone."""

from __future__ import annotations

import json
import math
import shlex
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from tests.cli.running import noisy_rows, run
from thresher.errors import RequestError, SourceError
from thresher.models.choice import LearnerChoice
from thresher.models.events import LeftRace
from thresher.models.grid import USUAL_GRIDS, described, settings


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "a.svm"
    path.write_text(noisy_rows(500))
    return path


GRID = {"r": ["0.01", "1", "100"], "bias": ["yes", "no"]}


def test_every_setting_errs_as_often_as_when_it_learns_alone(data: Path) -> None:
    tuning = th.tune(data, "arow", GRID, n_features=30)
    assert len(tuning.settings) == 6
    for setting in tuning.settings:
        alone = th.train(data, setting.choice, n_features=30)
        assert setting.mistakes == alone.learner.mistakes
        assert setting.learner == alone.learner
    mistakes = [setting.mistakes for setting in tuning.standings()]
    assert mistakes == sorted(mistakes)
    assert len(set(mistakes)) > 1
    assert th.train(data, tuning.best, n_features=30).learner.mistakes == mistakes[0]


def test_the_result_does_not_depend_on_chunks(data: Path) -> None:
    one = th.tune(data, "arow", GRID, n_features=30)
    other = th.tune(data, "arow", GRID, n_features=30, chunk_bytes=100)
    assert np.array_equal(one.both_wrong(), other.both_wrong())
    assert one.rows == other.rows == 500


def test_differences_are_counted_row_by_row(data: Path) -> None:
    tuning = th.tune(data, "arow", GRID, n_features=30)
    (batch,) = th.read(data, n_features=30)
    wrong = {}
    for setting in tuning.settings:
        learner = setting.choice.create(n_features=30, journal=False)
        wrong[setting.title] = learner.learn(batch).mistaken.astype(float)
    best = tuning.standings()[0]
    for setting in tuning.settings:
        difference = wrong[setting.title] - wrong[best.title]
        behind, deviation = tuning.behind(setting)
        assert behind == pytest.approx(difference.mean())
        assert deviation == pytest.approx(difference.std() / math.sqrt(500))
        share, of_share = tuning.error(setting)
        assert share == pytest.approx(wrong[setting.title].mean())
        assert of_share == pytest.approx(wrong[setting.title].std() / math.sqrt(500))


def test_a_setting_that_cannot_take_a_row_leaves_and_the_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 0:1\n0 1:2\n1 0:1\n" * 5)
    events: list[object] = []
    tuning = th.tune(path, "winnow", {"beta": ["1", "1/2"]}, n_features=4, on_event=events.append)
    assert [setting.out is not None for setting in tuning.settings] == [True, True]
    assert sum(isinstance(event, LeftRace) for event in events) == 2
    with pytest.raises(SourceError, match="no setting can learn"):
        _ = tuning.best


def test_several_classes_have_a_learner_each(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text("a 0:1\nb 1:1\nc 2:1\n" * 20)
    tuning = th.tune(path, "arow", {"r": [0.1, 10]}, n_features=4)
    assert [setting.learner.plain_name for setting in tuning.settings] == [
        "arow for each class"
    ] * 2
    assert (
        tuning.standings()[0].mistakes == th.train(path, tuning.best, n_features=4).learner.mistakes
    )


def test_every_usual_setting_can_be_made() -> None:
    for name in USUAL_GRIDS:
        for choice in settings(name):
            assert choice.create(n_features=8).name == name
            assert LearnerChoice.parse(described(choice)) == choice


@pytest.mark.parametrize(
    ("learner", "grid", "says"),
    [
        (None, {"r": [1]}, "say which"),
        ("winnow", None, "no usual grid"),
        ("arow:r=1", {"r": [1, 2]}, "Leave one out"),
        ("arow", {"r": []}, "0 settings"),
        ("arow", {"r": range(257)}, "257 settings"),
        ("arow", {"q": [1]}, "no parameter q"),
    ],
)
def test_grids_that_make_no_sense_are_refused(
    data: Path, learner: str | None, grid: dict[str, list[int]] | None, says: str
) -> None:
    with pytest.raises(RequestError, match=says):
        th.tune(data, learner, grid)


def test_a_parameter_that_is_stated_is_not_tried(data: Path) -> None:
    tuning = th.tune(data, "arow:scaling=l2", n_features=30)
    assert len(tuning.settings) == 4
    assert {setting.choice.given["scaling"] for setting in tuning.settings} == {"l2"}


def test_the_command_prints_one_that_trains_the_best(data: Path, tmp_path: Path) -> None:
    words = [
        "--features",
        "30",
        "--learner",
        "arow",
        "--grid",
        "r=0.01,1,100",
        "--grid",
        "bias=yes,no",
    ]
    found = json.loads(run("tune", data, *words, "--json").stdout)
    assert found["rows"] == 500
    assert len(found["settings"]) == 6
    command = shlex.split(found["train"].replace("MODEL", str(tmp_path / "m.thr")))
    assert command[0] == "thresher"
    assert run(*command[1:]).exit_code == 0
    best = found["settings"][0]
    assert th.Model.load(tmp_path / "m.thr").learner.mistakes == best["mistakes"]
    assert best["behind"] == 0.0
    text = run("tune", data, *words).stdout
    assert text.splitlines()[-1] == found["train"]
    assert "behind" in text


def test_the_command_refuses_what_it_cannot_try(data: Path) -> None:
    for words in (["--grid", "r=1"], ["--learner", "arow", "--grid", "r"]):
        refused = run("tune", data, *words)
        assert refused.exit_code == 2
        assert "--grid" in refused.stderr

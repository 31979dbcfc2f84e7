"""Tuning: all settings of a grid from one reading, each as if it had run alone."""

from __future__ import annotations

import json
import math
import shlex
import signal
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.cli.running import noisy_rows, process, run
from thresher.errors import ParameterError, RequestError, SourceError
from thresher.models import tuning as tuning_module
from thresher.models.choice import LearnerChoice
from thresher.models.events import LeftRace, Warned
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
        ("adagrad", {"rat": [1]}, "Did you mean 'rate'"),
        ("arow", {"r": range(1, 1001), "bias": range(1000)}, "1,000,000 settings"),
        ("arow", {"r": 0.1}, "values of r come in a list, found 0.1"),
        ("arow", {"r": "0.1,1"}, "values of r come in a list, found '0.1,1'"),
    ],
)
def test_grids_that_make_no_sense_are_refused(
    data: Path, learner: str | None, grid: dict[str, Any] | None, says: str
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


def rows_of(format_: str, n: int = 400) -> str:
    """Rows that are hard to learn, in a format: two labels, or three in VW text."""
    random = Random(format_)
    lines = ["label,size,colour"] if format_ == "csv" else []
    for _ in range(n):
        a, b, c = (random.randrange(6) for _ in range(3))
        label = (a + b > 5) != (random.random() < 0.1)
        lines.append(
            {
                "csv": f"{int(label)},{a * 10.5},{'red' if b > 2 else 'blue'}",
                "text": f"{'spam' if label else 'ham'}\tword{a} word{b} word{c}",
                "vw": f"{1 + (a + b + c) % 3} |f w{a} v{b}:{b} u{c}",
                "json": json.dumps({"label": int(label), f"w{a}": 1, f"v{b}": 1}),
            }[format_]
        )
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("format_", "learner", "grid", "reading"),
    [
        ("csv", None, None, {}),
        ("text", "arow", {"r": [0.1, 1], "scaling": [None, "online"]}, {"n_features": 2**12}),
        ("text", "perceptron", {"average": [True, False]}, {"vocabulary": True}),
        ("text", "adagrad", {"rate": ["1/10", "1"]}, {"characters": (2, 3)}),
        ("json", "winnow", {"beta": ["1", "1/2"], "threshold": [4, None]}, {"n_features": 64}),
        ("json", "arow", {"class_weight": [None, {-1: 1, 1: 5}, (2.0, 1.0)]}, {}),
        ("csv", "committee", {"class_weight": [None, {-1: 1, 1: 5}]}, {"n_features": 64}),
        ("csv", "arow", {"r": [1, 10]}, {"pairs": ("size,colour",)}),
        ("vw", "arow", {"r": [0.1, 10]}, {"several": True}),
        ("vw", "multiclass_perceptron", {"bias": [True, False]}, {"several": True}),
        ("csv", "multiclass_passive_aggressive", {"C": [0.1, 1]}, {}),
    ],
)
def test_errors_are_those_of_each_setting_trained_alone(
    tmp_path: Path,
    format_: str,
    learner: str | None,
    grid: dict[str, list[Any]] | None,
    reading: dict[str, Any],
) -> None:
    path = tmp_path / "rows"
    path.write_text(rows_of(format_))
    tuning = th.tune(path, learner, grid, format=format_, **reading)
    alone = {name: value for name, value in reading.items() if name != "several"}
    alone |= {"multiclass": True} if "several" in reading else {}
    assert tuning.rows == 400
    for setting in tuning.settings:
        trained = th.train(path, setting.choice, format=format_, **alone).learner
        if setting.out is None:
            assert (trained.n_rounds, trained.mistakes) == (400, setting.mistakes)
        share = Fraction(setting.mistakes, 400)
        error, deviation = tuning.error(setting)
        assert error == float(share)
        assert deviation == pytest.approx(math.sqrt(share * (1 - share) / 400), rel=1e-12)
    least = min(setting.mistakes for setting in tuning.settings if setting.out is None)
    # Of equals the first that was written is the best.
    assert tuning.best is next(s.choice for s in tuning.settings if s.mistakes == least)
    assert f"{least} mistakes" in repr(tuning)


def test_settings_that_say_the_same_run_once(data: Path) -> None:
    events: list[object] = []
    grid: dict[str, list[object]] = {
        "r": ["1", "2", 1, 1.0, "1/1", "1.00"],
        "scaling": [None, "none"],
    }
    tuning = th.tune(data, "arow", grid, n_features=30, on_event=events.append)
    assert [setting.title for setting in tuning.settings] == [
        "arow:r=1,scaling=None",
        "arow:r=2,scaling=None",
    ]
    assert [len(setting.also) for setting in tuning.settings] == [9, 1]
    assert [event.text for event in events if isinstance(event, Warned)] == [
        "arow:r=1,scaling=None runs once; the same in other words: arow:r=1,scaling=none, "
        "arow:r=1,scaling=None, arow:r=1,scaling=none and 6 more",
        "arow:r=2,scaling=None runs once; the same in other words: arow:r=2,scaling=none",
    ]
    # The default is a value too.
    assert len(th.tune(data, "arow", {"bias": [False, "no", 0]}, n_features=30).settings) == 1
    said = run("tune", data, "--learner", "arow", "--grid", "r=1,1.0,2", "--features", "30")
    assert "arow:r=1 runs once; the same in other words: arow:r=1.0" in said.stderr
    assert said.stdout.count("arow:r=1") == 1 + said.stdout.count("--learner arow:r=1")


@pytest.mark.parametrize("wrong", ["nan", "-1", "abc", "1e999", "inf", None])
def test_a_value_that_makes_no_sense_ends_it_before_it_begins(data: Path, wrong: Any) -> None:
    events: list[object] = []
    with pytest.raises(ParameterError, match="AROW: r must be a number from 1e-12"):
        th.tune(data, "arow", {"r": [1, wrong, 2]}, on_event=events.append)
    assert not events
    if wrong is not None:
        refused = run("tune", data, "--learner", "arow", "--grid", f"r=1,{wrong},2")
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "AROW: r must be a number" in refused.stderr


def test_memory_is_told_before_it_is_taken(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RequestError, match=r"24 settings take up to \d+\.\d GB of memory"):
        th.tune(data, n_features=2**30)
    monkeypatch.setattr(tuning_module, "MUCH_MEMORY", 2**20)
    events: list[object] = []
    th.tune(data, "arow", {"r": [1, 2]}, n_features=2**16, on_event=events.append)
    assert [event.text for event in events if isinstance(event, Warned)] == [
        "2 settings take up to 0.0 GB of memory."
    ]


def test_memory_grows_with_the_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.svm"
    path.write_text("".join(f"c{t % 50} {t % 7}:1\n" for t in range(200)))
    monkeypatch.setattr(tuning_module, "TOO_MUCH_MEMORY", 2**20)
    th.tune(path, "arow", {"r": [1, 2]}, n_features=512)
    with pytest.raises(RequestError, match="2 settings for 50 classes take up to"):
        th.tune(path, "arow", {"r": [1, 2]}, n_features=1024)


def test_who_is_out_has_no_error(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 0:1\n0 1:1\n1 0:1.5\n" * 5)
    words = ["--learner", "winnow", "--grid", "scaling=none,max", "--features", "4", "--json"]
    found = json.loads(run("tune", path, *words).stdout)["settings"]
    assert [one["learner"] for one in found] == ["winnow:scaling=max", "winnow:scaling=none"]
    assert "mistakes" not in found[1]
    assert "Winnow needs features in [0, 1]" in found[1]["out"]


def test_the_printed_command_reads_as_this_one_did(tmp_path: Path) -> None:
    path = tmp_path / "a.vw"
    # Two classes at first, and rows that weigh more.
    path.write_text(
        "".join(f"{1 + (t > 1100)} 2.0 |f a{t % 5} b\n" for t in range(1200)) + "3 |f c\n"
    )
    words = ["--learner", "arow", "--grid", "r=1,10", "--multiclass", "--ignore-importance"]
    found = json.loads(run("tune", path, *words, "--json").stdout)
    command = shlex.split(found["train"].replace("MODEL", str(tmp_path / "m.thr")))
    assert run(*command[1:]).exit_code == 0
    learner = th.Model.load(tmp_path / "m.thr").learner
    assert (learner.n_rounds, learner.mistakes) == (1201, found["settings"][0]["mistakes"])


def test_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    with process("tune", "-", "--format", "svmlight", "--learner", "arow") as tuning:
        assert tuning.stdin is not None
        assert tuning.stderr is not None
        tuning.stdin.write(noisy_rows(2000).encode())
        tuning.stdin.flush()
        # It has begun once it has said something.
        assert tuning.stderr.readline()
        tuning.send_signal(signal.SIGINT)
        tuning.wait(timeout=60)
        assert tuning.returncode == 130
        assert b"Traceback" not in tuning.stderr.read()

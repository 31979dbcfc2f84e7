"""`thresher inspect`: what is said of a model."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

import thresher as th
from tests.cli.running import loaded
from tests.cli.running import run as run_command
from thresher.models.file import load_model, save_model
from thresher.models.history import Source, Training
from thresher.models.model import Model
from thresher.names.kept import KeptNames
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.recipe import Recipe

ROWS = [{"free": 1, "cash": 2}, {"meeting": 1}, {"free": 1, "meeting": 1}]
SHA = "5a" * 32


def run(*arguments: str | Path) -> Result:
    return run_command("inspect", *arguments)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    learner = th.Perceptron(2**10, bias=True)
    learner.learn(ROWS, [-1, 1, -1])
    old = Source(name="mail.vw", rows=3, n_bytes=70, sha256=SHA)
    new = Source(name="more.vw", rows=2, n_bytes=50, blake3=SHA)
    training = Training(command="thresher train mail.vw", version="0.1.0", sources=(old, new))
    labels = LabelScheme("ham", "spam")
    recipe = Recipe(format="vw")
    model = Model(learner=learner, labels=labels, recipe=recipe, history=(training,))
    model.kept = KeptNames(model.name_table)
    model.kept.add(ROWS)
    save_model(model, tmp_path / "mail.thr")
    return tmp_path / "mail.thr"


def test_what_a_model_is(path: Path) -> None:
    result = run(path)
    assert result.exit_code == 0
    assert "\nlearner  perceptron: n_features 1024, bias True, " in result.stdout
    for line in (
        f"model    {path}, intact; sha256 {load_model(path).digest}",
        "rounds   3; 3 mistakes: 1 missed, 2 false alarms",
        "labels   ham is +1, spam is -1",
        "journal  3 updates; played again, they give these weights to the last bit",
        "names    hashed with seed 0; 3 kept",
        "trained  thresher train mail.vw (thresher 0.1.0)",
        f"data     mail.vw: 3 rows, 70 bytes, sha256 {SHA}",
        f"data     more.vw: 2 rows, 50 bytes, blake3 {SHA}",
        "ham if the score is at least 0; every row begins with -1",
        "    -2  free",
        "    -2  cash",
    ):
        assert line in result.stdout.splitlines()
    assert len(result.stdout.splitlines()[-1].split()) == 2


def test_the_same_as_json(path: Path) -> None:
    found = json.loads(run(path, "--json", "--top", "1").stdout)
    assert (found["learner"], found["rounds"], found["mistakes"]) == ("perceptron", 3, 3)
    old, new = found["history"][0]["sources"]
    assert (old["sha256"], old["blake3"], new["sha256"], new["blake3"]) == (SHA, None, None, SHA)
    assert len(found["features"]) == 1
    assert found["touched"] == 2


def test_a_score_is_taken_apart(path: Path) -> None:
    result = run(path, "--example", "|  free:2 meeting unseen")
    learner = loaded(path)
    score = learner.score_one({"free": 2, "meeting": 1, "unseen": 1})
    assert result.stdout.splitlines()[0] == f"the example: spam (score {score!r}, ham from 0.0 on)"
    parts = [line.split() for line in result.stdout.splitlines()[2:6]]
    assert parts[0] == ["-4", "-2", "2", "free"]
    assert sorted(parts[1:3]) == [["0", "0", "1", "meeting"], ["0", "0", "1", "unseen"]]
    assert parts[3] == ["-1", "(every", "row)"]


@pytest.mark.parametrize("stdin", [False, True])
def test_rows_of_files_and_of_standard_input_are_explained(path: Path, stdin: bool) -> None:
    text = "1 | free cash\n-1 | meeting\n1 | x\n"
    (path.parent / "new.vw").write_text(text)
    where = "-" if stdin else path.parent / "new.vw"
    command = ["inspect", str(path), "--explain", str(where), "--rows", "2", "--json"]
    result = subprocess.run(
        [sys.executable, "-m", "thresher", *command],
        input=text, text=True, capture_output=True, check=True,
    )  # fmt: skip
    found = [json.loads(line) for line in result.stdout.splitlines()]
    learner = loaded(path)
    assert [row["score"] for row in found] == [
        learner.score_one({"free": 1, "cash": 1}),
        learner.score_one({"meeting": 1}),
    ]
    assert [row["predicted"] for row in found] == ["spam", "spam"]
    assert list(found[0]) == [
        "place", "predicted", "label", "score", "unit", "total", "threshold", "rival", "constant",
        "contributions",
    ]  # fmt: skip
    assert {row["label"] for row in found} == {"ham"}
    assert [row["total"] for row in found] == [row["score"] for row in found]
    for row in found:
        assert row["score"] == row["constant"] + sum(part["adds"] for part in row["contributions"])
    assert {name for part in found[0]["contributions"] for name in part["names"]} == {
        "free",
        "cash",
    }
    assert found[1]["place"].endswith(":2")
    assert "only the first 2 rows" in result.stderr


def test_the_updates_that_made_a_weight_are_told(path: Path) -> None:
    result = run(path, "--blame", "free")
    lines = result.stdout.splitlines()
    assert [line.split() for line in lines[2:4]] == [
        ["0", "spam", "1", "-1"],
        ["2", "spam", "1", "-2"],
    ]
    assert lines[-2:] == [
        "in the model it weighs -2.0",
        "the journal, played again, ends at this weight",
    ]
    column = loaded(path).column_of("free")
    assert run(path, "--blame", str(column)).stdout == result.stdout
    found = json.loads(run(path, "--blame", "free", "--json").stdout)
    assert [entry["weight"] for entry in found["entries"]] == [-1.0, -2.0]


def test_without_the_whole_journal_the_story_is_not_called_whole(path: Path) -> None:
    loaded(path).save(path, journal=False)
    assert "the journal lacks 3 updates" in run(path, "--blame", "free").stdout
    assert "journal  3 updates, 3 of them not kept" in run(path).stdout


def test_features_that_share_a_column_are_listed(tmp_path: Path) -> None:
    learner = th.Perceptron(2)
    model = Model(learner=learner)
    learner.learn([{"a": 1, "b": 1, "c": 1}], [-1])
    model.kept = KeptNames(model.name_table)
    model.kept.add([["a", "b", "c"]])
    save_model(model, tmp_path / "model.thr")
    text = run(tmp_path / "model.thr", "--collisions").stdout
    assert "of 3 named features share one of 2 columns" in text
    assert " | " in text
    assert json.loads(run(tmp_path / "model.thr", "--collisions", "--json").stdout)["named"] == 3


def test_learners_without_weights_are_described_all_the_same(tmp_path: Path) -> None:
    th.Halving(th.concepts.Disjunctions(3)).save(tmp_path / "model.thr")
    result = run(tmp_path / "model.thr")
    assert result.exit_code == 0
    assert "learner  halving: concepts Disjunctions(" in result.stdout
    assert "does not score rows feature by feature" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["none.thr"], "there is no such file"),
        (["mail.thr", "data.vw", "--collisions"], "--blame and --collisions take no DATA"),
        (["mail.thr", "data.vw"], "data.vw: there is no such file"),
        (["mail.thr", "--explain"], "--explain takes the rows of DATA"),
        (["mail.thr", "--explain", "a", "--example", "b"], "--explain takes the rows of DATA"),
        (["mail.thr", "--blame", "free", "--collisions"], "one at a time"),
        (["mail.thr", "--blame", "4000"], "no feature '4000'. Columns are numbered 0 to 1023"),
        (["grown.thr", "--blame", "zebra"], "the model has no feature 'zebra'"),
        (["grown.thr", "--collisions"], "every name has a column of its own"),
        (["plain.thr", "--collisions"], "the model has kept no names"),
        (["warm.thr", "--blame", "1"], "began with given weights"),
    ],
)
def test_what_cannot_be_told_is_said_in_one_line(
    path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(path.parent)
    grown = th.Perceptron()
    grown.learn([{"a": 1}], [-1])
    grown.save("grown.thr")
    th.Perceptron(4).save("plain.thr")
    th.Perceptron(4).with_dual([1.0, 2.0, 3.0, 4.0]).save("warm.thr")
    result = run(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stdout == ""


def test_rows_of_data_tell_how_much_features_matter(path: Path) -> None:
    (path.parent / "new.vw").write_text("1 | free cash\n-1 | meeting:4\n1 | free:3\n")
    result = run(path, path.parent / "new.vw")
    assert result.stdout.splitlines()[0] == (
        "what features add to the score of ham in 3 rows: its standard deviation, which is their "
        "importance, and its mean"
    )
    found = json.loads(run(path, path.parent / "new.vw", "--json", "--top", "1").stdout)
    assert (found["unit"], found["rows"]) == ("score", 3)
    (first,) = found["features"]
    assert (first["names"], first["rows"]) == (["free"], 2)
    assert first["importance"] == pytest.approx(np.std([-2, 0, -6]))
    assert first["adds"] == pytest.approx(-8 / 3)


def test_a_committee_is_explained_with_its_experts(tmp_path: Path) -> None:
    learner = th.Committee()
    learner.learn(ROWS * 20, [1, -1, 1] * 20)
    save_model(Model(learner=learner, recipe=Recipe(format="vw")), tmp_path / "c.thr")
    result = run(tmp_path / "c.thr", "--example", '{"free": 1, "meeting": 1}')
    lines = result.stdout.splitlines()
    assert lines[0].startswith("the example: +1 (score ")
    assert any(line.endswith("= log-odds of +1") for line in lines)
    assert sum(line.endswith(member.name) for line in lines for member in learner.members) >= 14
    found = json.loads(run(tmp_path / "c.thr", "--example", "| free", "--json").stdout)
    parts = [*found["contributions"], *found["others"]]
    assert found["constant"] + sum(part["adds"] for part in parts) == pytest.approx(found["total"])
    assert [one["name"] for one in found["opinions"]].count("combination") == 1


def test_a_scaled_learner_shows_weights_of_values_as_they_come_too(tmp_path: Path) -> None:
    learner = th.Perceptron(4, scaling="online")
    learner.learn([{"age": 40.0}], [-1])
    save_model(Model(learner=learner, recipe=Recipe(format="vw")), tmp_path / "s.thr")
    shown = run(tmp_path / "s.thr").stdout
    assert "rows are scaled first" in shown
    assert shown.splitlines()[-1].split() == ["-1", "-0.025", "40", str(learner.column_of("age"))]
    parts = run(tmp_path / "s.thr", "--example", "| age:20").stdout.splitlines()
    assert parts[1].split() == ["adds", "weight", "value", "scaled", "its", "weight", "feature"]
    assert parts[2].split() == ["-0.5", "-0.025", "20", "0.5", "-1", "age"]

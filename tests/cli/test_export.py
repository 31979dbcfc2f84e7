"""`thresher export`: every form, every refusal."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from pathlib import Path

import onnx
import pytest
from click.testing import Result

import thresher as th
from tests.cli.running import run as run_command
from thresher.models.file import save_model
from thresher.models.model import Model
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.recipe import Recipe

TABLE = (
    "odor,size,label\nfoul,big,bad\nnone,big,good\nfoul,small,bad\nmusty,small,bad\n"
    "none,small,good\n"
)


def run(*arguments: str | Path) -> Result:
    return run_command("export", *arguments)


@pytest.fixture
def winnow(tmp_path: Path) -> Path:
    """A rule that a table of five rows has taught: odor=foul or odor=musty."""
    (tmp_path / "table.csv").write_text(TABLE)
    learner = th.Winnow(2**10, threshold=3)
    rows = [
        {"odor=foul": 1, "size=big": 1},
        {"odor=none": 1, "size=big": 1},
        {"odor=foul": 1, "size=small": 1},
        {"odor=musty": 1, "size=small": 1},
        {"odor=none": 1, "size=small": 1},
    ]
    for _ in range(9):
        learner.learn([*rows, {"odor=foul": 1}, {"odor=musty": 1}], [1, -1, 1, 1, -1, 1, 1])
    labels = LabelScheme("bad", "good")
    model = Model(learner=learner, labels=labels, recipe=Recipe(format="csv"))
    from thresher.names.kept import KeptNames  # noqa: PLC0415  (one model has names)

    model.kept = KeptNames(model.name_table)
    model.kept.add(rows)
    save_model(model, tmp_path / "model.thr")
    return tmp_path / "model.thr"


def test_text_is_the_default_and_goes_to_standard_output(winnow: Path) -> None:
    result = run(winnow, "--top", "2")
    assert result.exit_code == 0
    assert [line.split("\t")[0] for line in result.stdout.splitlines()[-2:]] == [
        "odor=foul",
        "odor=musty",
    ]


def test_rules_say_how_often_they_agree(winnow: Path) -> None:
    result = run(winnow, "--to", "rule", winnow.parent / "table.csv")
    assert result.exit_code == 0
    assert result.stdout == (
        "bad if any of these is true:\n  odor=foul\n  odor=musty\notherwise good\n"
    )
    assert "agrees with the model on 5 of 5 rows (100.00 %)" in result.stderr


def test_sql_runs_in_a_database(winnow: Path) -> None:
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE data (odor, size, label)")
    rows = [line.split(",") for line in TABLE.splitlines()[1:]]
    base.executemany("INSERT INTO data VALUES (?, ?, ?)", rows)
    for options in ([], ["--reach", "1"]):
        query = run(winnow, "--to", "sql", *options).stdout
        found = base.execute(f"SELECT predicted, label FROM ({query})").fetchall()
        assert len(found) == 5
        assert all(said == label for said, label in found)
    assert "give DATA to see how often" in run(winnow, "--to", "sql", "--reach", "1").stderr
    assert 'FROM "mushrooms"' in run(winnow, "--to", "sql", "--table", "mushrooms").stdout


def test_a_shortened_model_says_how_often_it_agrees(winnow: Path) -> None:
    result = run(winnow, "--to", "json", "--top", "1", winnow.parent / "table.csv")
    assert json.loads(result.stdout)["features"][0]["names"] == ["odor=foul"]
    assert "agrees with the model on 4 of 5 rows (80.00 %)" in result.stderr


def test_c_takes_its_names_from_the_model(winnow: Path, tmp_path: Path) -> None:
    assert run(winnow, "--to", "c", "-o", tmp_path / "model.h").exit_code == 0
    (tmp_path / "main.c").write_text(
        '#include <stdio.h>\n#include "model.h"\nint main(void) {\n'
        '    const char *names[] = {"odor=foul", "size=big"};\n'
        "    double ones[] = {1.0, 1.0}, value[2];\n    int32_t column[2];\n"
        "    size_t n = model_row(names, NULL, ones, 2, column, value);\n"
        '    printf("%s", model_label(model_predict(column, value, n)));\n'
        "    return 0;\n}\n"
    )
    program = tmp_path / "program"
    subprocess.run(["gcc", "-o", str(program), str(tmp_path / "main.c")], check=True)
    assert subprocess.run([str(program)], capture_output=True, check=True).stdout == b"bad"
    assert "mail_score(" in run(winnow, "--to", "c", "--prefix", "mail").stdout


def test_onnx_is_written_as_bytes(winnow: Path, tmp_path: Path) -> None:
    assert run(winnow, "--to", "onnx", "-o", tmp_path / "m.onnx").exit_code == 0
    onnx.checker.check_model(str(tmp_path / "m.onnx"))
    assert run(winnow, "--to", "onnx").stdout_bytes == (tmp_path / "m.onnx").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["none.thr"], "none.thr: there is no such file."),
        (["model.thr", "--to", "java"], "'java' is not one of"),
        (["model.thr", "--reach", "0"], "0.0 is not in the range"),
        (["model.thr", "none.csv"], "none.csv"),
        (
            ["model.thr", "-o", "none/x.txt"],
            "-o none/x.txt: there is no folder none; make it first.",
        ),
        (["perceptron.thr", "--to", "rule"], "predicts +1 for a row without features"),
        (["halving.thr"], "does not score rows by weights alone"),
        (["model.thr", "-o", "x.doc"], "the ending .doc says nothing about the form"),
        (["model.thr", "-o", "x"], "Say it with --to"),
        (["committee.thr"], "Use --to c, --to js or --to json"),
        (["committee.thr", "--to", "c", "--top", "3"], "Leave --top out."),
        (["several.thr", "--to", "rule"], "--class NAME"),
        (["model.thr", "--class", "x"], "two classes and one list of weights"),
        (["scaled.thr", "--to", "sql"], "or train without scaling"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    winnow: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], says: str
) -> None:
    monkeypatch.chdir(winnow.parent)
    th.Perceptron(4).save("perceptron.thr")
    th.Halving(th.concepts.Disjunctions(3)).save("halving.thr")
    th.Committee(4).save("committee.thr")
    th.OneVersusRest(th.AROW(4), classes=["a", "b"]).save("several.thr")
    th.AROW(4, scaling="l2").save("scaled.thr")
    result = run(*arguments)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stdout == ""


def test_a_rule_without_features_says_what_would_give_one(tmp_path: Path) -> None:
    th.Winnow(8, threshold=10).with_dual([2.0] * 8).save(tmp_path / "model.thr")
    result = run(tmp_path / "model.thr", "--to", "rule")
    assert "the heaviest has 40% of it. Try --reach 0.4." in result.stderr
    assert result.stdout == "-1, always\n"
    assert "7" in run(tmp_path / "model.thr", "--to", "rule", "--reach", "0.4").stdout


@pytest.mark.parametrize(
    ("name", "form"),
    [("x.h", "c"), ("x.JS", "js"), ("x.mjs", "js"), ("x.sql", "sql"), ("x.json", "json"),
     ("x.txt", "text"), ("x.onnx", "onnx")],
)  # fmt: skip
def test_the_ending_of_the_file_says_the_form(winnow: Path, name: str, form: str) -> None:
    assert run(winnow, "-o", winnow.parent / name).exit_code == 0
    assert (winnow.parent / name).read_bytes() == run(winnow, "--to", form).stdout_bytes


def test_several_classes_are_written_whole_or_one_by_one(tmp_path: Path) -> None:
    learner = th.OneVersusRest(th.AROW(4))
    learner.learn([{0: 1}, {1: 1}, {2: 1}], ["a", "b", "c"])
    learner.save(tmp_path / "model.thr")
    assert json.loads(run(tmp_path / "model.thr", "--to", "json").stdout)["labels"] == [*"abc"]
    one = json.loads(run(tmp_path / "model.thr", "--to", "json", "--class", "b").stdout)
    assert one["labels"] == ["not b", "b"]


def test_probabilities_of_a_calibration_stay_behind_and_that_is_said(tmp_path: Path) -> None:
    learner = th.Calibrated(th.Perceptron(4), "platt")
    learner.learn([{0: 1}, {1: 1}], [1, -1])
    learner.save(tmp_path / "model.thr")
    assert "probabilities is not" in run(tmp_path / "model.thr").stderr

"""`--pairs` from the shell: every command that reads data makes them, and a model remembers."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from tests.cli.running import run

XOR = "".join(f"{a ^ b},{a},{b}\n" for a in (0, 1) for b in (0, 1))
VW = "".join(f"{2 * (a ^ b) - 1} |left a{a} |right b{b}\n" for a in (0, 1) for b in (0, 1))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "xor.csv").write_text("label,a,b\n" + XOR * 60)
    (tmp_path / "xor.vw").write_text(VW * 60)
    return tmp_path


CSV = ["xor.csv", "--categorical", "a,b"]


def test_a_model_makes_pairs_of_what_it_is_asked_about(folder: Path) -> None:
    words = [*CSV, "--learner", "perceptron", "--pairs", "a,b", "-o", "m.thr", "-q"]
    assert run("train", *words).exit_code == 0
    report = json.loads(run("test", "m.thr", "xor.csv", "--json").stdout)
    assert report["mistakes"] == 0
    predicted = run("predict", "m.thr", "xor.csv").stdout.split()
    assert predicted == ["0", "1", "1", "0"] * 60
    shown = run("inspect", "m.thr").stdout
    assert "a=1 ∧ b=1" in shown
    again = run("train", *CSV, "--resume", "m.thr", "-o", "n.thr", "-q")
    assert again.exit_code == 0, again.stderr
    assert th.Model.load("n.thr").recipe.pairs == ("a,b",)
    assert json.loads(run("test", "n.thr", "xor.csv", "--json").stdout)["mistakes"] == 0
    other = run("train", *CSV, "--pairs", "all", "--resume", "m.thr", "-o", "n.thr", "-q")
    assert other.exit_code == 2
    assert "pairs" in other.stderr


@pytest.mark.parametrize("pairs", [["left,right"], ["all"], ["left,right", "left,left"]])
def test_a_certificate_holds_for_the_rows_with_their_pairs_alone(
    folder: Path, pairs: list[str]
) -> None:
    asked = [word for pair in pairs for word in ("--pairs", pair)]
    words = ["xor.vw", "--learner", "perceptron", *asked, "--features", "4096"]
    assert run("train", *words, "-o", "m.thr", "-q").exit_code == 0
    for what in (words, ["m.thr", "xor.vw"]):
        said = run("certify", *what, "-o", "c.json")
        assert said.exit_code == 0, said.stderr
        command = next(line for line in said.stderr.splitlines() if "thresher verify" in line)
        check = shlex.split(command.partition("thresher ")[2])
        assert [word for word in check if word in pairs] == pairs
        assert run(*check).exit_code == 0
        plain = [word for word in check if word not in (*pairs, "--pairs")]
        assert run(*plain).exit_code != 0


def test_svmlight_rows_with_pairs_are_not_left_to_a_reader_that_knows_none(folder: Path) -> None:
    (folder / "a.svm").write_text("1 0:1 3:1\n0 0:1 2:1\n0 1:1 3:1\n1 1:1 2:1\n" * 30)
    words = ["a.svm", "--learner", "perceptron", "--pairs", "all", "--features", "64"]
    assert run("certify", *words, "-o", "c.json").exit_code == 0
    verdict = json.loads(
        run("verify", "c.json", "a.svm", "--pairs", "all", "--features", "64", "--json").stdout
    )
    assert verdict["verdict"] == "holds"
    assert "own" not in verdict["read_by"]
    assert run("verify", "c.json", "a.svm", "--features", "64").exit_code == 1


def test_race_and_tune_see_pairs(folder: Path) -> None:
    plain, paired = (
        json.loads(run("race", *CSV, "--learner", "arow", *more, "--json").stdout)["learners"]
        for more in ([], ["--pairs", "a,b"])
    )
    assert plain[0]["mistakes"] > 10 * paired[0]["mistakes"] > 0
    words = [*CSV, "--learner", "arow", "--grid", "r=1,10", "--pairs", "a,b", "--json"]
    found = json.loads(run("tune", *words).stdout)
    assert "--pairs a,b" in found["train"]
    assert found["settings"][0]["mistakes"] < plain[0]["mistakes"]


def test_what_names_no_pairs_is_bad_usage(folder: Path) -> None:
    for wrong, says in (("a", "comma"), ("a,c", "no column 'c'")):
        refused = run("train", *CSV, "--pairs", wrong, "-o", "m.thr")
        assert refused.exit_code == 2
        assert says in refused.stderr


@pytest.mark.parametrize("learner", ["perceptron", "winnow"])
@pytest.mark.parametrize("more", [[], ["--pairs", "all"]])
def test_features_that_share_a_column_are_read_as_the_learner_read_them(
    folder: Path, learner: str, more: list[str]
) -> None:
    random = np.random.default_rng(1)
    rows = (random.choice(40, 8, replace=False).tolist() for _ in range(200))
    lines = (f"{1 if 0 in row else -1} |w {' '.join(f'f{i}' for i in row)}\n" for row in rows)
    (folder / "w.vw").write_text("".join(lines))
    reading = ["w.vw", "--features", "64", *more]
    assert run("certify", *reading, "--learner", learner, "-o", "c.json").exit_code == 0
    assert run("verify", "c.json", *reading).exit_code == 0

"""`--class-weight LABEL:W`: rows of a label that count more or less than others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import thresher as th
from tests.cli.class_streams import batch_of, class_rows, svmlight
from tests.cli.running import loaded, noisy_rows, run

BITS = ["--bits", "6"]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("two.svm").write_text(noisy_rows(200))
    named = noisy_rows(200).replace("-1 ", "ham ").replace("\n1 ", "\nspam ")
    Path("mail.svm").write_text(named if named.startswith("ham") else f"spam {named[2:]}")
    Path("colours.svm").write_text(svmlight(class_rows(200)))
    return tmp_path


@pytest.mark.parametrize("name", ["committee", "arow", "perceptron", "winnow"])
@pytest.mark.parametrize("data", ["two.svm", "mail.svm"])
def test_two_classes_count_what_was_said(name: str, data: str) -> None:
    plus, minus = ("1", "-1") if data == "two.svm" else ("spam", "ham")
    said = ["--class-weight", f"{plus}:5", "--class-weight", f"{minus}:1/2"]
    words = ["train", data, "-o", "m.thr", *BITS, "--learner", name, "-q"]
    result = run(*words, *said)
    assert (result.exit_code, result.stderr) == (0, "")
    kinds = {"committee": th.Committee, "arow": th.AROW, "perceptron": th.Perceptron}
    weights = {1: 5.0, -1: 0.5}
    (batch,) = th.read("two.svm")
    by_hand = kinds.get(name, th.Winnow)(64, class_weight=weights)
    plain = kinds.get(name, th.Winnow)(64)
    mistakes = by_hand.learn(batch).mistakes
    found = loaded("m.thr")
    assert found.parameters["class_weight"] == weights
    assert found.mistakes == mistakes
    assert found.scores(batch).tolist() == by_hand.scores(batch).tolist()
    plain.learn(batch)
    assert found.scores(batch).tolist() != plain.scores(batch).tolist()


def test_the_default_takes_them_and_so_do_programs() -> None:
    run("train", "two.svm", "-o", "m.thr", *BITS, "--class-weight", "1:5", "-q")
    model = th.train("two.svm", n_features=64, class_weight={1: 5})
    assert loaded("m.thr") == model.learner
    assert model.learner.parameters["class_weight"] == {1: 5.0}
    calibrated = th.train("two.svm", "arow", n_features=64, class_weight={1: 5}, calibrate="platt")
    assert calibrated.learner.uncalibrated.parameters["class_weight"] == {1: 5.0}


def test_a_model_that_learns_on_keeps_its_weights() -> None:
    run("train", "two.svm", "-o", "m.thr", *BITS, "--class-weight", "1:5", "-q")
    assert run("train", "two.svm", "-o", "m.thr", "--resume", "m.thr", "-q").exit_code == 0
    twice = th.train("two.svm", n_features=64, class_weight={1: 5}, passes=2)
    assert loaded("m.thr") == twice.learner


@pytest.mark.parametrize("name", ["committee", "arow"])
def test_several_classes_count_what_was_said(name: str) -> None:
    said = ["--class-weight", "red:5", "--class-weight", "blue:0.5", "--learner", name]
    assert run("train", "colours.svm", "-o", "m.thr", *BITS, *said, "-q").exit_code == 0
    each = th.Committee(64) if name == "committee" else th.AROW(64, journal_bytes=0)
    by_hand = th.OneVersusRest(each, class_weight={"red": 5.0, "blue": 0.5})
    by_hand.learn(batch_of(class_rows(200)))
    assert loaded("m.thr") == by_hand


def test_labels_that_never_come_are_told_in_the_order_in_which_they_were_given() -> None:
    wrong = ["rde", "gren", "bleu", "a", "b"]
    said = [word for label in wrong for word in ("--class-weight", f"{label}:5")]
    result = run("train", "colours.svm", "-o", "m.thr", *BITS, *said, "-q")
    told = [f"warning: no row has the label {label}, which was given a weight." for label in wrong]
    assert result.stderr.splitlines() == told


def test_the_rest_has_a_name_and_rows() -> None:
    said = ["--positive", "red", "--class-weight", "not red:5"]
    result = run("train", "colours.svm", "-o", "m.thr", *BITS, *said, "-q")
    assert (result.exit_code, result.stderr) == (0, "")


@pytest.mark.parametrize("command", ["train", "race", "certify"])
@pytest.mark.parametrize("label", ["blue", "nobody"])
def test_no_label_is_weighed_apart_within_the_rest(command: str, label: str) -> None:
    words = [command, "colours.svm", *BITS, "--positive", "red", "--class-weight", f"{label}:3"]
    words += {"train": ["-o", "m.thr"], "certify": ["--learner", "arow"]}.get(command, [])
    result = run(*words, columns=200)
    assert result.exit_code == 2
    assert (
        f"--class-weight names the label {label}; with --positive red it names 'red' or 'not red'"
    ) in result.stderr


def test_the_rest_is_weighed_by_its_name() -> None:
    words = ["--positive", "red", "--class-weight", "not red:3", "--class-weight", "red:2"]
    assert run("train", "colours.svm", "-o", "m.thr", *BITS, *words, "-q").exit_code == 0
    assert loaded("m.thr").parameters["class_weight"] == {-1: 3.0, 1: 2.0}


def test_a_race_is_run_by_those_who_can_take_them() -> None:
    result = run("race", "two.svm", *BITS, "--class-weight", "1:5", "--json", "--no-bounds")
    told = {one["learner"]: one["mistakes"] for one in json.loads(result.stdout)["learners"]}
    assert {"committee", "arow:bias=yes", "perceptron"} <= {*told}
    assert "elimination" not in told
    (batch,) = th.read("two.svm")
    assert told["perceptron"] == th.Perceptron(64, class_weight={1: 5}).learn(batch).mistakes
    several = run("race", "colours.svm", *BITS, "--class-weight", "red:5", "--json")
    told = {one["learner"]: one["mistakes"] for one in json.loads(several.stdout)["learners"]}
    by_hand = th.OneVersusRest(th.AROW(64, bias=True), class_weight={"red": 5.0})
    assert told["arow:bias=yes"] == by_hand.learn(batch_of(class_rows(200))).mistakes
    refused = run("race", "two.svm", *BITS, "--learner", "elimination", "--class-weight", "1:5")
    assert "elimination gives every class the same weight" in refused.stderr


@pytest.mark.parametrize("data", ["two.svm", "colours.svm"])
def test_a_run_with_weights_is_certified_and_verified(data: str) -> None:
    label = "1" if data == "two.svm" else "red"
    words = [*BITS, "--learner", "arow", "--class-weight", f"{label}:5", "-q"]
    assert run("certify", data, *words, "-o", "c.json").exit_code == 0
    assert run("verify", "c.json", data, *BITS).exit_code == 0
    run("train", data, *words, "-o", "m.thr")
    assert json.loads(Path("c.json").read_text())["run"]["mistakes"] == loaded("m.thr").mistakes
    again = run("certify", "m.thr", data, "--class-weight", f"{label}:5")
    assert "m.thr has its learner; leave --class-weight out." in again.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--class-weight", "1:2", "--class-weight", "1:3"], "a label is given twice"),
        (["--class-weight", "1:-2"], "is not a label, a colon and a weight from 0 to 1e9"),
        (["--class-weight", "1:1e10"], "is not a label, a colon and a weight from 0 to 1e9"),
        (["--class-weight", ":2"], "is not a label, a colon and a weight from 0 to 1e9"),
        (["--class-weight", "2:2"], "--class-weight names the label 2, and the data has the label"),
    ],
)
def test_weights_that_make_no_sense_are_refused(words: list[str], told: str) -> None:
    result = run("train", "two.svm", "-o", "m.thr", *BITS, *words, columns=200)
    assert result.exit_code == 2
    assert told in result.stderr

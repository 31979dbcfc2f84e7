from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import pytest

import thresher as th
from tests.cli.running import noisy_rows, process, run
from thresher.cli.writing import writing


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.svm").write_text(noisy_rows(300))
    (tmp_path / "mail.vw").write_text("1 |w free cash\n-1 |w meeting\n-1 |w meeting monday\n")
    assert run("train", "a.svm", "-o", "m.thr").exit_code == 0
    return tmp_path


def test_there_is_one_line_for_each_row_in_order(folder: Path) -> None:
    learner = th.load("m.thr")
    expected = [
        ("-1", "1")[int(y > 0)] for batch in th.read("a.svm") for y in learner.predict(batch)
    ]
    for words in ([], ["--chunk-bytes", "100"], ["--threads", "3"]):
        result = run("predict", "m.thr", "a.svm", *words)
        assert result.exit_code == 0
        assert result.stdout.splitlines() == expected
        assert result.stderr == ""


def test_scores_are_those_of_the_learner_to_the_last_bit(folder: Path) -> None:
    (batch,) = th.read("a.svm")
    scores = th.load("m.thr").scores(batch).tolist()
    lines = run("predict", "m.thr", "a.svm", "--scores").stdout.splitlines()
    assert [float(line.split("\t")[1]) for line in lines] == scores
    objects = map(json.loads, run("predict", "m.thr", "a.svm", "--json").stdout.splitlines())
    assert [found["score"] for found in objects] == scores


def test_labels_are_called_as_in_the_training_data(folder: Path) -> None:
    (folder / "mail.svm").write_text('spam 0:1\nh"m 1:1\nh"m 1:1 2:1\n')
    run("train", "mail.svm", "-o", "mail.thr", "--positive", "spam")
    assert run("predict", "mail.thr", "mail.svm").stdout == 'spam\nh"m\nh"m\n'
    first, *_ = run("predict", "mail.thr", "mail.svm", "--json").stdout.splitlines()[1:]
    assert json.loads(first)["label"] == 'h"m'


def test_labels_may_be_missing_or_make_no_sense(folder: Path) -> None:
    run("train", "mail.vw", "-o", "mail.thr", "--learner", "perceptron")
    (folder / "new.vw").write_text("|w meeting\n| \nnobody |w free\n")
    assert run("predict", "mail.thr", "new.vw").stdout == "-1\n1\n1\n"


def test_a_bad_line_is_answered_by_a_question_mark(folder: Path) -> None:
    (folder / "bad.svm").write_text("1 0:1\n1 x:1\n# no row\n\n1 y:1\n1 3:1\n1 z:1\n")
    stopped = run("predict", "m.thr", "bad.svm")
    assert stopped.exit_code == 2
    assert "bad.svm:2: found" in stopped.stderr
    for size in ("1", "15", "1000"):
        result = run("predict", "m.thr", "bad.svm", "--on-bad", "skip", "--chunk-bytes", size)
        assert result.exit_code == 0
        assert [line == "?" for line in result.stdout.splitlines()] == [
            False,
            True,
            True,
            False,
            True,
        ]
        assert "3 bad lines were skipped" in result.stderr
    objects = run("predict", "m.thr", "bad.svm", "--on-bad", "skip", "--json").stdout.splitlines()
    assert [json.loads(line) is None for line in objects] == [False, True, True, False, True]


def test_predictions_go_to_a_file_if_wanted(folder: Path) -> None:
    result = run("predict", "m.thr", "a.svm", "-o", "out.txt")
    assert (result.exit_code, result.output) == (0, "")
    assert (folder / "out.txt").read_text() == run("predict", "m.thr", "a.svm").stdout


def test_names_that_a_vocabulary_does_not_know_weigh_nothing(folder: Path) -> None:
    run("train", "mail.vw", "-o", "v.thr", "--vocabulary", "--learner", "perceptron")
    (folder / "new.vw").write_text("|w unheard of\n|w unheard meeting\n")
    assert run("predict", "v.thr", "new.vw", "--scores").stdout == "1\t0.0\n-1\t-1.0\n"


def test_another_format_of_the_same_names_is_fine(folder: Path) -> None:
    (folder / "same.json").write_text('{"features": {"0": 1, "2": 1}}\n')
    (folder / "same.svm").write_text("0 0:1 2:1\n")
    assert run("predict", "m.thr", "same.svm", "--scores").stdout == (
        run("predict", "m.thr", "same.json", "--format", "json", "--scores").stdout
    )


def test_a_tsv_is_texts_or_a_table_to_a_model_of_another_format(folder: Path) -> None:
    run("train", "mail.vw", "-o", "vw.thr")
    (folder / "two.tsv").write_text("ham\tsee you\nspam\tfree cash\n")
    (folder / "table.tsv").write_text("label\tsize\n1\t2.5\n")
    for name, rows, format_ in (("two.tsv", 2, "text"), ("table.tsv", 1, "csv")):
        result = run("predict", "vw.thr", name)
        assert (result.exit_code, result.stdout.count("\n")) == (0, rows)
        said = f"{name} was read as {format_}, as its name and its lines say; the model learned"
        assert said in result.stderr
    result = run("train", "two.tsv", "-o", "more.thr", "--resume", "vw.thr")
    assert "two.tsv is csv or text by its name, and the model learned from vw" in result.stderr


def test_a_file_that_is_not_what_its_name_says_is_not_put_down_to_the_model(folder: Path) -> None:
    (folder / "new.vw").write_text('{"label": 1, "features": {"0": 1}}\n')
    result = run("predict", "m.thr", "new.vw")
    assert result.exit_code == 2
    assert "It was read as vw. If it is json, use --format json." in result.stderr
    assert "training data" not in result.stderr


def test_a_file_in_another_format_is_hinted_at(folder: Path) -> None:
    row = '{"label": 1, "features": {"0": 1}}\n'
    (folder / "new").write_text(row)
    (folder / "new.json").write_text(row)
    for command in ("predict", "test"):
        result = run(command, "m.thr", "new")
        assert result.exit_code == 2
        assert "It was read as svmlight" in result.stderr
        assert result.stderr.endswith("use --format json.\n")
        by_name = run(command, "m.thr", "new.json")
        assert by_name.exit_code == 0
        said = "new.json was read as json, as its name says; the model learned from svmlight"
        assert said in by_name.stderr
        assert by_name.stdout == run(command, "m.thr", "new", "--format", "json").stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["none.thr", "a.svm"], "none.thr: there is no such file"),
        (["a.svm", "a.svm"], "this is not a thresher model"),
        (["m.thr", "none.svm"], "none.svm: there is no such file"),
        (["m.thr"], "Missing argument 'DATA...'"),
        (["m.thr", "a.svm", "-o", "a.svm"], "this is one of the inputs"),
        (["m.thr", "a.svm", "-o", "no/folder"], "there is no folder no; make it first"),
        (["m.thr", "a.svm", "--one-based"], "the options change how lines are read"),
        (
            ["w.thr", "half.svm"],
            "half.svm:2: found the value 2.0 of feature 0, expected values in [0, 1]",
        ),
    ],
)
def test_what_cannot_be_done_is_said_clearly(folder: Path, words: list[str], says: str) -> None:
    run("train", "a.svm", "-o", "w.thr", "--learner", "winnow", "--features", "30")
    (folder / "half.svm").write_text("1 0:1\n1 0:2\n")
    result = run("predict", *words, columns=200)
    assert result.exit_code == 2
    assert says in result.stderr
    assert (folder / "a.svm").read_text() == noisy_rows(300)


def test_a_row_is_answered_before_the_next_one_comes(folder: Path) -> None:
    with process("predict", "m.thr", "-", "--format", "svmlight") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for _ in range(3):
            running.stdin.write(b"1 3:1\n")
            running.stdin.flush()
            assert running.stdout.readline() in (b"1\n", b"-1\n")
        running.stdin.close()
        assert running.wait(30) == 0


def test_without_a_standard_output_nothing_is_claimed_to_be_printed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    with pytest.raises(click.UsageError, match="standard output is closed"), writing("-"):
        pass


def test_a_name_that_tells_a_binary_format_needs_no_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.svm").write_text("1 1:1\n-1 2:1\n1 1:1 3:1\n")
    run("convert", "a.svm", "-o", "a.thb", "-q")
    for first, second in (("a.svm", "a.thb"), ("a.thb", "a.svm")):
        run("train", first, "-o", "m.thr", "-q")
        answers = run("predict", "m.thr", second, "--scores")
        assert answers.exit_code == 0
        assert answers.stdout == run("predict", "m.thr", first, "--scores").stdout
    run("train", "a.svm", "-o", "m.thr", "-q", "--learner", "perceptron", "--no-journal")
    assert "train --journal keeps" in run("inspect", "m.thr", "--blame", "1").stdout


def test_going_on_with_another_format_is_told_apart_from_bad_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text('{"label": 1, "a": 1}\n{"label": 0, "b": 1}\n')
    Path("b.svm").write_text("1 1:1\n0 2:1\n")
    run("train", "a.jsonl", "-o", "m.thr", "-q")
    result = run("train", "b.svm", "-o", "m.thr", "--resume", "m.thr", "-q")
    assert result.exit_code == 2
    assert "b.svm is svmlight by its name, and the model learned from json" in result.stderr
    assert "Convert it first (thresher convert), or use --format json" in result.stderr

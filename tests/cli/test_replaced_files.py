"""What stands in a file already is replaced, unless it would be missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import noisy_rows, run

DATA = "id,label\n1,0\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.svm").write_text(noisy_rows(40))
    Path("data.csv").write_text(DATA)
    words = ("--learner", "winnow", "--features", "30", "-q")
    assert run("train", "a.svm", "-o", "m.thr", *words).exit_code == 0
    assert run("certify", "a.svm", "-o", "c.json", *words).exit_code == 0
    return tmp_path


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("train a.svm -o data.csv", "-o data.csv: this file is there already and does not hold a"),
        ("train a.svm -o c.json", "-o c.json: this file is there already and holds a certificate"),
        ("certify a.svm -o data.csv --learner winnow", "does not hold a certificate"),
        ("certify a.svm -o m.thr --learner winnow", "holds a model"),
        ("convert a.svm -o m.thr --to vw", "holds a model"),
        ("convert a.svm -o c.json --to json", "holds a certificate"),
        ("export m.thr --to text -o c.json", "holds a certificate"),
        ("generate disjunctions -n 5 -o m.thr --to vw", "holds a model"),
        ("generate disjunctions -n 5 --secret m.thr", "--secret m.thr: this file is there already"),
        ("race a.svm -o c.json -q", "holds a certificate"),
        ("predict m.thr a.svm -o c.json", "holds a certificate"),
        ("predict m.thr a.svm --on-bad quarantine data.csv", "does not hold bad lines"),
    ],
)
def test_what_would_be_missed_is_not_replaced(folder: Path, words: str, told: str) -> None:
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    result = run(*words.split())
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Choose another name, or remove it first." in result.stderr
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_the_like_takes_the_place_of_the_like_and_results_that_of_any_other_file() -> None:
    assert run("train", "a.svm", "-o", "m.thr", "-q").exit_code == 0
    assert run("certify", "a.svm", "-o", "c.json", "--learner", "winnow", "-q").exit_code == 0
    assert run("predict", "m.thr", "a.svm", "-o", "data.csv").exit_code == 0
    assert Path("data.csv").read_text() != DATA
    Path("b.svm").write_text("1 1:x\n" + noisy_rows(5))
    for _ in range(2):
        quarantined = run("predict", "m.thr", "b.svm", "--on-bad", "quarantine", "bad.txt")
        assert quarantined.exit_code == 0
    assert Path("bad.txt").read_text().count("1:x") == 2, "the line, and what was found"


def test_an_empty_file_is_in_nobodys_way() -> None:
    Path("new.thr").touch()
    assert run("train", "a.svm", "-o", "new.thr", "-q").exit_code == 0


def test_an_output_has_a_name() -> None:
    result = run("train", "a.svm", "-o", "")
    assert result.exit_code == 2
    assert "-o: there is no file without a name; give it one." in result.stderr

"""Whoever comes by the command line is told what to type; a Python caller what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import run
from thresher.cli.remedies import REMEDIES, phrased
from thresher.errors import DimensionError

SPAM = "spam | a\nham | b\n"
FILES = {
    "rows.svm": "1 1:1\n0 2:1\n",
    "far.svm": "1 1:1\n0 70:1\n",
    "spam.vw": SPAM,
    "three.vw": SPAM + "eggs | c\n",
    "numbers.svm": "".join(f"{n / 7} 1:1\n" for n in range(40)),
    "column.vw": "1 | 1\n0 | 70\n",
    "far.jsonl": '{"label": 1, "70": 1}\n',
    "far.csv": "label,70\n1,2\n",
    "late.csv": "label,a\n" + "1,2\n" * 1000 + "1,x\n",
    "numbers.csv": "1,2\n3,4\n",
    "no_label.csv": "y,x\n1,2\n",
    "no_label.tsv": "y\tx\n1\t2\n",
    "what.txt": "lorem ipsum\ndolor sit\n",
    "weighted.vw": "1 2.5 | a\n0 | b\n",
    "blank.csv": "label,c\n1,a b\n0,c d\n",
    "names.vw": "1 | a b c\n0 | d\n",
    "classes.svm": "".join(f"{n % 3 + 5} {n % 3}:1\n" for n in range(60)),
}
TRAIN = ("-o", "m.thr", "-q")
#: The code, the command that meets the error, and what it is to be told.
CASES = [
    ("names", ("train", "names.vw", *TRAIN, "--vocabulary", "--features", 2), "--bits"),
    ("label.undecidable", ("train", "spam.vw", *TRAIN), "--positive spam; every other then"),
    ("label.undecidable", ("train", "spam.vw", *TRAIN), "Or keep them as classes: --multiclass."),
    ("label.measurements", ("train", "numbers.svm", *TRAIN), "say --multiclass; --positive LABEL"),
    ("label.which", ("verify", "run.json", "spam.svm"), "Say which one is +1: --positive LABEL."),
    ("line.column", ("train", "far.svm", *TRAIN, "--bits", 4), "0 to 15. A larger --bits allows"),
    ("line.column", ("train", "column.vw", *TRAIN, "--bits", 4), "0 to 15. A larger --bits"),
    ("line.column", ("train", "far.jsonl", *TRAIN, "--bits", 4), "below 16. A larger --bits"),
    ("line.column", ("train", "far.csv", *TRAIN, "--bits", 4), "does not. A larger --bits"),
    ("line.category", ("train", "late.csv", *TRAIN), "--categorical a reads it as categories."),
    ("line.label", ("train", "no_label.csv", *TRAIN), "Another field: --label-field."),
    ("line.label", ("train", "no_label.tsv", *TRAIN), "a tab and a text are --format text."),
    ("format.header", ("train", "numbers.csv", *TRAIN), "is the label: --label-field."),
    ("format.unknown", ("train", "what.txt", *TRAIN), "--format, with one of parquet, arrow"),
    ("format.to_write", ("convert", "rows.svm", "-o", "x.y", "-q"), "Say it with --to: svmlight"),
    ("binary.columns", ("train", "far.thb", *TRAIN, "--bits", 4), "with --bits or --features."),
    ("binary.foreign", ("train", "rows.svm", *TRAIN, "--format", "binary"), "with --format."),
    ("model.foreign", ("predict", "rows.svm", "rows.svm"), "`thresher train -o MODEL` writes."),
    (
        "writing.importance",
        ("convert", "weighted.vw", "-o", "w.svm", "-q"),
        "JSON lines instead, or say --ignore-importance.",
    ),
    (
        "writing.importance",
        ("convert", "weighted.vw", "-o", "w.csv", "-q"),
        "JSON lines instead, or say --ignore-importance.",
    ),
    ("writing.name", ("convert", "blank.csv", "-o", "b.vw", "-q"), "hash the names with --bits."),
    ("export.no_names", ("inspect", "bare.thr", "--collisions"), "`thresher train` keeps them"),
    (
        "export.one_table",
        ("export", "joint.thr", "--class", "5"),
        "a learner for each class: --learner arow.",
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that something is wrong with, and a few that are needed to find that out."""
    path = tmp_path_factory.mktemp("remedies")
    for name, text in FILES.items():
        (path / name).write_text(text)
    joint = ("--learner", "multiclass_perceptron")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        for words in (
            ("train", "classes.svm", "-o", "joint.thr", "-q", *joint),
            ("convert", "far.svm", "-o", "far.thb", "-q"),
            ("certify", "rows.svm", "-o", "run.json", "-q", "--learner", "perceptron"),
        ):
            assert run(*words).exit_code == 0, words
        th.Perceptron(n_features=8).save("bare.thr")
        (path / "spam.svm").write_text("spam 1:1\nham 2:1\n")
    return path


@pytest.mark.parametrize(("code", "words", "told"), CASES)
def test_an_error_says_what_to_type(
    folder: Path, monkeypatch: pytest.MonkeyPatch, code: str, words: tuple[object, ...], told: str
) -> None:
    monkeypatch.chdir(folder)
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert told in result.stderr
    assert "Recipe(" not in result.stderr
    assert "n_features" not in result.stderr


def test_every_remedy_is_told_by_some_command() -> None:
    # No command asks a learner for a column it has not: their streams know how many there are.
    assert {code for code, *_ in CASES} | {"dimension"} == REMEDIES.keys()
    assert phrased(DimensionError(0, 70, 8)).endswith("Train with --features 71 or more.")


def test_bad_lines_that_are_skipped_are_spoken_of_in_the_same_words(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    words = ("train", "far.svm", "-o", "m.thr", "-q", "--bits", 4)
    skipped = run(*words, "--on-bad", "skip")
    assert "1 bad line was skipped" in skipped.stderr
    assert "A larger --bits allows more." in skipped.stderr
    run(*words, "--on-bad", "quarantine", "bad.txt")
    assert "A larger --bits allows more." in (folder / "bad.txt").read_text()

"""Whoever comes by the command line is told what to type; a Python caller what to write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import thresher as th
from tests.cli.remedy_cases import CASES, FILES, WARNINGS
from tests.cli.running import run
from thresher.cli.remedies import REMEDIES, SENTENCES, phrased
from thresher.errors import DimensionError
from thresher.models.file import load_model, save_model


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that something is wrong with, and a few that are needed to find that out."""
    path = tmp_path_factory.mktemp("remedies")
    for name, text in FILES.items():
        (path / name).write_text(text)
    joint = ("--learner", "multiclass_perceptron")
    linear = ("-q", "--learner", "perceptron")
    narrow = ("-q", "--learner", "winnow", "--features", 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        for words in (
            ("train", "classes.svm", "-o", "joint.thr", "-q", *joint),
            ("convert", "far.svm", "-o", "far.thb", "-q"),
            ("certify", "rows.svm", "-o", "run.json", "-q", "--learner", "perceptron"),
            ("train", "far.thb", "-o", "binary.thr", "-q"),
            ("train", "rows.svm", "-o", "m0.thr", "-q"),
            ("train", "mail.txt", "-o", "text.thr", "-q"),
            ("train", "names.vw", "-o", "pairs.thr", *linear, "--pairs", "all"),
            ("train", "rows.svm", "-o", "crossed.thr", *linear, "--pairs", "all"),
            ("train", "long.txt", "-o", "long.thr", *linear),
            ("train", "nameless.jsonl", "-o", "nameless.thr", *linear),
            ("train", "mixed.jsonl", "-o", "mixed.thr", *linear),
            ("train", "rows.svm", "-o", "scaled.thr", "-q", "--learner", "arow:scaling=l2"),
            ("train", "shared.csv", "-o", "shared.thr", *narrow),
            ("train", "wide.csv", "-o", "wide.thr", *linear),
            ("train", "weighted.vw", "-o", "heavy.thr", "-q"),
            ("train", "weighted.vw", "-o", "weighted.thr", *linear, "--ignore-importance"),
        ):
            assert run(*words).exit_code == 0, words
        model = load_model("m0.thr")
        model.history = (replace(model.history[0], finished=False),)
        save_model(model, "stopped.thr")
        th.Perceptron(n_features=8).save("bare.thr")
        (path / "spam.svm").write_text("spam 1:1\nham 2:1\neggs 3:1\n")
        (path / "latin.csv").write_bytes("label,größe\n1,2\n".encode("latin-1"))
        when = {"label": [0, 1], "when": pd.to_datetime(["2020-01-01", "2020-01-02"])}
        pd.DataFrame(when).to_parquet(path / "when.parquet")
        (path / "utf_16.txt").write_text(FILES["mail.txt"], encoding="utf-16")
    return path


@pytest.mark.parametrize(("code", "words", "told"), CASES)
def test_an_error_says_what_to_type(
    folder: Path, monkeypatch: pytest.MonkeyPatch, code: str, words: tuple[object, ...], told: str
) -> None:
    monkeypatch.chdir(folder)
    result = run(*words)
    assert result.exit_code == 2
    about_options = code.startswith("request.")
    assert result.stderr.startswith("Usage: " if about_options else "error: ")
    assert told in result.stderr
    assert "Recipe(" not in result.stderr
    assert about_options or "n_features" not in result.stderr


@pytest.mark.parametrize(("code", "words", "told"), WARNINGS)
def test_a_warning_says_what_to_type(
    folder: Path, monkeypatch: pytest.MonkeyPatch, code: str, words: tuple[object, ...], told: str
) -> None:
    monkeypatch.chdir(folder)
    result = run(*words)
    assert result.exit_code == 0, code
    assert result.stderr.startswith("warning: ")
    assert told in result.stderr


def test_every_remedy_is_told_by_some_command() -> None:
    # No command asks a learner for a column it has not: their streams know how many there are.
    # Nor does one ask a Committee for weights before it has asked for a form to export.
    unlikely = {"dimension", "fault.much_memory", "export.no_weights"}
    # A cluster that is lost takes its time: see tests/cluster.
    unlikely |= {"cluster.deadline", "cluster.no_workers", "cluster.no_scheduler"}
    unlikely |= {"resume.other_shards"}
    assert {
        code for code, *_ in [*CASES, *WARNINGS]
    } | unlikely == REMEDIES.keys() | SENTENCES.keys()
    assert phrased(DimensionError(0, 70, 8)).endswith("Train with --features 71 or more.")


def test_bad_lines_that_are_skipped_are_spoken_of_in_the_same_words(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    words = ("train", "far.svm", "-o", "m.thr", "-q", "--bits", 4)
    skipped = run(*words, "--on-bad", "skip")
    assert "1 bad line was skipped" in skipped.stderr
    assert "A larger --bits, up to 30, or --features allows more." in skipped.stderr
    run(*words, "--on-bad", "quarantine", "bad.txt")
    assert (
        "A larger --bits, up to 30, or --features allows more." in (folder / "bad.txt").read_text()
    )

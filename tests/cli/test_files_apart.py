"""No command writes to a file that it reads, whatever the file is called."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import run
from thresher.errors import SourceError
from thresher.streams.bad_lines import BadLinePolicy

ROWS = "1 1:1\n-1 2:1\n1 1:1 3:1\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.svm").write_text(ROWS)
    os.symlink("a.svm", "link.svm")
    run("train", "a.svm", "-o", "m.thr", "-q")
    os.link("m.thr", "same.thr")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        ["train", "a.svm", "-o", "./a.svm"],
        ["train", "a.s*", "-o", "link.svm"],
        ["predict", "m.thr", "a.svm", "-o", "m.thr"],
        ["predict", "m.thr", "a.svm", "-o", "same.thr"],
        ["predict", "m.thr", "a.s*", "-o", "a.svm"],
        ["export", "m.thr", "-o", "./m.thr"],
        ["convert", "./a.svm", "-o", "link.svm"],
        ["race", "a.s*", "-o", "a.svm"],
        ["certify", "a.svm", "-o", "link.svm"],
        ["train", "a.svm", "-o", "new.thr", "--on-bad", "quarantine", "link.svm"],
        ["train", "a.svm", "-o", "new.thr", "--on-bad", "quarantine", "./new.thr"],
        ["train", "a.svm", "-o", "n.thr", "--resume", "m.thr", "--on-bad", "quarantine", "m.thr"],
        ["predict", "m.thr", "a.svm", "--on-bad", "quarantine", "m.thr"],
        ["predict", "m.thr", "a.svm", "-o", "new.txt", "--on-bad", "quarantine", "new.txt"],
        ["test", "m.thr", "a.s*", "--on-bad", "quarantine", "a.svm"],
    ],
)
def test_an_input_is_not_written_to(folder: Path, words: list[str]) -> None:
    model = (folder / "m.thr").read_bytes()
    result = run(*words)
    assert result.exit_code == 2
    said = result.stderr
    assert "one of the inputs" in said or "another use" in said or "a file that is read" in said
    assert (folder / "a.svm").read_text() == ROWS
    assert (folder / "m.thr").read_bytes() == model
    assert not (folder / "new.thr").exists()


def test_a_model_may_be_replaced_by_what_becomes_of_it(folder: Path) -> None:
    resumed = run("train", "a.svm", "-o", "m.thr", "--resume", "m.thr", "--skip-rows", "0", "-q")
    assert resumed.exit_code == 0
    assert th.load("m.thr").n_rounds == 6


def test_a_reader_does_not_write_bad_lines_into_what_it_reads(folder: Path) -> None:
    with pytest.raises(SourceError, match="a file that is read"):
        th.read("a.svm", on_bad=BadLinePolicy("quarantine", quarantine="link.svm"))
    assert (folder / "a.svm").read_text() == ROWS


@pytest.mark.parametrize(
    "words",
    [
        ["predict", "no.thr", "a.svm", "-o", "old.txt"],
        ["predict", "m.thr", "no.svm", "-o", "old.txt"],
        ["predict", "m.thr", "a.svm", "-o", "old.txt", "--format", "json"],
        ["export", "no.thr", "-o", "old.txt"],
    ],
)
def test_a_bad_start_leaves_an_old_output_as_it_was(folder: Path, words: list[str]) -> None:
    (folder / "old.txt").write_text("precious")
    assert run(*words).exit_code == 2
    assert (folder / "old.txt").read_text() == "precious"


@pytest.mark.parametrize("command", ["train a.svm", "predict m.thr a.svm", "convert a.svm --to vw"])
def test_a_folder_that_is_missing_is_named(command: str) -> None:
    result = run(*command.split(), "-o", "no/x")
    assert result.exit_code == 2
    assert "-o no/x: there is no folder no; make it first." in result.stderr


@pytest.mark.parametrize(
    "command",
    ["convert a.svm -o - --to vw", "generate disjunctions", "race a.svm -q", "test m.thr a.svm"],
)
def test_results_that_nobody_can_read_are_no_success(command: str) -> None:
    words = f'"{sys.executable}" -m thresher {command} >&-'
    ended = subprocess.run(["sh", "-c", words], stderr=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == "error: standard output is closed"


def test_nobody_misses_what_is_said_to_a_closed_standard_error(folder: Path) -> None:
    words = f'"{sys.executable}" -m thresher train a.svm -o n.thr 2>&-'
    ended = subprocess.run(["sh", "-c", words], stdout=subprocess.PIPE, text=True, check=False)
    assert ended.returncode == 0
    assert ended.stdout == run("train", "a.svm", "-o", "n.thr").stdout

"""A last line without a line end is learned, and said to be so: perhaps there should be more."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import process, run
from thresher.errors import MissingModelError, ModelFileError, OutputError
from thresher.models.events import Warned
from thresher.models.input_data import InputData
from thresher.models.training import TrainingRun
from thresher.models.training_request import TrainingRequest

NOTE = "the last line has no end: was the file complete?"
#: A file of two rows in each format with lines.
TWO_ROWS = {
    "a.svm": "1 1:1\n-1 2:1\n",
    "a.vw": "1 | a\n-1 | b\n",
    "a.jsonl": '{"label": 1, "a": 1}\n{"label": -1, "b": 1}\n',
    "a.csv": "label,a\n1,2\n-1,3\n",
    "a.txt": "1\tgood news\n-1\tbad news\n",
}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("name", TWO_ROWS)
def test_the_last_line_is_learned_and_noted(name: str, packed: bool, tmp_path: Path) -> None:
    format_ = ["--format", "text"] if name == "a.txt" else []
    for text, noted in ((TWO_ROWS[name], False), (TWO_ROWS[name].removesuffix("\n"), True)):
        path = tmp_path / (name + ".gz" if packed else name)
        path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
        result = run("train", "-q", path, "-o", tmp_path / "m.thr", "--json", *format_)
        assert result.exit_code == 0
        report = json.loads(result.stdout)
        assert report["rounds"] == 2
        assert report["unended"] == ([str(path)] if noted else [])
        assert result.stderr == (f"warning: {path}: {NOTE}\n" if noted else "")


def test_blanks_behind_the_last_line_end_are_no_line(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text("1 1:1\n-1 2:1\n  ")
    result = run("train", "-q", tmp_path / "a.svm", "-o", tmp_path / "m.thr")
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_pipe_that_was_cut_off_is_noted(tmp_path: Path) -> None:
    running = process("train", "-q", "-", "--format", "svmlight", "-o", tmp_path / "m.thr")
    _, said = running.communicate(b"1 1:1\n-1 2:1\n1 1")
    # Half a row is no row; with the rest of it missing it may still be one.
    assert running.returncode == 2
    running = process("train", "-q", "-", "--format", "svmlight", "-o", tmp_path / "m.thr")
    _, said = running.communicate(b"1 1:1\n-1 2:1\n1 1:1")
    assert (running.returncode, said) == (0, f"warning: <stdin>: {NOTE}\n".encode())


def test_of_several_files_each_one_is_named_once_however_many_passes(tmp_path: Path) -> None:
    for name, text in (("a", "1 1:1\n-1 2:1"), ("b", "1 1:1\n"), ("c", "1 1:1")):
        (tmp_path / f"{name}.svm").write_text(text)
    paths = [str(tmp_path / f"{name}.svm") for name in "abc"]
    training = TrainingRun(TrainingRequest(data=InputData(paths=tuple(paths)), passes=3))
    noted = [event.text for event in training if isinstance(event, Warned)]
    assert noted == [f"{paths[0]}: {NOTE}", f"{paths[2]}: {NOTE}"]


def test_a_missing_model_is_an_error_of_the_system_and_ours() -> None:
    for kind in (MissingModelError, ModelFileError, FileNotFoundError, OSError):
        with pytest.raises(kind, match=r"^none.thr: there is no such file\.$") as told:
            th.load("none.thr")
    assert isinstance(told.value, OSError)
    assert (told.value.filename, told.value.errno) == ("none.thr", 2)


def test_a_conversion_into_a_folder_that_is_not_there_names_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text("1 1:1\n")
    with pytest.raises(OutputError, match=r"there is no folder .*missing\. Make it first\.$"):
        th.convert(tmp_path / "a.svm", tmp_path / "missing" / "a.vw")

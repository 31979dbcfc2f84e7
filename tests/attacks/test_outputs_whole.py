"""A disk that fills up, a kill, an error half-way: an output is the old one or the new one."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import PLAIN, noisy_rows, run

OLD = b"what was there before\n"

#: Each command with the option that names its output; OUT is that file.
COMMANDS = {
    "train": "train -q a.svm -o OUT",
    "predict": "predict m.thr a.svm --scores -o OUT",
    "predict in JSON": "predict m.thr a.svm --json -o OUT",
    "race": "race -q a.svm --no-bounds --learner perceptron -o OUT",
    "secret": "generate disjunctions --set n_features=9000,r=900 --rows 5 -o x.svm --secret OUT",
    "text": "export m.thr --to text -o OUT",
    "C": "export m.thr --to c -o OUT",
    "svmlight": "convert -q a.svm -o OUT --to svmlight",
    "VW": "convert -q a.svm -o OUT --to vw",
    "JSON": "convert -q a.svm -o OUT --to json",
    "CSV": "convert -q a.svm -o OUT --to csv",
    "Parquet": "convert -q a.svm -o OUT --to parquet",
    "Arrow": "convert -q a.svm -o OUT --to arrow",
    "binary": "convert -q a.svm -o OUT --to binary",
    "gzip": "convert -q a.svm -o OUT.gz --to svmlight",
    "Zstandard": "convert -q a.svm -o OUT.zst --to svmlight",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("outputs")
    (folder / "a.svm").write_text(noisy_rows(4000))
    words = ("--learner", "perceptron", "-o", folder / "m.thr")
    assert run("train", "-q", folder / "a.svm", *words).exit_code == 0
    return folder


def _limited(n_bytes: int) -> Callable[[], None]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (n_bytes, n_bytes))

    return limit


def _run(line: str, folder: Path, most: int) -> subprocess.CompletedProcess[bytes]:
    words = [sys.executable, "-m", "thresher", *line.split()]
    environment = os.environ | PLAIN | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        words, cwd=folder, capture_output=True, env=environment, preexec_fn=_limited(most)
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_leaves_the_old_file_and_nothing_else(
    name: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = COMMANDS[name]
    output = next(word for word in line.split() if word.startswith("OUT")).replace("OUT", "out")
    before = set(os.listdir(folder)) | {output, "x.svm"}
    # A model is written over models alone.
    old = (folder / "m.thr").read_bytes() if name == "train" else OLD
    (folder / output).write_bytes(old)
    # No file may become larger than this, as if the disk were full.
    done = _run(line.replace("OUT", "out"), folder, 100)
    assert (done.returncode, done.stdout) == (2, b""), done
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.startswith(b"error: ")
    assert b".partial" not in done.stderr
    assert (folder / output).read_bytes() == old
    assert set(os.listdir(folder)) <= before
    # Where there is room the same words replace it.
    monkeypatch.chdir(folder)
    assert run(*line.replace("OUT", "out").split()).exit_code == 0
    assert (folder / output).read_bytes() != old


def test_an_error_behind_the_first_rows_leaves_old_predictions(folder: Path) -> None:
    rows = noisy_rows(60_000)
    (folder / "late.svm").write_text(rows + "this is no row\n")
    (folder / "answers").write_bytes(OLD)
    result = run("predict", folder / "m.thr", folder / "late.svm", "-o", folder / "answers")
    assert result.exit_code == 2
    assert "late.svm:60001" in result.stderr
    assert (folder / "answers").read_bytes() == OLD


def test_a_process_that_is_killed_leaves_the_old_file(folder: Path) -> None:
    answers = folder / "killed"
    answers.write_bytes(OLD)
    words = [sys.executable, "-m", "thresher", "predict", "m.thr", "-", "-o", "killed"]
    rows = noisy_rows(3000).encode()
    for _ in range(3):
        with subprocess.Popen(
            [*words, "--format", "svmlight"], cwd=folder, stdin=subprocess.PIPE
        ) as running:
            assert running.stdin is not None
            running.stdin.write(rows)
            running.stdin.flush()
            limit = time.monotonic() + 20
            while not _unfinished(folder) and time.monotonic() < limit:
                time.sleep(0.01)
            running.send_signal(signal.SIGKILL)
        assert answers.read_bytes() == OLD
        # Each writer removes what the one before it left.
        assert len(_unfinished(folder)) == 1
    assert run("predict", folder / "m.thr", folder / "a.svm", "-o", answers).exit_code == 0
    assert answers.read_bytes().count(b"\n") == 4000
    assert _unfinished(folder) == []


def _unfinished(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".partial")]

"""A file that is sorted by its labels is told to be, and can be put in random order."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from tests.cli.running import run
from thresher.errors import ParameterError
from thresher.models.label_order import LabelOrder

TOGETHER = "rows with the same label stand together"


def told(labels: list[int], *cuts: int) -> str | None:
    order = LabelOrder()
    for part in np.split(np.array(labels, np.int32), sorted(cuts)):
        order.take(part)
    return order.together


@given(st.lists(st.integers(-1, 3), max_size=80), st.lists(st.integers(0, 80), max_size=4))
def test_pieces_are_judged_as_the_whole(labels: list[int], cuts: list[int]) -> None:
    assert told(labels) == told(labels, *cuts)


@pytest.mark.parametrize(
    ("labels", "together"),
    [
        ([0] * 50 + [1] * 50, True),
        ([0] * 50 + [1] * 50 + [2] * 50, True),
        ([-1, 0] * 30 + [1, -1] * 30, True),
        ([0, 1] * 50, False),
        (([0] * 5 + [1] * 5) * 10, False),
        (([0] * 50 + [1] * 50) * 5, True),
        ([0] * 6 + [1] * 6, False),
        ([0] * 1000 + [1] * 5, False),
        ([0] * 1000, False),
        ([], False),
    ],
)
def test_who_stands_together(labels: list[int], together: bool) -> None:
    assert (TOGETHER in (told(labels) or "")) == together


def test_a_random_order_is_never_blamed() -> None:
    random = np.random.default_rng(1)
    for share in (0.5, 0.1, 0.01):
        for rows in (20, 100, 3000):
            assert told((random.random(rows) < share).astype(int).tolist()) is None


ROWS = [f"{label},{x},{kind}\n" for label, x in (("no", 1), ("yes", 2)) for kind in "pqr" * 20]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "sorted.csv"
    file.write_text("label,x,kind\n" + "".join(ROWS))
    return file


def test_training_warns_and_a_shuffled_file_is_quiet(table: Path) -> None:
    model, mixed = table.with_name("m.thr"), table.with_name("mixed.csv")
    warned = run("train", table, "-o", model, "-q").stderr
    assert TOGETHER in warned
    assert "Shuffle them first: thresher convert --shuffle 1" in warned
    assert run("convert", table, "-o", mixed, "--shuffle", 1).exit_code == 0
    assert TOGETHER not in run("train", mixed, "-o", model, "-q").stderr
    assert Counter(mixed.read_text().splitlines(keepends=True)[1:]) == Counter(ROWS)


@pytest.mark.parametrize("command", ["race", "tune"])
def test_who_compares_learners_is_warned_as_well(table: Path, command: str) -> None:
    learner = ["--learner", "perceptron"]
    found = run(command, table, *learner)
    assert found.exit_code == 0
    assert "rows with the same label stand together" in found.stderr
    assert "thresher convert --shuffle 1" in found.stderr
    mixed = table.with_name("mixed.csv")
    assert run("convert", table, "-o", mixed, "--shuffle", 1).exit_code == 0
    assert "stand together" not in run(command, mixed, *learner).stderr


@pytest.mark.parametrize("ending", ["csv", "vw", "jsonl", "thb", "svm"])
def test_the_same_seed_gives_the_same_order_however_it_is_read(table: Path, ending: str) -> None:
    files = [table.with_name(f"{name}.{ending}") for name in "abc"]
    for file, seed, size in zip(files, (7, 7, 8), (100, 1 << 20, 100), strict=True):
        th.convert(table, file, shuffle=seed, chunk_bytes=size)
    first, again, other = (file.read_bytes() for file in files)
    assert first == again
    assert first != other


def test_importance_goes_along(tmp_path: Path) -> None:
    file, other = tmp_path / "a.vw", tmp_path / "b.vw"
    lines = [f"{k % 2} {k} | n{k}:{k}\n" for k in range(1, 40)]
    file.write_text("".join(lines))
    plain = tmp_path / "plain.jsonl"
    th.convert(file, plain)
    for found, expected in ((other, file), (tmp_path / "b.jsonl", plain)):
        th.convert(file, found, shuffle=3, chunk_bytes=64)
        assert sorted(found.read_text().splitlines()) == sorted(expected.read_text().splitlines())
        assert found.read_text() != expected.read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", '\ufefflabel;"k\nind";x\r\nyes;"a\nb";1\r\nno;c;2\r\n'),
        ("a.tsv", "ham\tsee you there\nspam\tfree  cash!\nham\tno, not 7\n"),
        ("a.vw", "1 |a b:0.50 |c d\n\n-1 2 'tag|a e\n"),
        ("a.jsonl", '{"label": 1, "x": 1.50}\n{"x": "a", "label": -1}'),
        ("a.svm", "+1 3:1.0 # note\n-1 7:2\n"),
    ],
)
def test_lines_stay_as_they_are_where_the_format_does(tmp_path: Path, name: str, text: str) -> None:
    file, other = tmp_path / name, tmp_path / f"b{name[1:]}.gz"
    file.write_text(text, newline="")
    done = th.convert(file, other, shuffle=4)
    assert done.rows == (3 if name == "a.tsv" else 2)
    found = gzip.decompress(other.read_bytes()).decode()
    lines = text.replace("\r", "").removeprefix("\ufeff").rstrip("\n").split("\n")
    assert sorted(found.rstrip("\n").split("\n")) == sorted(line for line in lines if line)
    assert th.train(other).learner.n_rounds == done.rows


def test_the_header_of_a_pipe_has_gone_by(table: Path) -> None:
    words = [
        "thresher",
        "convert",
        "-",
        "-o",
        "-",
        "--format",
        "csv",
        "--to",
        "csv",
        "--shuffle",
        "1",
    ]
    with table.open("rb") as rows:
        done = subprocess.run([sys.executable, "-m", *words], stdin=rows, capture_output=True)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"standard input cannot be shuffled" in done.stderr


def test_a_seed_is_a_number(table: Path) -> None:
    with pytest.raises(ParameterError, match="shuffle"):
        th.convert(table, table.with_name("b.csv"), shuffle=-1)
    assert run("convert", table, "-o", table.with_name("b.csv"), "--shuffle", -1).exit_code == 2

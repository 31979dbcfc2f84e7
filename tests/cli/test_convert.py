"""`thresher convert`: from any format to any other."""

from __future__ import annotations

import itertools
import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import noisy_rows, process, run
from tests.streams.examples import read_examples
from thresher.cli.output_format import FORMATS
from thresher.streams.writers import WRITABLE

SUFFIXES = ("svm", "vw", "jsonl", "csv", "parquet", "arrow", "thb", "vw.gz", "svm.zst")


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.svm"
    path.write_text(noisy_rows(50))
    return path


def test_the_help_offers_what_can_be_written() -> None:
    assert tuple(WRITABLE) == FORMATS


def test_rows_survive_a_journey_through_every_format(rows: Path) -> None:
    at = rows
    for n, suffix in enumerate((*SUFFIXES, "svm")):
        to = rows.with_name(f"{n}.{suffix}")
        result = run("convert", at, "-o", to)
        assert result.exit_code == 0, result.output
        assert "50 rows" in result.stderr
        at = to
    assert at.read_bytes() == rows.read_bytes()


@pytest.mark.parametrize(("one", "other"), [*itertools.permutations(["jsonl", "vw", "csv"], 2)])
def test_names_and_labels_are_kept(tmp_path: Path, one: str, other: str) -> None:
    texts = {
        "jsonl": '{"label":"spam","features":{"free":1.0,"size":2.5}}\n'
        '{"label":"ham","features":{"cash":1.0}}\n',
        "vw": "spam | free size:2.5\nham | cash\n",
        "csv": "label,free,size,cash\nspam,1,2.5,\nham,,,1\n",
    }
    (tmp_path / f"in.{one}").write_text(texts[one])
    result = run("convert", tmp_path / f"in.{one}", "-o", tmp_path / f"out.{other}")
    assert result.exit_code == 0, result.output
    assert (tmp_path / f"out.{other}").read_text() == texts[other]


def test_hashing_makes_columns_of_names(tmp_path: Path) -> None:
    path = tmp_path / "in.vw"
    path.write_text("1 | free cash 7:2\n")
    expected = read_examples(path)[1]
    for to in ("out.svm", "out.thb"):
        assert run("convert", path, "-o", tmp_path / to).exit_code == 0
        assert read_examples(tmp_path / to)[1] == expected
    run("convert", path, "-o", tmp_path / "out.jsonl", "--bits", "4")
    assert json.loads((tmp_path / "out.jsonl").read_text())["features"].keys() <= {
        str(k) for k in range(16)
    }


def test_a_binary_file_remembers_how_names_were_hashed(tmp_path: Path) -> None:
    (tmp_path / "in.vw").write_text("1 | free cash\n")
    first, second = tmp_path / "one.thb", tmp_path / "two.thb"
    run("convert", tmp_path / "in.vw", "-o", first, "--bits", "10", "--seed", "3")
    refused = run("convert", first, "-o", second)
    assert refused.exit_code == 2
    assert "hashed into 1024 columns with seed 3" in refused.stderr
    assert run("convert", first, "-o", second, "--bits", "10", "--seed", "3").exit_code == 0
    assert first.read_bytes() == second.read_bytes()


def test_colliding_names_add_up_or_the_stronger_one_counts(tmp_path: Path) -> None:
    (tmp_path / "in.vw").write_text("1 | a b c d e\n")
    for words, value in ((["--bits", "1"], 5.0), (["--bits", "1", "--strongest"], 1.0)):
        run("convert", tmp_path / "in.vw", "-o", tmp_path / "out.svm", *words)
        (row,) = read_examples(tmp_path / "out.svm")[1]
        assert sum(row.values()) == (value if len(words) == 2 else len(row))


def test_importances_are_kept_refused_or_left_out(tmp_path: Path) -> None:
    (tmp_path / "in.vw").write_text("1 2.5 | a\n0 | b\n")
    assert run("convert", tmp_path / "in.vw", "-o", tmp_path / "out.thb").exit_code == 0
    assert read_examples(tmp_path / "out.thb")[3] == [2.5, 1.0]
    refused = run("convert", tmp_path / "in.vw", "-o", tmp_path / "out.svm")
    assert refused.exit_code == 2
    assert "row 1: it has importance 2.5" in refused.stderr
    assert not (tmp_path / "out.svm").exists()
    words = ("convert", tmp_path / "in.vw", "-o", tmp_path / "out.svm", "--ignore-importance")
    assert run(*words).exit_code == 0


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (["rows.svm", "-o", "rows.svm"], 2, "this is one of the inputs"),
        (["rows.svm", "-o", "out.txt"], 2, "does not say which format to write"),
        (["rows.svm", "-o", "-"], 2, "say which format to write"),
        (["rows.svm", "-o", "-", "--to", "vw", "--json"], 2, "give -o FILE"),
        (["rows.svm", "-o", "out.thb", "--vocabulary"], 2, "binary cannot hold"),
        (["none.svm", "-o", "out.thb"], 2, "there is no such file"),
        (["bad.svm", "-o", "out.thb"], 2, "bad.svm:2: found"),
        (["bad.svm", "-o", "out.thb", "--on-bad", "skip"], 0, "1 bad line was skipped"),
        (["rows.svm", "-o", "no/such/folder.thb"], 2, "there is no folder"),
        (["rows.svm"], 2, "Missing option"),
    ],
)
def test_convert(
    rows: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], status: int, says: str
) -> None:
    monkeypatch.chdir(rows.parent)
    Path("bad.svm").write_text("1 3:1\n1 x\n")
    result = run("convert", *words)
    assert result.exit_code == status, result.output
    assert says in result.stderr


def test_json_for_machines(rows: Path) -> None:
    result = run("convert", rows, "-o", rows.with_name("out.thb"), "--json")
    done = json.loads(result.stdout)
    assert (done["rows"], done["read"], done["written"]) == (50, "svmlight", "binary")
    assert sorted(done["labels"]) == ["-1", "1"]


def test_from_a_pipe_to_a_pipe(rows: Path) -> None:
    with process("convert", "-", "-o", "-", "--to", "binary", stdin=subprocess.PIPE) as first:
        binary, _ = first.communicate(rows.read_bytes(), timeout=60)
    with process("convert", "-", "-o", "-", "--to", "svmlight", "-q") as second:
        text, errors = second.communicate(binary, timeout=60)
    assert text == rows.read_bytes()
    assert errors == b""

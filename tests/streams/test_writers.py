"""Writers: what a format cannot hold is refused; a file is whole or absent."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.streams.examples import read_examples
from thresher import Batch
from thresher.errors import FormatError, NotWritableError
from thresher.streams.writers import WRITABLE, Examples, format_of, writing
from thresher.streams.writers import csv_table as csv_writing
from thresher.streams.writers.json_lines import JsonWriter, NamedJsonWriter
from thresher.streams.writers.parquet import ArrowWriter
from thresher.streams.writers.sink import sink
from thresher.streams.writers.svmlight import SvmlightWriter
from thresher.streams.writers.vw_text import NamedVwWriter, VwWriter

ROWS = Batch.of([{3: 1.0}, {5: 2.0}], [1, 1])


def examples(labels: list[int], names: list[str], weights: list[float] | None = None) -> Examples:
    importance = None if weights is None else np.array(weights)
    return Examples(ROWS, np.array(labels, np.int32), names, importance)


def text(writer: Any, file: BytesIO, some: Examples) -> str:
    writer.write(some)
    writer.finish()
    return file.getvalue().decode()


def test_labels_importances_and_their_absence() -> None:
    some = examples([0, -1], ["spam"], [2.5, 1.0])
    file = BytesIO()
    assert text(VwWriter(file), file, some) == "spam 2.5 | 3:1\n| 5:2\n"
    file = BytesIO()
    assert text(JsonWriter(file), file, some) == (
        '{"label":"spam","weight":2.5,"features":{"3":1}}\n{"features":{"5":2}}\n'
    )


@pytest.mark.parametrize("label", ["1", "-1", "0", "01", "1.0", "+1", "1e5", 'a "b"', "ä", "true"])
def test_a_label_in_json_reads_back_as_it_was(tmp_path: Path, label: str) -> None:
    path = tmp_path / "a.jsonl"
    with writing(str(path), "json") as writer:
        writer.write(examples([0, 0], [label]))
    line = path.read_text().splitlines()[0]
    assert line.startswith(f'{{"label":{label},' if label in ("1", "-1", "0") else '{"label":"')
    canonical = {"01": "1", "1.0": "1", "+1": "1", "1e5": "100000"}
    assert read_examples(path)[2] == [canonical.get(label, label)] * 2


@pytest.mark.parametrize(
    ("kind", "some", "what"),
    [
        (SvmlightWriter, examples([0, -1], ["1"]), "row 2: it has no label"),
        (SvmlightWriter, examples([0, 0], ["1"], [1.0, 2.0]), "row 2: it has importance 2.0"),
        (SvmlightWriter, examples([1, 0], ["not spam", "1"]), "row 2: its label 'not spam'"),
        (SvmlightWriter, examples([0, 0], ["1:2"]), "row 1: its label '1:2'"),
        (VwWriter, examples([0, 0], ["a|b"]), "row 1: its label 'a|b'"),
        (VwWriter, examples([0, 0], ["a b"]), "row 1: its label 'a b'"),
        (
            VwWriter,
            examples([-1, 0], ["1"], [2.0, 1.0]),
            "row 1: it has an importance but no label",
        ),
    ],
)
def test_what_a_format_cannot_hold_is_refused(kind: Any, some: Examples, what: str) -> None:
    with pytest.raises(NotWritableError, match=what.replace("|", r"\|")):
        kind(BytesIO()).write(some)


@pytest.mark.parametrize("name", ["free cash", "a:b", "a|b", "x\n", ""])
def test_a_name_that_vw_text_cannot_hold_is_refused(name: str) -> None:
    writer = NamedVwWriter(BytesIO(), ["a", "b", "c", name, "e", "x"])
    with pytest.raises(NotWritableError, match="cannot be written in VW text"):
        writer.write(Examples.of(ROWS))


def test_names_in_vw_text_stand_in_their_namespaces() -> None:
    names = ["a", "ns^b", "ns^c", "x^y^z", "^d", "e^", "s" * 300 + "^f"]
    file = BytesIO()
    row = Batch.of([{0: 1, 1: 0.5, 2: 1, 3: 1, 4: 1, 5: 1, 6: 1}], [1])
    assert text(NamedVwWriter(file, names), file, Examples.of(row)) == (
        f"1 | a ^d e^ {names[-1]} |ns b:0.5 c |x y^z\n"
    )


def test_names_in_json_are_quoted_as_they_must_be() -> None:
    file = BytesIO()
    row = Examples.of(Batch.of([{0: 1, 1: 2}], [1]))
    names = ['a "b"', "ä\n"]
    assert text(NamedJsonWriter(file, names), file, row) == (
        '{"label":1,"features":{"a \\"b\\"":1.0,"ä\\n":2.0}}\n'
    )


def test_a_table_with_too_many_columns_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_writing, "MOST_COLUMNS", 1)
    writer = csv_writing.CsvWriter(BytesIO())
    with pytest.raises(NotWritableError, match="more than 1 columns"):
        writer.write(Examples.of(ROWS))
    with pytest.raises(NotWritableError, match="importance, which CSV cannot hold"):
        writer.write(examples([0, 0], ["1"], [2.0, 1.0]))
    writer.abandon()


@pytest.mark.parametrize("name", ["a.svm", "a.csv", "a.thb", "a.parquet", "a.vw.gz", "a.vw.zst"])
def test_an_error_leaves_no_file_and_the_old_one_as_it_was(tmp_path: Path, name: str) -> None:
    path = tmp_path / name

    def fail() -> None:
        with writing(str(path), format_of(name)) as writer:
            writer.write(Examples.of(ROWS))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"old")
    with pytest.raises(RuntimeError):
        fail()
    assert path.read_bytes() == b"old"
    assert [found.name for found in tmp_path.iterdir()] == [name]


def test_a_new_file_may_be_read_by_those_who_may_read_others(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        with writing(str(tmp_path / "a.svm"), "svmlight") as writer:
            writer.write(Examples.of(ROWS))
    finally:
        os.umask(mask)
    assert (tmp_path / "a.svm").stat().st_mode & 0o777 == 0o644


def test_a_format_is_told_by_the_suffix() -> None:
    for name, (suffixes, _, _) in WRITABLE.items():
        for suffix in suffixes:
            assert format_of(f"some{suffix}") == format_of(f"SOME{suffix.upper()}") == name
    with pytest.raises(FormatError, match="format=: svmlight, vw"):
        format_of("some.txt")
    with pytest.raises(FormatError, match="cannot be written"):
        format_of("some.svm", "text")


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_half_a_table_does_not_look_like_a_whole_one(kind: str) -> None:
    file = BytesIO()
    writer = ArrowWriter(file, None, kind)
    writer.write(Examples.of(ROWS))
    writer.abandon()
    assert not file.getvalue()[8:].endswith((b"PAR1", b"ARROW1"))


#: Writes what no compression makes small, where no file may have more than 64 kB.
_NO_ROOM = """
import os, resource, sys
from thresher.errors import OutputError
from thresher.streams.writers.sink import sink
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
try:
    with sink(sys.argv[1]) as file:
        for _ in range(64):
            file.write(os.urandom(1 << 20))
except OutputError as error:
    print(error)
"""


@pytest.mark.parametrize("name", ["a.svm", "a.svm.gz", "a.svm.zst"])
def test_a_full_disk_ends_the_writing_whatever_compresses(tmp_path: Path, name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", _NO_ROOM, str(tmp_path / name)],
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert "File too large" in run.stdout, run.stderr
    assert (run.stderr, os.listdir(tmp_path)) == ("", [])


def test_what_is_compressed_does_not_say_when(tmp_path: Path) -> None:
    written = []
    for path in (tmp_path / "a.svm.gz", tmp_path / "b.svm.gz"):
        with sink(str(path)) as file:
            file.write(b"1 3:1\n" * 1000)
        written.append(path.read_bytes())
    assert written[0] == written[1]
    assert (written[0][3:8], gzip.decompress(written[0])) == (bytes(5), b"1 3:1\n" * 1000)

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from blake3 import blake3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import thresher as th
from tests.kernels.test_scan_svmlight import blocks
from tests.streams.reads import everything
from thresher.errors import BadLineError, SourceError, ThresherError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe

slow_files = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    file = tmp_path / "tiny.svm"
    file.write_bytes(b"1 0:1 7:0.5\n0 3:1\n1\n")
    return file


@given(content=blocks, chunk_bytes=st.integers(1, 50), threads=st.integers(1, 4))
@slow_files
def test_rows_and_bad_lines_depend_neither_on_the_size_of_chunks_nor_on_threads(
    tmp_path: Path, content: bytes, chunk_bytes: int, threads: int
) -> None:
    file = tmp_path / "any.svm"
    file.write_bytes(content)
    whole = everything(file, settings=ReadSettings(threads=1))
    pieces = ReadSettings(threads=threads, chunk_bytes=chunk_bytes)
    assert everything(file, settings=pieces) == whole
    assert whole.sources == [(str(file), len(content), f"blake3:{blake3(content).hexdigest()}")]


@given(
    labels=st.lists(st.sampled_from(["1", "+1", "-1", "0", "2", "x"]), max_size=12),
    positive=st.sampled_from([None, "1", "x"]),
    on_bad=st.sampled_from(["stop", "skip"]),
    chunk_bytes=st.integers(1, 30),
)
@slow_files
def test_signs_and_the_end_of_a_stream_do_not_depend_on_the_size_of_chunks(
    tmp_path: Path, labels: list[str], positive: str | None, on_bad: str, chunk_bytes: int
) -> None:
    file = tmp_path / "any.svm"
    file.write_text("".join(f"{label} {n}:1\n" for n, label in enumerate(labels)) + "1 x\n1 1:1\n")
    runs = [
        everything(
            file,
            scheme=LabelScheme() if positive is None else LabelScheme.of(positive),
            policy=BadLinePolicy("stop" if on_bad == "stop" else "skip"),
            settings=ReadSettings(threads=1, chunk_bytes=size),
        )
        for size in (1 << 20, chunk_bytes)
    ]
    assert runs[0] == runs[1]
    if on_bad == "stop":
        assert runs[0].error is not None


def test_a_stream_is_batches_with_labels_of_minus_one_and_plus_one(tiny: Path) -> None:
    stream = th.read(tiny)
    batches = list(stream)
    assert [list(batch.examples()) for batch in batches] == [
        [({0: 1.0, 7: 0.5}, 1), ({3: 1.0}, -1), ({}, 1)]
    ]
    assert (stream.format, stream.label_names, stream.total_bytes) == ("svmlight", ["1", "0"], 20)
    assert stream.recipe == Recipe(format="svmlight")
    assert [list(batch.examples()) for batch in stream] == [
        list(batch.examples()) for batch in batches
    ]


def test_a_learner_learns_the_same_from_a_stream_as_from_the_matrix(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = (rng.random((300, 40)) < 0.2) * rng.choice([1.0, 0.25, -3.0], (300, 40))
    y = rng.choice([-1, 1], 300)
    file = tmp_path / "rows.svm"
    file.write_text(
        "".join(
            f"{label:+d} " + " ".join(f"{k}:{x!r}" for k, x in enumerate(row.tolist()) if x) + "\n"
            for row, label in zip(X, y, strict=True)
        )
    )
    whole, read = th.Perceptron(n_features=64), th.Perceptron(n_features=64)
    whole.learn(X, y)
    names = NameTable(64, True)
    with read_stream(
        file, names=names, scheme=LabelScheme(), settings=ReadSettings(chunk_bytes=500)
    ) as stream:
        batches = list(stream)
    assert len(batches) > 3
    for batch in batches:
        read.learn(batch)
    assert np.array_equal(whole.weights, read.weights)
    assert whole.mistakes == read.mistakes


def test_several_files_and_patterns_are_one_stream_in_order(tmp_path: Path) -> None:
    for name in ("b-2", "b-1", "a"):
        (tmp_path / f"{name}.svm").write_text(f"1 1:1\n{name} 2:1 # no newline at the end")
    found = everything([tmp_path / "a.svm", str(tmp_path / "b-*.svm")])
    assert [(Path(file).name, line) for file, line, _, _ in found.rows] == [
        ("a.svm", 1),
        ("a.svm", 2),
        ("b-1.svm", 1),
        ("b-1.svm", 2),
        ("b-2.svm", 1),
        ("b-2.svm", 2),
    ]
    assert found.names == ["1", "a", "b-1", "b-2"]
    assert len(found.sources) == 3


def test_positions_grow_to_the_number_of_bytes(tmp_path: Path) -> None:
    files = [tmp_path / "a.svm", tmp_path / "b.svm"]
    for file in files:
        file.write_text("1 1:1\n" * 500)
    stream = read_stream(
        files, names=NameTable(8, True), settings=ReadSettings(chunk_bytes=600, threads=2)
    )
    positions = [chunk.position for chunk in stream.chunks()]
    assert len(positions) >= 10
    assert all(a <= b for a, b in pairwise(positions))
    assert positions[-1] == stream.total_bytes == 6000


def test_a_file_whose_first_neighbour_is_empty_is_still_recognised(tmp_path: Path) -> None:
    (tmp_path / "0").write_bytes(b"")
    (tmp_path / "1").write_bytes(b"1 1:1\n")
    found = everything(tmp_path / "?", recipe=Recipe())
    assert (len(found.rows), found.error) == (1, None)


@pytest.mark.parametrize(
    ("content", "rows", "bad"),
    [
        (b"", 0, 0),
        (b"\n\n \t\n# nothing\n", 0, 0),
        (b"\xef\xbb\xbf1 1:1\n", 1, 0),
        (b"1 1:1\r\n0 2:1\r\n", 2, 0),
        (b"1 1:1\n0 2:1", 2, 0),
        (b"1 1:1  \t\n", 1, 0),
        (b"1 qid:3 1:1 # a comment 5:x\n", 1, 0),
        (b"1\n0\n", 2, 0),
        (b"1 5:1 3:1\n", 1, 0),
        (b"1 5:0 3:0\n", 1, 0),
    ],
)
def test_oddities_of_real_files_are_read(
    tmp_path: Path, content: bytes, rows: int, bad: int
) -> None:
    file = tmp_path / "odd.svm"
    file.write_bytes(content)
    found = everything(file)
    assert (len(found.rows), len(found.bad), found.error) == (rows, bad, None)


@pytest.mark.parametrize(
    ("line", "found", "expected"),
    [
        (b"1 3:1 3:2", "index 3 twice", "each index once in a line"),
        (b"1 3:1e400", "'3:1e400'", "a number that is finite in double precision"),
        (b"1 3:nan", "'3:nan'", "a decimal number behind the colon"),
        (b"1 3:0x10", "'3:0x10'", "a decimal number behind the colon"),
        (b"1 3:", "'3:'", "a decimal number behind the colon"),
        (b"1 :3", "':3'", "a feature such as 7:1 or 7:0.5"),
        (b"1 -3:1", "'-3:1'", "a feature such as 7:1 or 7:0.5"),
        (b"1 free", "'free'", "a feature such as 7:1 or 7:0.5"),
        (b"1 3:1\x00", "'3:1\\x00'", "a decimal number behind the colon"),
        (b"\xff 3:1", "the label '\\\\xff'", "a label in UTF-8, without control characters"),
        (b"a\x00b 3:1", "the label 'a\\x00b'", "a label in UTF-8, without control characters"),
        (b"3:1 4:1", "the feature '3:1'", "a label at the start of the line"),
        (
            b"1 1099511627776:1",
            "'1099511627776:1'",
            "an index from 0 to 999. Number the columns anew: no learner has one of this number.",
        ),
        (b"1 " + b"x" * 100, repr("x" * 37 + "..."), "a feature such as 7:1 or 7:0.5"),
    ],
)
def test_a_bad_line_says_what_was_found_and_what_was_expected(
    tmp_path: Path, line: bytes, found: str, expected: str
) -> None:
    file = tmp_path / "bad.svm"
    file.write_bytes(b"1 1:1\n\n" + line + b"\r\n0 2:1\n")
    read = everything(file)
    said = f"{file}:3: found {found}, expected {expected}"
    assert [str(bad)[: len(said)] for bad in read.bad] == [said]
    assert read.bad[0].raw == line
    assert [number for _, number, _, _ in read.rows] == [1, 4]
    stopped = everything(file, policy=BadLinePolicy("stop"), scheme=LabelScheme())
    assert stopped.error is not None
    assert stopped.error.startswith(f"BadLineError: {file}:3: found {found}, expected {expected}")
    assert [number for _, number, _, _ in stopped.rows] == [1]


def test_an_index_beyond_a_one_based_file_is_refused_and_so_is_zero(tmp_path: Path) -> None:
    file = tmp_path / "one.svm"
    file.write_text("1 1:1 8:1\n1 0:1\n1 9:1\n")
    found = everything(
        file, recipe=Recipe(format="svmlight", one_based=True), names=NameTable(8, True)
    )
    assert [row for *_, row in found.rows] == [{0: 1.0, 7: 1.0}]
    assert [bad.found for bad in found.bad] == ["'0:1'", "'9:1'"]
    assert found.bad[0].expected.startswith("an index from 1 to 8")


@pytest.mark.parametrize("chunk_bytes", [1, 1000, 1 << 20])
def test_a_line_longer_than_the_limit_is_a_bad_line_and_the_rest_is_read(
    tmp_path: Path, chunk_bytes: int
) -> None:
    file = tmp_path / "long.svm"
    long_line = b"1 " + b"1:1 " * 3000
    file.write_bytes(b"1 1:1\n" + long_line + b"\n0 2:1\n" + b"1" * 5001)
    settings_ = ReadSettings(threads=2, chunk_bytes=chunk_bytes, max_line_bytes=5000)
    found = everything(file, settings=settings_)
    assert [(number, row) for _, number, _, row in found.rows] == [(1, {1: 1.0}), (3, {2: 1.0})]
    assert [(bad.line, bad.found, bad.raw) for bad in found.bad] == [
        (2, f"a line of {len(long_line)} bytes", found.bad[0].raw),
        (4, "a line of 5001 bytes", b"1" * 5001),
    ]
    assert long_line.startswith(found.bad[0].raw)


@given(
    lengths=st.lists(st.integers(1, 40), max_size=10),
    chunk_bytes=st.integers(1, 60),
    ending=st.sampled_from([b"", b"\n"]),
)
@slow_files
def test_which_lines_are_too_long_does_not_depend_on_the_size_of_chunks(
    tmp_path: Path, lengths: list[int], chunk_bytes: int, ending: bytes
) -> None:
    file = tmp_path / "long.svm"
    file.write_bytes(b"\n".join(b"1" * n for n in lengths) + ending)
    settings_ = ReadSettings(threads=2, chunk_bytes=chunk_bytes, max_line_bytes=20)
    found = everything(file, settings=settings_)
    assert [number for _, number, _, _ in found.rows] == [
        line for line, n in enumerate(lengths, 1) if n <= 20
    ]
    assert [(bad.line, bad.found) for bad in found.bad] == [
        (line, f"a line of {n} bytes") for line, n in enumerate(lengths, 1) if n > 20
    ]


def test_the_vocabulary_numbers_indices_in_order_of_appearance(tmp_path: Path) -> None:
    file = tmp_path / "words.svm"
    file.write_text("1 900000:2 7:1\n1 x\n0 7:1 8:0.5 900000:3\n")
    names = NameTable(None, False)
    found = everything(file, names=names, settings=ReadSettings(chunk_bytes=1))
    assert names.vocabulary == {"7": 0, "900000": 1, "8": 2}
    assert [row for *_, row in found.rows] == [{0: 1.0, 1: 2.0}, {0: 1.0, 1: 3.0, 2: 0.5}]
    small = NameTable(2, False)
    assert "the vocabulary is full" in (everything(file, names=small).error or "")
    frozen = NameTable(None, False)
    frozen.vocabulary["8"] = 0
    found = everything(file, names=frozen, settings=ReadSettings(add_names=False))
    assert [row for *_, row in found.rows] == [{}, {0: 0.5}]
    assert frozen.vocabulary == {"8": 0}


def test_a_vocabulary_knows_only_the_names_of_chunks_that_were_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "words.svm"
    file.write_text("".join(f"1 {n}:1\n" for n in range(100)))
    names = NameTable(None, False)
    stream = read_stream(file, names=names, settings=ReadSettings(chunk_bytes=12, threads=4))
    with closing(stream.chunks()) as chunks:
        first = next(chunks)
        time.sleep(0.05)
        assert len(names.vocabulary) == len(first.rows)


def test_a_stream_that_is_left_early_leaves_no_threads(tmp_path: Path) -> None:
    file = tmp_path / "rows.svm"
    file.write_text("1 1:1\n" * 50_000)
    before = threading.active_count()
    stream = read_stream(
        file, names=NameTable(8, True), settings=ReadSettings(threads=4, chunk_bytes=1000)
    )
    with closing(stream.chunks()) as chunks:
        next(chunks)
        assert threading.active_count() > before
    assert threading.active_count() == before


def test_reading_ahead_is_bounded(tmp_path: Path) -> None:
    file = tmp_path / "rows.svm"
    file.write_text("1 1:1\n" * 100_000)
    stream = read_stream(
        file, names=NameTable(8, True), settings=ReadSettings(threads=2, chunk_bytes=6000)
    )
    with closing(stream.chunks()) as chunks:
        next(chunks)
        time.sleep(0.1)
        assert stream.sources == []


def test_an_error_in_a_later_file_comes_after_the_rows_before_it(tmp_path: Path) -> None:
    good, bad = tmp_path / "a.svm", tmp_path / "b.svm.gz"
    good.write_text("1 1:1\n" * 3)
    bad.write_bytes(b"\x1f\x8b\x08 and then something else")
    found = everything([good, bad])
    assert len(found.rows) == 3
    assert found.error is not None
    assert "the gzip data is damaged" in found.error


def test_standard_input_is_read_once(tiny: Path) -> None:
    code = (
        "import thresher as th\n"
        "stream = th.read('-')\n"
        "print([list(b.examples()) for b in stream], stream.sources[0].name, stream.total_bytes)\n"
        "try: list(stream)\n"
        "except th.errors.SourceError as error: print(error)\n"
    )
    with tiny.open("rb") as file:
        ran = subprocess.run(
            [sys.executable, "-c", code], stdin=file, capture_output=True, text=True, check=True
        )
    assert ran.stdout.splitlines() == [
        "[[({0: 1.0, 7: 0.5}, 1), ({3: 1.0}, -1), ({}, 1)]] <stdin> None",
        "<stdin>: a pipe cannot be read a second time. Put the rows into a file first.",
    ]


def test_rows_from_a_pipe_arrive_while_it_is_still_open(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.svm"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)
    os.write(writer, b"1 1:1\n0 2:")
    stream = read_stream(pipe, names=NameTable(8, True))
    with closing(stream.chunks()) as chunks:
        assert [list(chunk.rows) for chunk in (next(chunks),)] == [[{1: 1.0}]]
        os.write(writer, b"5\n")
        assert [list(chunk.rows) for chunk in (next(chunks),)] == [[{2: 5.0}]]
        started = time.monotonic()
    assert time.monotonic() - started < 10
    os.close(writer)


def test_a_stream_without_a_scheme_has_no_signs(tiny: Path) -> None:
    stream = read_stream(tiny, names=NameTable(8, True))
    with pytest.raises(ThresherError, match="a LabelScheme"):
        list(stream)


def test_more_labels_than_anybody_means_are_bad_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.streams.labelling.MOST_LABELS", 2)
    file = tmp_path / "regression.svm"
    file.write_text("0.25 1:1\n0.5 1:1\n0.75 1:1\n0.50 1:1\n")
    found = everything(file, settings=ReadSettings(chunk_bytes=1))
    assert [label for _, _, label, _ in found.rows] == ["0.25", "0.5", "0.5"]
    assert [str(bad) for bad in found.bad] == [
        f"{file}:3: found label number 3, expected at most 2 different labels"
    ]


def test_a_read_that_fails_half_way_says_where(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no such file"):
        th.read(tmp_path / "missing.svm")
    (tmp_path / "x.svm").write_text("1 x\n")
    with pytest.raises(BadLineError, match=r"x\.svm:1: found 'x', expected a feature"):
        list(th.read(tmp_path / "x.svm", positive=1))

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.streams.reads import everything
from thresher.errors import BadLineError, ParameterError, SourceError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import ENCODINGS, BadLinePolicy
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.rows import Rows
from thresher.streams.value_limits import ValueLimits


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "rows.svm"
    path.write_bytes(b"1 1:1\n1 x\n0 2:1\n\0\n-5 3:1\n1 4:1\n")
    return path


@pytest.mark.parametrize("chunk_bytes", [1, 10, 1 << 20])
def test_bad_lines_are_kept_with_their_reasons(
    file: Path, tmp_path: Path, chunk_bytes: int
) -> None:
    kept = tmp_path / "bad.txt"
    policy = BadLinePolicy("quarantine", quarantine=kept)
    found = everything(
        file,
        policy=policy,
        scheme=LabelScheme("1", "0"),
        settings=ReadSettings(chunk_bytes=chunk_bytes),
    )
    assert [line for _, line, _, _ in found.rows] == [1, 3, 6]
    assert kept.read_bytes() == (
        b"# %(f)s:2: found 'x', expected a feature such as 7:1 or 7:0.5\n1 x\n"
        b"# %(f)s:4: found the label '\\x00', expected a label in UTF-8, without control "
        b"characters. %(h)s\n\0\n"
        b"# %(f)s:5: found the label -5, expected the label 0 or 1\n-5 3:1\n"
    ) % {b"f": str(file).encode(), b"h": ENCODINGS.remedy.encode()}
    assert policy.count == 3
    assert policy.report().startswith(f"3 bad lines were written to {kept}, the first: {file}:2:")


def test_what_is_kept_can_be_read_before_the_stream_is_at_its_end(
    file: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "bad.txt"
    stream = read_stream(
        file,
        names=NameTable(8, True),
        bad=BadLinePolicy("quarantine", quarantine=kept),
        settings=ReadSettings(chunk_bytes=12, threads=1),
    )
    chunks = stream.chunks()
    while not next(chunks).bad:
        pass
    assert kept.read_bytes().endswith(b"\n1 x\n")
    chunks.close()


def test_the_second_pass_counts_and_keeps_nothing_twice(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "bad.txt"
    policy = BadLinePolicy("quarantine", quarantine=kept)
    stream = read_stream(file, names=NameTable(8, True), bad=policy)
    passes = [[list(chunk.rows) for chunk in stream.chunks()] for _ in range(2)]
    assert passes[0] == passes[1]
    assert policy.count == 2
    assert kept.read_bytes().count(b"\n") == 4
    assert len(stream.sources) == 1


def test_a_policy_for_two_streams_keeps_the_bad_lines_of_both(file: Path, tmp_path: Path) -> None:
    kept = tmp_path / "bad.txt"
    policy = BadLinePolicy("quarantine", quarantine=kept)
    for _ in range(2):
        everything(file, policy=policy)
    assert kept.read_bytes().count(b"\n") == 8


@pytest.mark.parametrize(("most", "rows"), [(0, [1]), (1, [1, 3]), (2, [1, 3, 5, 6])])
def test_more_bad_lines_than_are_put_up_with_end_the_stream(
    file: Path, most: int, rows: list[int]
) -> None:
    for chunk_bytes in (1, 1 << 20):
        found = everything(
            file,
            policy=BadLinePolicy("skip", max_bad=most),
            settings=ReadSettings(chunk_bytes=chunk_bytes),
        )
        assert [line for _, line, _, _ in found.rows] == rows
        assert (found.error is None) == (most == 2)
        if found.error:
            assert f"This is bad line number {most + 1}, and at most {most} " in found.error


def test_a_file_that_cannot_be_written_is_said_before_the_first_row(
    file: Path, tmp_path: Path
) -> None:
    policy = BadLinePolicy("quarantine", quarantine=tmp_path / "no folder" / "bad.txt")
    stream = read_stream(file, names=NameTable(8, True), bad=policy)
    with pytest.raises(SourceError, match="bad lines cannot be written there: No such file"):
        next(stream.chunks())


@pytest.mark.parametrize(
    ("on_bad", "quarantine"), [("ignore", None), ("quarantine", None), ("skip", "bad.txt")]
)
def test_a_policy_that_makes_no_sense_is_refused(on_bad: str, quarantine: str | None) -> None:
    with pytest.raises(ParameterError):
        BadLinePolicy(on_bad, quarantine=quarantine)  # type: ignore[arg-type]


def test_no_bad_lines_no_report() -> None:
    assert BadLinePolicy("skip").report() == ""


def test_many_bad_lines_are_put_into_words_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "wrong.svm"
    path.write_bytes(b"x y\n" * 100_000)
    policy = BadLinePolicy("skip")
    found = read_stream(path, names=NameTable(8, True), bad=policy)
    for chunk in found.chunks():
        assert len(chunk.rows) == 0
    assert policy.count == 100_000


UNIT = ValueLimits(0.0, 1.0, False, "values in [0, 1]")


def test_rows_that_the_learner_cannot_take_are_bad_lines_among_the_others(tmp_path: Path) -> None:
    file, kept = tmp_path / "a.vw", tmp_path / "bad.txt"
    file.write_text("1 | a:0.5\n1 | b:2 c:-1\n-1 | d:1x\n-1 |n e:-3\n1 | f\n")
    policy = BadLinePolicy("quarantine", quarantine=kept)
    settings = ReadSettings(limits=UNIT, chunk_bytes=1)
    stream = read_stream(
        file, names=NameTable(64, True), scheme=LabelScheme(), bad=policy, settings=settings
    )
    assert [chunk.line.tolist() for chunk in stream.chunks() if len(chunk.rows)] == [[1], [5]]
    assert policy.count == 3
    lines = kept.read_text().splitlines()
    assert lines.pop(2).startswith(f"# {file}:3: found the feature 'd:1x', expected a word, or")
    assert lines == [
        f"# {file}:2: found the value 2.0 of feature b, expected values in [0, 1]",
        "1 | b:2 c:-1",
        "-1 | d:1x",
        f"# {file}:4: found the value -3.0 of feature n^e, expected values in [0, 1]",
        "-1 |n e:-3",
    ]


def test_the_rows_before_one_that_cannot_be_taken_are_given_out(tmp_path: Path) -> None:
    file = tmp_path / "a.svm"
    file.write_text("1 1:1\n-1 2:1\n1 3:5\n-1 4:1\n")
    settings = ReadSettings(limits=UNIT)
    stream = read_stream(file, names=NameTable(64, True), scheme=LabelScheme(), settings=settings)
    seen: list[list[int]] = []
    with pytest.raises(BadLineError, match=r"a\.svm:3: found the value 5\.0 of feature 3"):
        seen.extend(batch.column.tolist() for batch in stream)
    assert seen == [[1, 2]]


@given(
    rows=st.lists(st.lists(st.sampled_from([-1.0, 0.5, 1.0, 2.0, 3.0]), max_size=3), max_size=6),
    whole=st.booleans(),
)
def test_misfits_are_found_as_one_by_one(rows: list[list[float]], whole: bool) -> None:
    limits = ValueLimits(0.0, 2.0, whole, "values that fit")
    start = np.concatenate(([0], np.cumsum([len(row) for row in rows], dtype=np.int64)))
    column = np.array([k for row in rows for k in range(len(row))], np.int32)
    value = np.array([x for row in rows for x in row], np.float64)
    expected, at = [], 0
    for row in rows:
        odd = [k for k, x in enumerate(row) if not 0 <= x <= 2 or (whole and x != int(x))]
        expected += [at + odd[0]] if odd else []
        at += len(row)
    assert limits.misfits(Rows(start, column, value)).tolist() == expected

from __future__ import annotations

from pathlib import Path

import pytest

from tests.streams.reads import everything
from thresher.errors import ParameterError, SourceError
from thresher.kernels.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.reading import ReadSettings, read_stream


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
        b"characters\n\0\n"
        b"# %(f)s:5: found the label -5, expected the label 0 or 1\n-5 3:1\n"
    ) % {b"f": str(file).encode()}
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

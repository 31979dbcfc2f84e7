"""Files in other formats, without a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import noisy_rows
from thresher.errors import (
    BadLineError,
    FormatError,
    ParameterError,
    RequestError,
    SourceError,
)
from thresher.models.conversion import Conversion, convert
from thresher.models.events import Progressed
from thresher.models.input_data import InputData


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.svm"
    path.write_text(noisy_rows(50))
    return path


def test_there_and_back_the_rows_are_the_same(rows: Path) -> None:
    there = convert(rows, rows.with_suffix(".thb"))
    assert (there.rows, there.read, there.written) == (50, "svmlight", "binary")
    back = convert(rows.with_suffix(".thb"), rows.with_name("again.svm"))
    assert (back.rows, back.values) == (there.rows, there.values)
    assert rows.with_name("again.svm").read_bytes() == rows.read_bytes()


def test_events_say_how_far_it_is(rows: Path) -> None:
    data = InputData(paths=(str(rows),), chunk_bytes=200)
    conversion = Conversion(data, str(rows.with_suffix(".vw")))
    events = list(conversion)
    size = rows.stat().st_size
    assert len(events) > 3
    assert [event.rows for event in events] == sorted(event.rows for event in events)
    assert events[-1] == Progressed(50, size, size)
    assert conversion.result is not None
    assert conversion.result.rows == 50
    heard: list[Progressed] = []
    convert(data, rows.with_suffix(".vw"), on_event=heard.append)
    assert heard == events


def test_hashing_is_as_the_input_data_say(tmp_path: Path) -> None:
    (tmp_path / "in.vw").write_text("1 | free cash\n")
    plain = convert(tmp_path / "in.vw", tmp_path / "out.jsonl")
    assert plain.features == "names"
    data = InputData(paths=(str(tmp_path / "in.vw"),), n_features=16, seed=3)
    assert convert(data, tmp_path / "out.jsonl").features == "hashed into 16"


def test_a_binary_file_goes_on_saying_how_names_were_hashed(tmp_path: Path) -> None:
    (tmp_path / "in.vw").write_text("1 | free cash\n")
    first, second = tmp_path / "one.thb", tmp_path / "two.thb"
    for source, target in ((tmp_path / "in.vw", first), (first, second)):
        convert(InputData(paths=(str(source),), n_features=1024, seed=3), target)
    assert second.read_bytes() == first.read_bytes()


def test_of_several_binary_files_the_first_says_what_columns_mean(tmp_path: Path) -> None:
    (tmp_path / "names.vw").write_text("1 | a\n-1 | b\n")
    (tmp_path / "columns.svm").write_text("1 3:1\n-1 4:1\n")
    named, plain = tmp_path / "names.thb", tmp_path / "columns.thb"
    convert(tmp_path / "names.vw", named)
    convert(tmp_path / "columns.svm", plain)
    # The second is opened while the first is read: nobody may see when.
    for _ in range(20):
        assert convert([named, plain], tmp_path / "all.thb").features == "hashed into 262144"
        assert convert([plain, named], tmp_path / "all.thb").features == "columns"


def test_a_bad_start_leaves_no_file_behind(tmp_path: Path) -> None:
    (tmp_path / "bad.svm").write_text("1 x\n")
    with pytest.raises(BadLineError):
        convert(tmp_path / "bad.svm", tmp_path / "out.vw")
    assert not (tmp_path / "out.vw").exists()
    data = InputData(paths=(str(tmp_path / "bad.svm"),), on_bad=("skip", None))
    assert convert(data, tmp_path / "out.vw").bad_lines == 1


def test_what_cannot_be_written_is_refused_in_the_words_of_a_program(rows: Path) -> None:
    with pytest.raises(FormatError, match="Say it with format=: svmlight"):
        convert(rows, rows.with_name("out.txt"))
    assert convert(rows, rows.with_name("out.txt"), to="vw").written == "vw"
    data = InputData(paths=(str(rows),), vocabulary=True)
    with pytest.raises(RequestError, match="vocabulary=True keeps names, which binary cannot hold"):
        convert(data, rows.with_name("out.thb"))
    with pytest.raises(ParameterError, match="a file, several files, or an InputData"):
        convert([[1.0]], rows.with_name("out.thb"))


def test_no_input_is_written_over(rows: Path) -> None:
    before = rows.read_bytes()
    rows.with_name("link.svm").symlink_to(rows)
    for target in (rows, rows.with_name("link.svm")):
        with pytest.raises(SourceError, match="this is one of the inputs"):
            convert(rows, target)
    assert rows.read_bytes() == before

"""Rows that are kept from one pass for the next are the rows that would be read again."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from thresher.errors import SourceError
from thresher.models.file import model_bytes
from thresher.streams import kept_chunks
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.chunk import Chunk
from thresher.streams.kept_chunks import KeptChunks
from thresher.streams.labelled_rows import read
from thresher.streams.reading import Stream
from thresher.streams.sources import machine

SVMLIGHT = "".join(f"{1 if t % 3 else -1} {t % 7}:1 {7 + t % 11}:{1 + t % 2}\n" for t in range(40))
FILES = {
    "ones.svm": "1 0:1 3:1\n-1 1:1\n" * 20,
    "values.svm": SVMLIGHT,
    "bad.svm": "1 0:1\n1 x\n-1 1:1 2:0.5\n-1 0:1:1\n" * 9,
    "names.vw": "1 2.0 | cash free:2\n-1 | hello world\n" * 12,
    "table.csv": "label,age,town\nyes,3,Rome\nno,9.5,Oslo\n" + "yes,4,Bern\n" * 9,
    "texts.jsonl": '{"label": 1, "a": 2, "b": "x"}\n{"label": 0, "a": 1}\n' * 8,
}


@pytest.fixture(params=FILES)
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    file = tmp_path / str(request.param)
    file.write_text(FILES[file.name])
    return file


def opened(path: Path) -> Stream:
    return read(path, n_features=64, on_bad=BadLinePolicy("skip"))


def content(chunk: Chunk) -> list[object]:
    rows = [(dict(x), chunk.line[t]) for t, x in enumerate(chunk.rows)]
    weights = None if chunk.importance is None else chunk.importance.tolist()
    return [rows, chunk.label.tolist(), weights, chunk.file, chunk.position]


def test_a_pass_over_what_was_kept_gives_what_reading_again_gives(path: Path) -> None:
    plain, keeping = opened(path), opened(path)
    keeping.keep_rows()
    for _ in range(3):
        assert list(map(content, keeping.chunks())) == list(map(content, plain.chunks()))
    assert keeping.bad.count == plain.bad.count
    assert keeping.sources == plain.sources


def test_the_file_is_not_read_again(path: Path) -> None:
    stream = opened(path)
    stream.keep_rows()
    first = list(map(content, stream.chunks()))
    path.unlink()
    assert list(map(content, stream.chunks())) == first


def test_names_are_found_in_what_was_kept(tmp_path: Path) -> None:
    file = tmp_path / "names.vw"
    file.write_text(FILES[file.name])
    stream = opened(file)
    stream.keep_rows()
    named = [stream.names_in(chunk, 0) for chunk in stream.chunks()]
    assert [stream.names_in(chunk, 0) for chunk in stream.chunks()] == named
    assert {name for _, name in named[0]} == {"cash", "free"}


def test_what_takes_too_much_memory_is_read_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_chunks, "MOST_BYTES", 100)
    stream = opened(path)
    stream.keep_rows()
    first = list(map(content, stream.chunks()))
    assert list(map(content, stream.chunks())) == first
    path.unlink()
    with pytest.raises(SourceError):
        list(stream.chunks())


def test_a_pass_that_was_left_is_not_taken_for_the_whole(tmp_path: Path) -> None:
    file = tmp_path / "rows.svm"
    file.write_text(SVMLIGHT)
    stream, kept = opened(file), KeptChunks(lines=False, most=1 << 20)
    whole = list(stream.chunks())
    halves = [chunk for one in whole for chunk in one.parts(5)]
    assert len(halves) > 3
    assert len(list(islice(kept.passing(iter(halves)), 2))) == 2
    assert not kept.whole
    assert len(list(kept.passing(iter(halves)))) == len(halves) == len(list(kept))
    assert kept.whole


def test_where_nobody_knows_how_much_memory_is_free_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept_chunks, "free_memory", lambda: 0)
    chunk = Chunk("a", th.Rows.of([{0: 1}]), np.zeros(1, np.int32), None, np.ones(1, np.int64),
                  (), 9, None, None, None)  # fmt: skip
    kept = KeptChunks(lines=False)
    assert list(kept.passing(iter([chunk]))) == [chunk]
    assert not kept.whole


@pytest.mark.parametrize("learner", ["perceptron", "arow", "committee"])
@pytest.mark.parametrize("holdout", [None, 4])
def test_a_model_of_several_passes_is_the_same_to_the_bit(
    path: Path, learner: str, holdout: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def model() -> bytes:
        return model_bytes(
            th.train(path, learner, passes=3, holdout=holdout, n_features=256, on_bad="skip")
        )

    kept = model()
    monkeypatch.setattr(kept_chunks, "MOST_BYTES", 0)
    assert model() == kept


def test_rows_that_lie_in_a_file_as_in_memory_are_not_kept(tmp_path: Path) -> None:
    binary = tmp_path / "rows.thb"
    text = tmp_path / "rows.svm"
    text.write_text(SVMLIGHT)
    th.convert(text, binary)
    stream = opened(binary)
    stream.keep_rows()
    assert len(list(stream.chunks())) == 1
    binary.unlink()
    with pytest.raises(SourceError):
        list(stream.chunks())


def test_free_memory_is_what_the_system_or_the_container_has_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit, used = tmp_path / "limit", tmp_path / "used"
    used.write_text("4000\n")
    monkeypatch.setattr(machine, "CONTAINERS", ((str(limit), str(used)),))
    whole = machine.free_memory()
    limit.write_text("max\n")
    assert (machine.free_memory() > 0) == (whole > 0)
    limit.write_text("5000\n")
    assert machine.free_memory() == 1000
    limit.write_text("3000\n")
    assert machine.free_memory() == 0


def test_a_process_whose_addresses_are_counted_has_no_memory_to_spare() -> None:
    code = (
        "from thresher.streams.sources.machine import free_memory; import resource, sys\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**40, 2**40))\n"
        "sys.exit(free_memory() != 0)\n"
    )
    if sys.platform == "linux":
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

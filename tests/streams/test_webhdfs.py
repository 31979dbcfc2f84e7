"""Files in HDFS, read over HTTP; and patterns that name a machine."""

from __future__ import annotations

from pathlib import Path

import pytest

import thresher as th
from scripts.cut_connections import Cutting
from scripts.webhdfs import webhdfs
from thresher.errors import SourceError
from thresher.streams.sources import remote

ROWS = b"1 0:1 3:1\n0 1:1\n0 1:1 2:1\n1 0:1\n" * 3000


def test_a_pattern_in_hdfs_has_the_rows_and_digests_it_has_here(tmp_path: Path) -> None:
    (tmp_path / "day-1.svm").write_bytes(ROWS)
    (tmp_path / "day-2.svm").write_bytes(ROWS[:640])
    here = th.train(str(tmp_path / "day-*.svm"), "perceptron", n_features=8)
    with webhdfs() as (port, files):
        files |= {"/logs/day-1.svm": ROWS, "/logs/day-2.svm": ROWS[:640], "/logs/other.svm": b"x"}
        there = th.train(f"webhdfs://127.0.0.1:{port}/logs/day-*.svm", "perceptron", n_features=8)
    assert there.learner == here.learner
    sources = [model.history[0].sources for model in (there, here)]
    assert [one.digest for one in sources[0]] == [one.digest for one in sources[1]]
    # The machine stays in the name.
    assert [one.name for one in sources[0]] == [
        f"webhdfs://127.0.0.1:{port}/logs/day-{n}.svm" for n in (1, 2)
    ]


def test_a_connection_that_is_cut_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "PAUSES", (0.0, 0.0, 0.0, 0.0))
    (tmp_path / "day.svm").write_bytes(ROWS)
    here = th.train(tmp_path / "day.svm", "perceptron", n_features=8)
    with webhdfs() as (port, files), Cutting(port) as between:
        files["/logs/day.svm"] = ROWS
        between.cut_next(2)
        address = f"webhdfs://127.0.0.1:{between.port}/logs/day.svm"
        there = th.train(address, "perceptron", n_features=8)
    assert between.cut == 2
    assert there.learner == here.learner


def test_a_file_that_is_not_there_is_told_at_once() -> None:
    with webhdfs() as (port, files):
        files["/logs/day.svm"] = ROWS
        with pytest.raises(SourceError, match=r"none\.svm: there is no such file"):
            th.train(f"webhdfs://127.0.0.1:{port}/logs/none.svm")


class Listed:
    """A file system that lists these files."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def exists(self, place: str) -> bool:
        return False

    def glob(self, place: str) -> list[str]:
        return [*self.names]

    def unstrip_protocol(self, name: str) -> str:
        return f"here://{name}"


@pytest.mark.parametrize(
    ("pattern", "name", "expected"),
    [
        ("hdfs://node:8020/logs/*", "/logs/a.svm", "hdfs://node:8020/logs/a.svm"),
        ("hdfs:///logs/*", "/logs/a.svm", "hdfs:///logs/a.svm"),
        ("abfs://data@mine/logs/*", "data/logs/a.svm", "abfs://data@mine/logs/a.svm"),
        ("here://bucket/logs/*", "bucket/logs/a.svm", "here://bucket/logs/a.svm"),
    ],
)
def test_files_of_a_pattern_are_on_the_machine_that_it_names(
    pattern: str, name: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote, "_system", lambda path: (Listed(name), path))
    assert remote.matching(pattern) == [expected]

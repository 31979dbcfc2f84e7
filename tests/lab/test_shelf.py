"""The shelf: what it keeps has a bound, and one long run keeps nobody else waiting."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from thresher.lab import recorded_run
from thresher.lab import shelf as shelves
from thresher.lab.files import read_file
from thresher.lab.recorded_run import RecordedRun
from thresher.lab.shelf import Shelf
from thresher.lab.streams import stream_of


@pytest.mark.parametrize("copies", [0, 1, 2, 3, 5, 8, 100])
def test_a_run_keeps_no_more_copies_than_fit_and_plays_the_same_rounds(
    monkeypatch: pytest.MonkeyPatch, copies: int
) -> None:
    stream = stream_of("words:n_features=1000,active=3,rows=1000,seed=2", {})
    batch = stream.whole()
    monkeypatch.setattr(recorded_run, "CHUNK", 50)
    limit = copies * 9_000
    monkeypatch.setattr(recorded_run, "KEPT_BYTES", limit)
    run = RecordedRun(stream, batch, "perceptron:journal_bytes=0")
    assert run.n_bytes <= max(limit, 9_000) + 9_000 + 9 * len(run)
    fresh = run.learner.started_anew()
    for t in range(0, 1001, 50):
        assert run.learner_before(t) == fresh
        assert run.learner_before(min(t + 7, 1000)).n_rounds == min(t + 7, 1000)
        fresh.learn(batch[t : t + 50])


def test_runs_beyond_the_bytes_of_the_shelf_go_and_the_newest_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept, text = Shelf(), "disjunctions:rows=100,n_features=10000"
    one = kept.run(text, "perceptron")
    monkeypatch.setattr(shelves, "SHELF_BYTES", 2 * one.n_bytes)
    kept.run(text, "winnow")
    assert kept.run(text, "perceptron") is one
    arow = kept.run(text, "arow")
    assert kept.run(text, "arow") is arow
    assert kept.run(text, "perceptron") is not one


def test_with_a_stream_its_runs_go(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = Shelf()
    one = kept.run("singletons", "winnow")
    monkeypatch.setattr(shelves, "SHELF_BYTES", 1)
    kept.stream("winnow-loop")
    assert kept.run("singletons", "winnow") is not one


def test_files_beyond_the_bytes_of_the_shelf_go(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path, kept = tmp_path / "a.csv", Shelf()
    path.write_text("a,label\n1,x\n2,y\n")
    found = read_file(str(path), "a.csv", {}, "k")
    monkeypatch.setattr(shelves, "SHELF_BYTES", 2 * found.n_bytes)
    for key in "abc":
        kept.keep(key, found)
    assert [*kept.read] == [*kept.files] == ["b", "c"]


def test_one_long_run_keeps_nobody_else_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, begun, go_on, made = Shelf(), threading.Event(), threading.Event(), []

    def slow(stream: object, batch: object, learner: str) -> RecordedRun:
        made.append(learner)
        if learner == "winnow":
            begun.set()
            assert go_on.wait(20)
        return RecordedRun(stream, batch, learner)  # type: ignore[arg-type]

    monkeypatch.setattr(shelves, "RecordedRun", slow)
    found: list[RecordedRun] = []
    threads = [
        threading.Thread(target=lambda: found.append(kept.run("singletons", "winnow")))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    assert begun.wait(20)
    try:
        assert kept.run("singletons", "perceptron").mistakes >= 0
    finally:
        go_on.set()
    for thread in threads:
        thread.join()
    # Two that want the same wait for one.
    assert found[0] is found[1]
    assert made == ["winnow", "perceptron"]


def test_files_of_the_browser_do_not_fill_the_disk(
    lab: TestClient, shelf: Shelf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shelves, "SHELF_BYTES", 1000)
    mine = tmp_path / "mine.csv"
    mine.write_text("age,label\n3,a\n4,b\n" * 20)
    content = mine.read_bytes()
    keys = [lab.post("api/data/path", content=str(mine)).json()["key"]]
    for _ in range(6):
        keys.append(lab.post("api/data", params={"name": "a.csv"}, content=content).json()["key"])
    kept = list(Path(shelf.folder).iterdir())
    assert sum(path.stat().st_size for path in kept) <= 1000
    # The newest can still be read otherwise; a file of somebody's own is never touched.
    said = '{"positive": "a"}'
    assert lab.get("api/data/again", params={"key": keys[-1], "said": said}).status_code == 200
    assert lab.get("api/data/again", params={"key": keys[1], "said": said}).status_code == 400
    assert lab.get("api/data/again", params={"key": keys[0], "said": said}).status_code == 200
    assert mine.read_bytes() == content

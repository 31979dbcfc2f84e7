"""Races in the lab: those of the library, in frames, and stopped when nobody reads on."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import thresher as th
from tests.cli.running import run
from thresher.errors import RequestError
from thresher.lab.background import frames_of
from thresher.lab.race import RaceFrame, race
from thresher.lab.recorded_run import POINTS
from thresher.lab.security import DOWNLOAD_POLICY
from thresher.lab.streams import stream_of


def last_of(frames: Iterator[RaceFrame]) -> RaceFrame:
    *_, last = frames
    return last


def test_a_race_ends_as_the_learners_do() -> None:
    text = "disjunctions:rows=20000,seed=5"
    batch = stream_of(text, {}).whole()
    frame = last_of(race(text, ["winnow", "perceptron"], {}))
    made = {line.learner: line.made for line in frame.lines}
    assert made["winnow"] == th.Winnow(100).learn(batch).mistakes
    assert made["perceptron"] == th.Perceptron(100).learn(batch).mistakes
    winnow = frame.lines[0]
    assert winnow.known == "claimed"
    assert winnow.allowed is not None
    assert winnow.made <= winnow.allowed
    assert (winnow.missed or 0) + (winnow.alarms or 0) == winnow.made
    assert len(winnow.points) <= POINTS + 2
    assert winnow.points[-1] == (20000, winnow.made)


def test_a_race_without_a_claim_is_searched_afterwards() -> None:
    phases = [frame.phase for frame in race("singletons:n_features=8,r=2", ["winnow"], {})]
    assert phases == ["running", "searching", "searching", "done"]


def test_who_cannot_take_a_row_is_out_and_says_why() -> None:
    frame = last_of(race("separators:rows=200", ["winnow", "perceptron"], {}))
    winnow, perceptron = frame.lines[:2]
    assert winnow.out is not None
    assert "[0, 1]" in winnow.out
    assert perceptron.out is None


def test_many_seeds_have_a_median_inside_a_band() -> None:
    frames = [*race("disjunctions:rows=500,seed=9", ["winnow"], {}, seeds=5)]
    assert [frame.seeds for frame in frames] == [1, 2, 3, 4, 5]
    first, last = frames[0].lines[0], frames[-1].lines[0]
    assert first.made == last_of(race("disjunctions:rows=500,seed=1", ["winnow"], {})).lines[0].made
    assert last.low is not None
    assert last.high is not None
    assert all(
        low <= m <= high for low, (_, m), high in zip(last.low, last.points, last.high, strict=True)
    )
    assert last.low[-1] < last.high[-1]


def test_many_seeds_need_a_stream_that_is_drawn() -> None:
    with pytest.raises(RequestError, match="same every time"):
        last_of(race("mushrooms:order=1", ["winnow"], {}, seeds=2))


def test_the_commands_run_the_same_race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = last_of(race("disjunctions:rows=400,seed=3,r=2", ["winnow", "perceptron"], {}))
    monkeypatch.chdir(tmp_path)
    *before, command = frame.commands
    for one in before:
        assert run(*shlex.split(one)[1:]).exit_code == 0
    told = json.loads(run(*shlex.split(command)[1:], "--json").stdout)
    made = {one["learner"]: (one["mistakes"], one["allowed"]) for one in told["learners"]}
    for line in frame.lines:
        assert made[line.learner] == (line.made, line.allowed)


def test_the_program_runs_the_same_race(capsys: pytest.CaptureFixture[str]) -> None:
    frame = last_of(race("disjunctions:rows=400,seed=3,r=2", ["winnow"], {}))
    exec(frame.python, {})
    winnow = frame.lines[0]
    assert capsys.readouterr().out.startswith(f"winnow {winnow.made} {winnow.allowed}\n")


def test_a_run_that_nobody_reads_is_stopped() -> None:
    closed = threading.Event()
    steps = []

    def endless() -> Iterator[int]:
        try:
            for step in range(10**9):
                steps.append(step)
                # Somebody reads the first frame and goes away; the thread then hears of it.
                threading.Event().wait(0.001)
                yield step
        finally:
            closed.set()

    async def read_one() -> int:
        frames = frames_of(endless())
        async for frame in frames:
            await frames.aclose()  # type: ignore[attr-defined]
            return frame
        return -1

    assert asyncio.run(read_one()) == 0
    assert closed.wait(10)
    assert len(steps) < 10**6


def test_frames_are_few_and_the_last_is_among_them() -> None:
    async def read() -> list[int]:
        return [frame async for frame in frames_of(iter_of(10_000))]

    def iter_of(count: int) -> Iterator[int]:
        yield from range(count)

    frames = asyncio.run(read())
    assert frames[-1] == 9_999
    assert len(frames) < 1_000


def test_an_error_in_a_race_is_an_event(lab: TestClient) -> None:
    answer = lab.get("api/race?stream=disjunctions:r=0&learner=winnow")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "event: problem" in answer.text
    assert "event: done" not in answer.text


def test_a_race_over_the_wire_ends_with_done(lab: TestClient) -> None:
    answer = lab.get("api/race?stream=singletons&learner=winnow")
    *frames, end = answer.text.strip().split("\n\n")
    assert end == "event: done\ndata: {}"
    assert json.loads(frames[-1].removeprefix("data: "))["phase"] == "done"


def test_a_saved_page_holds_the_race_and_its_view(lab: TestClient) -> None:
    of = "stream=disjunctions:rows=300,seed=3&learner=winnow&learner=perceptron"
    answer = lab.get(f"api/race/page?{of}&view=%23race?scale=log")
    assert answer.headers["content-disposition"] == 'attachment; filename="thresher-race.html"'
    assert answer.headers["content-security-policy"] == DOWNLOAD_POLICY
    found = re.search(r'id="recorded">(.*?)</script>', answer.text, re.S)
    assert found is not None
    kept = json.loads(found[1])
    assert kept["view"] == "#race?scale=log"
    twin = last_of(race("disjunctions:rows=300,seed=3", ["winnow", "perceptron"], {}))
    for line, own in zip(kept["race"]["lines"], twin.lines, strict=True):
        assert [tuple(point) for point in line["points"]] == own.points
        assert (line["made"], line["allowed"]) == (own.made, own.allowed)
    wrong = lab.get("api/race/page?stream=disjunctions:r=0&learner=winnow")
    assert wrong.status_code == 400


def test_a_race_of_many_seeds_can_be_stopped_within_a_seed(lab: TestClient) -> None:
    """One seed of it would take days."""
    frames = race("disjunctions:rows=1000000000000", ["winnow"], {}, seeds=5)
    rounds = [frame.rounds for frame, _ in zip(frames, range(3), strict=False)]
    assert rounds == [8192, 16384, 24576]
    frames.close()  # type: ignore[attr-defined]


def test_a_race_that_fails_says_so_in_its_events(
    lab: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("thresher.lab.race._started", fails)
    answer = lab.get("api/race?stream=singletons&learner=winnow").text
    assert answer.startswith("event: problem\ndata: {")
    assert "the lab failed: MemoryError" in answer


@pytest.mark.parametrize(
    "stream",
    [
        "orthonormal:n=1000000",
        "greedy-winnow:n_features=1000000",
        "greedy-winnow:n_features=100,r=50",
        "optimal-winnow:n_features=8",
        "all-but-one:n_features=5000",
        "dense-disjunction:r=1000",
        "lower-bound:margin=1/1000",
        "sign-patterns:m=20",
    ],
)
def test_what_takes_long_to_make_is_refused_at_once(lab: TestClient, stream: str) -> None:
    for path in ("step", "step/rounds", "step/evidence"):
        answer = lab.get(f"api/{path}?stream={stream}&learner=perceptron")
        assert answer.status_code == 400
        assert "takes too long" in answer.json()["error"]

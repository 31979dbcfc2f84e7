from __future__ import annotations

import pytest

from thresher.cli.terminal import live_line
from thresher.cli.terminal.live_line import WIPE, LiveLine
from thresher.cli.told_tasks import ToldTasks
from thresher.cluster.engine import InProcess
from thresher.models.events import Progressed


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said on a terminal of 80 columns where a second passes from look to look."""
    heard: list[str] = []
    seconds = iter(range(1000))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr(live_line, "can_write_over", lambda _: True)
    monkeypatch.setattr(live_line, "say", lambda text="", end="\n": heard.append(text + end))
    monkeypatch.setattr("time.perf_counter", lambda: float(next(seconds)))
    return heard


def test_it_says_how_far_how_long_still_and_how_fast(said: list[str]) -> None:
    line = LiveLine(quiet=False)
    line.show(Progressed(1200, 250, 1000), "3.20% wrong")
    line.show(Progressed(1500, 350, 1000), "3.20% wrong")
    assert said == [
        f"{WIPE} 25%  1,200 rows  3.20% wrong",
        f"{WIPE} 35%  6s left  1,500 rows  300/s  3.20% wrong",
    ]


def test_the_rate_is_that_of_the_last_second(said: list[str]) -> None:
    line = LiveLine(quiet=False)
    for rows in (1, 10, 100, 1000, 1001):
        line.show(Progressed(rows, 250, None))
    assert [text.split("  ")[1] for text in said[1:]] == ["9/s", "90/s", "900/s", "1/s"]


def test_the_rate_does_not_count_what_came_before_the_first_rows(said: list[str]) -> None:
    line = LiveLine(quiet=False)
    line.show(Progressed(10**6, 900, 1000))
    line.show(Progressed(10**6 + 7, 910, 1000))
    assert said[1] == f"{WIPE} 91%  9s left  1,000,007 rows  7/s"


def test_without_a_size_there_is_no_share(said: list[str]) -> None:
    line = LiveLine(quiet=False)
    line.show(Progressed(1200, 250, None))
    line.show(Progressed(2400, 350, None))
    assert said == [f"{WIPE}1,200 rows", f"{WIPE}2,400 rows  1,200/s"]


def test_more_than_was_announced_is_all_of_it(said: list[str]) -> None:
    line = LiveLine(quiet=False)
    line.show(Progressed(1, 500, 1000))
    line.show(Progressed(2, 2000, 1000))
    assert said[1].startswith(f"{WIPE}100%  0s left")


def test_it_fits_the_terminal(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    LiveLine(quiet=False).show(Progressed(10**9, 1, 1000))
    assert len(said[0].removeprefix(WIPE)) == 23


def test_it_is_wiped_once_and_only_if_it_was_shown(said: list[str]) -> None:
    with LiveLine(quiet=False) as line:
        line.clear()
        assert said == []
        line.show(Progressed(1, 1, 2))
        line.clear()
        assert said[1:] == [WIPE]
    assert len(said) == 2
    with LiveLine(quiet=False) as line:
        line.show(Progressed(1, 1, 2))
    assert said[-1] == WIPE


def test_it_does_not_flicker(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_line, "PAUSE", 2.5)
    line = LiveLine(quiet=False)
    for rows in range(6):
        line.show(Progressed(rows, 0, None))
    assert [text.split()[0].removeprefix("\x1b[K") for text in said] == ["0", "3"]


def test_quiet_is_quiet(said: list[str]) -> None:
    with LiveLine(quiet=True) as line:
        line.show(Progressed(1, 1, 2))
    assert said == []


def test_results_of_workers_are_counted_as_they_come(said: list[str]) -> None:
    with LiveLine(quiet=False) as line:
        engine = ToldTasks(InProcess(), line)
        tasks = [engine.submit(f"part {n}", abs, -n) for n in range(3)]
        found = dict(engine.gather(tasks, 60.0))
    assert found == {0: 0, 1: 1, 2: 2}
    assert said == [f"{WIPE}{n} of 3 parts" for n in (1, 2, 3)] + [WIPE]

from __future__ import annotations

import pytest

from thresher.cli.terminal import live_line
from thresher.cli.terminal.live_line import WIPE, LiveLine
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
    LiveLine(quiet=False).show(Progressed(1200, 250, 1000), "3.20% wrong")
    assert said == [f"{WIPE} 25%  3s left  1,200 rows  1,200/s  3.20% wrong"]


def test_without_a_size_there_is_no_share(said: list[str]) -> None:
    LiveLine(quiet=False).show(Progressed(1200, 250, None))
    assert said == [f"{WIPE}1,200 rows  1,200/s"]


def test_more_than_was_announced_is_all_of_it(said: list[str]) -> None:
    LiveLine(quiet=False).show(Progressed(1, 2000, 1000))
    assert said[0].startswith(f"{WIPE}100%  0s left")


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

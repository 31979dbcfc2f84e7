from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from thresher.cli import progress
from thresher.cli.progress import ProgressTable
from thresher.cli.terminal import live_line
from thresher.cli.terminal import speech as terminal
from thresher.cli.terminal.table import Column, Table
from thresher.models.events import Progressed
from thresher.models.progress import Point, Progress


@dataclass
class Asked:
    """What a table asks of a request."""

    holdout: int | None = None
    passes: int = 1


@dataclass
class Running:
    """What a table asks of a run: seven rounds, two of them mistakes."""

    label_names: tuple[str, ...] = ("ham", "spam")
    allowed: int | None = None
    rounds_per_second: float | None = 1234.5
    request: Asked = field(default_factory=Asked)
    progress: Progress = field(default_factory=lambda: Progress(7, 2))


def table(quiet: bool = False, **found: object) -> ProgressTable:
    return ProgressTable(Running(**found), quiet=quiet)  # type: ignore[arg-type]


def point(rounds: int = 1, holdout_error: float | None = None, label: str = "ham") -> Point:
    return Point(rounds, 1, 1 / rounds, 1.0, label, label, 3, holdout_error)


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said on a terminal of 80 columns without colours, whose clock never goes slowly."""
    heard: list[str] = []
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(live_line, "can_write_over", lambda _: True)
    monkeypatch.setattr(live_line, "PAUSE", 0.0)
    for module in (progress, live_line):
        monkeypatch.setattr(module, "say", lambda text="", end="\n": heard.append(text + end))
    return heard


def test_the_live_line_says_how_often_the_learner_was_wrong(said: list[str]) -> None:
    table().live(Progressed(7, 250, 1000))
    assert said[-1].startswith("\r\x1b[K 25%  ")
    assert said[-1].endswith("28.57% wrong")


def test_a_live_line_is_wiped_before_a_line_of_the_table(said: list[str]) -> None:
    shown = table()
    shown.show(point())
    shown.live(Progressed(1, 1, 10))
    shown.show(point(2))
    assert said[-2:][0] == "\r\x1b[K"
    assert said[-1].split()[0] == "2"


def test_the_heading_is_said_once(said: list[str]) -> None:
    shown = table(allowed=9, request=Asked(holdout=2, passes=2))
    shown.show(point())
    shown.show(point(2, holdout_error=0.125))
    heading, first, second = said
    assert heading.split()[:5] == ["rounds", "mistakes", "allowed", "error", "recent"]
    assert first.split()[:5] == ["1", "1", "9", "100.00%", "100.00%"]
    assert second.split()[5] == "12.50%"


def test_quiet_is_quiet(said: list[str]) -> None:
    shown = table(quiet=True)
    shown.show(point())
    shown.live(Progressed(1, 1, 2))
    assert said == []


def test_a_long_label_does_not_burst_the_table(said: list[str]) -> None:
    table(label_names=("x" * 50, "y" * 50)).show(point(label="x" * 50))
    assert max(map(len, said)) <= 81


def test_columns_leave_by_rank_and_the_first_ones_never() -> None:
    table = Table([Column("aaaa"), Column("bbbb", rank=1), Column("cccc", rank=2)])
    assert table.heading(16) == "aaaa  bbbb  cccc"
    assert table.heading(15) == "aaaa  bbbb"
    assert table.heading(9) == "aaaa"
    assert table.heading(1) == "aaaa"


def test_a_broken_standard_error_is_no_terminal_and_no_reason_to_fail() -> None:
    class Broken:
        def isatty(self) -> bool:
            raise ValueError("I/O operation on closed file")

    assert not terminal.is_terminal(Broken())  # type: ignore[arg-type]
    assert not terminal.is_terminal(None)

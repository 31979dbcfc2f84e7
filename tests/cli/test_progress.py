from __future__ import annotations

import numpy as np
import pytest

from thresher.cli import progress
from thresher.cli.progress import Progress
from thresher.cli.terminal import speech as terminal
from thresher.cli.terminal.table import Column, Table
from thresher.learners.base.rounds import Rounds
from thresher.streams.rows import Rows

NAMES = ("ham", "spam")


def played(n: int, refuted_at: int | None = None) -> tuple[Rounds, Rows]:
    """Rounds of which every third is a mistake, on rows with one feature each."""
    labels = np.where(np.arange(n) % 3 == 0, -1, 1).astype(np.int8)
    rows = Rows(np.arange(n + 1, dtype=np.int64), np.zeros(n, np.int32), np.ones(n))
    return Rounds(np.ones(n), labels, 0.0, refuted_at=refuted_at), rows


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is said on a terminal of 80 columns without colours, whose clock never goes slowly."""
    heard: list[str] = []
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(progress, "can_write_over", lambda _: True)
    monkeypatch.setattr(progress, "say", lambda text="", end="\n": heard.append(text + end))
    monkeypatch.setattr(progress, "BETWEEN_LIVE_LINES", 0.0)
    return heard


def test_the_live_line_has_percent_and_time_left_and_is_wiped(said: list[str]) -> None:
    shown = Progress(lambda: NAMES)
    shown.observe(*played(1))
    said.clear()
    shown.live(250, 1000)
    assert said[-1].startswith("\r\x1b[K 25%  ")
    assert " left  1 rounds" in said[-1]
    assert not said[-1].endswith("\n")
    shown.clear()
    assert said[-1] == "\r\x1b[K"
    shown.clear()
    assert len(said) == 2


def test_without_a_size_there_is_no_percent(said: list[str]) -> None:
    shown = Progress(lambda: NAMES)
    shown.live(250, None)
    assert "%  " not in said[-1].split("rounds")[0]


def test_the_live_line_fits_the_terminal(said: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    Progress(lambda: NAMES).live(1, 1000)
    assert len(said[-1].removeprefix("\r\x1b[K")) == 23


def test_a_live_line_is_wiped_before_a_line_of_the_table(said: list[str]) -> None:
    shown = Progress(lambda: NAMES)
    shown.observe(*played(1))
    shown.live(1, 10)
    shown.observe(*played(1))
    assert said[-2:][0] == "\r\x1b[K"
    assert said[-1].split()[0] == "2"


def test_quiet_is_quiet(said: list[str]) -> None:
    shown = Progress(lambda: NAMES, quiet=True)
    shown.observe(*played(5))
    shown.live(1, 2)
    assert said == []
    assert [point.rounds for point in shown.points] == [1, 2, 4]


def test_counts_go_on_from_where_a_model_stands() -> None:
    shown = Progress(lambda: NAMES, before=(6, 2), quiet=True)
    shown.observe(*played(3))
    (point,) = shown.points
    assert (point.rounds, point.mistakes, point.recent_error) == (8, 3, 1 / 2)
    assert (shown.rounds, shown.mistakes) == (9, 3)


@pytest.mark.parametrize(("fell", "place"), [(0, 0), (3, 2), (4, 3), (6, 3)])
def test_the_alarm_comes_after_the_lines_before_it(fell: int, place: int) -> None:
    shown = Progress(lambda: NAMES, quiet=True)
    heard: list[tuple[int, int]] = []
    shown.observe(*played(7, fell), lambda at: heard.append((at, len(shown.points))))
    assert heard == [(fell, place)]


def test_a_long_label_does_not_burst_the_table(said: list[str]) -> None:
    Progress(lambda: ("x" * 50, "y" * 50)).observe(*played(1))
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

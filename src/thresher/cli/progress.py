"""Progressive validation: a line of a table whenever the number of rounds is a power of two.

Each row was predicted before its label was known, so that the error in the table is an honest
one: as on rows never seen. In a later pass the rows are no longer new; then only the hold-out
column is.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from thresher.cli.terminal.speech import can_write_over, painted, printable, say, width
from thresher.cli.terminal.table import Column, Table
from thresher.learners.base.rounds import Rounds

if TYPE_CHECKING:
    from thresher.streams.rows import Rows

#: Seconds between two live lines: fast enough to see it live, slow enough to cost nothing.
BETWEEN_LIVE_LINES = 0.2
LONGEST_LABEL = 12
#: What is predicted while no class is known.
NO_CLASS = "-"


@dataclass(frozen=True, slots=True)
class Point:
    """What is known after some rounds."""

    rounds: int
    mistakes: int
    #: Share of all rounds, and of the rounds since the last point, that were mistakes.
    error: float
    recent_error: float
    label: str
    prediction: str
    #: Features of the last row.
    features: int
    #: Share of mistakes on rows held out, in this pass.
    holdout_error: float | None

    def to_dict(self) -> dict[str, Any]:
        """The point as JSON-ready values."""
        return asdict(self)


class Progress:
    """Counts rounds and mistakes, and prints the table while they happen."""

    def __init__(
        self,
        names: Callable[[], Sequence[str]],
        *,
        before: tuple[int, int] = (0, 0),
        allowed: int | None = None,
        holdout: bool = False,
        quiet: bool = False,
    ) -> None:
        # Asked for when the first line is due: labels have no meaning before they were seen.
        self._names = names
        self.rounds, self.mistakes = before
        self.points: list[Point] = []
        self.holdout_error: float | None = None
        self._last = before
        self._quiet = quiet
        self._allowed = allowed
        self._live = can_write_over(sys.stderr) and not quiet
        self._shown = 0.0
        self._began = time.perf_counter()
        self._before = before[0]
        self._columns: Table | None = None
        self._holdout = holdout

    def observe(
        self,
        rounds: Rounds,
        rows: Rows,
        alarm: Callable[[int], None] | None = None,
    ) -> None:
        """Take note of rounds that were just played on these rows.

        If a claim fell in them, `alarm` is called with the round, in its place in the table.
        """
        fell = None if alarm is None else rounds.refuted_at
        mistaken = rounds.mistaken
        first, stop = self.rounds, self.rounds + len(rounds)
        counted = 0
        point = 1 << first.bit_length()
        while point <= stop:
            end = point - first
            if alarm is not None and fell is not None and fell < point:
                alarm(fell)
                fell = None
            self.mistakes += int(np.count_nonzero(mistaken[counted:end]))
            self.rounds, counted = point, end
            self._add_point(rounds, rows, end - 1)
            point *= 2
        self.mistakes += int(np.count_nonzero(mistaken[counted:]))
        self.rounds = stop
        if alarm is not None and fell is not None:
            alarm(fell)

    def _add_point(self, rounds: Rounds, rows: Rows, t: int) -> None:
        since = self.rounds - self._last[0]
        label, prediction = self._names_in(rounds, t)
        self.points.append(
            Point(
                rounds=self.rounds,
                mistakes=self.mistakes,
                error=self.mistakes / self.rounds,
                recent_error=(self.mistakes - self._last[1]) / since,
                label=label,
                prediction=prediction,
                features=int(rows.row_start[t + 1] - rows.row_start[t]),
                holdout_error=self.holdout_error,
            )
        )
        self._last = (self.rounds, self.mistakes)
        self._print(self.points[-1])

    def _names_in(self, rounds: Rounds, t: int) -> tuple[str, str]:
        """What the label of a round is called, and what was predicted."""
        if rounds.predicted is None:
            names = self._names()
            said = rounds.scores[t] >= rounds.threshold
            return names[int(rounds.label[t] > 0)], names[int(said)]
        classes = (*map(str, rounds.classes), NO_CLASS)
        return classes[rounds.label[t]], classes[rounds.predicted[t]]

    @property
    def rate(self) -> float:
        """Rounds per second of this run."""
        seconds = time.perf_counter() - self._began
        return (self.rounds - self._before) / seconds if seconds > 0 else 0.0

    @property
    def error(self) -> float | None:
        """Share of all rounds that were mistakes."""
        return self.mistakes / self.rounds if self.rounds else None

    def _print(self, point: Point) -> None:
        if self._quiet:
            return
        self.clear()
        room = width()
        if self._columns is None:
            self._columns = _columns(self._allowed, self._holdout, max(map(len, self._names())))
            say(painted(self._columns.heading(room), "cyan"))
        say(self._columns.line(_cells(point, self.rate, self._allowed, self._holdout), room))

    def live(self, done: int, total: int | None) -> None:
        """On a terminal, one line that is written over: how far, how fast, how long still."""
        now = time.perf_counter()
        if not self._live or now - self._shown < BETWEEN_LIVE_LINES:
            return
        self._shown = now
        text = f"{self.rounds:,} rounds  {self.rate:,.0f}/s  {self.error or 0.0:.2%} wrong"
        if total:
            share = min(1.0, done / total)
            left = (now - self._began) * (1 - share) / share if share else 0.0
            text = f"{share:4.0%}  {clock(left)} left  {text}"
        say("\r\x1b[K" + text[: width() - 1], end="")

    def clear(self) -> None:
        """Wipe the live line, so that something else can be said."""
        if self._live and self._shown:
            say("\r\x1b[K", end="")
            self._shown = 0.0


def clock(seconds: float) -> str:
    """A duration as people write it.

    >>> clock(7.2), clock(75), clock(7384)
    ('7s', '1:15', '2:03:04')
    """
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{rest:02}"
    return f"{minutes}:{rest:02}" if minutes else f"{rest}s"


def _columns(allowed: int | None, holdout: bool, label_width: int) -> Table:
    names = min(LONGEST_LABEL, label_width)
    columns = [Column("rounds", 10), Column("mistakes", 9)]
    columns += [Column("allowed", 9, rank=1)] if allowed is not None else []
    columns += [Column("error", 7), Column("recent", 7, rank=2)]
    columns += [Column("held out", 8, rank=1)] if holdout else []
    columns += [
        Column("label", names, rank=5),
        Column("predicted", names, rank=5),
        Column("features", 8, rank=4),
        Column("rounds/s", 10, rank=3),
    ]
    return Table(columns)


def _cells(point: Point, rate: float, allowed: int | None, holdout: bool) -> list[str]:
    held = "" if point.holdout_error is None else f"{point.holdout_error:.2%}"
    return [
        f"{point.rounds:,}",
        f"{point.mistakes:,}",
        *([f"{allowed:,}"] if allowed is not None else []),
        f"{point.error:.2%}",
        f"{point.recent_error:.2%}",
        *([held] if holdout else []),
        printable(point.label)[:LONGEST_LABEL],
        printable(point.prediction)[:LONGEST_LABEL],
        f"{point.features:,}",
        f"{rate:,.0f}",
    ]

"""The table of progressive validation, line by line, and below it how far the run has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thresher.cli.terminal.live_line import LiveLine
from thresher.cli.terminal.speech import painted, printable, say, width
from thresher.cli.terminal.table import Column, Table

if TYPE_CHECKING:
    from thresher.models.events import Progressed
    from thresher.models.progress import Point
    from thresher.models.training import TrainingRun

LONGEST_LABEL = 12


class ProgressTable:
    """Prints what a run has counted; with `quiet` nothing."""

    def __init__(self, run: TrainingRun, *, quiet: bool) -> None:
        self._run = run
        self._quiet = quiet
        self._line = LiveLine(quiet=quiet)
        self._holdout = run.request.holdout is not None and run.request.passes > 1
        self._table: Table | None = None

    def show(self, point: Point) -> None:
        """Print a line of the table."""
        if self._quiet:
            return
        self.clear()
        room = width()
        if self._table is None:
            self._table = self._columns(max(map(len, self._run.label_names)))
            say(painted(self._table.heading(room), "cyan"))
        say(self._table.line(self._cells(point), room))

    def live(self, event: Progressed) -> None:
        """On a terminal, one line that is written over: how far, how fast, how long still."""
        progress, window = self._run.progress, self._run.progress.window
        error = progress.error if window is None else window.error
        of = "" if window is None else f" of the last {window.size:,}"
        self._line.show(event, f"{error or 0.0:.2%}{of} wrong")

    def clear(self) -> None:
        """Wipe the live line, so that something else can be said."""
        self._line.clear()

    def _columns(self, label_width: int) -> Table:
        names = min(LONGEST_LABEL, label_width)
        columns = [Column("rounds", 10), Column("mistakes", 9)]
        columns += [Column("allowed", 9, rank=1)] if self._run.allowed is not None else []
        columns += [Column("error", 7), Column("recent", 7, rank=2)]
        if (window := self._run.progress.window) is not None:
            heading = f"last {window.size:,}"
            columns += [Column(heading, max(7, len(heading)), rank=1)]
        columns += [Column("held out", 8, rank=1)] if self._holdout else []
        columns += [
            Column("label", names, rank=5),
            Column("predicted", names, rank=5),
            Column("features", 8, rank=4),
            Column("rounds/s", 10, rank=3),
        ]
        return Table(columns)

    def _cells(self, point: Point) -> list[str]:
        allowed = self._run.allowed
        held = "" if point.holdout_error is None else f"{point.holdout_error:.2%}"
        return [
            f"{point.rounds:,}",
            f"{point.mistakes:,}",
            *([f"{allowed:,}"] if allowed is not None else []),
            f"{point.error:.2%}",
            f"{point.recent_error:.2%}",
            *([f"{point.window_error:.2%}"] if point.window_error is not None else []),
            *([held] if self._holdout else []),
            printable(point.label)[:LONGEST_LABEL],
            printable(point.prediction)[:LONGEST_LABEL],
            f"{point.features:,}",
            f"{self._run.rounds_per_second or 0.0:,.0f}",
        ]

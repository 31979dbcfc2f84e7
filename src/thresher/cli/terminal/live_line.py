"""One line on a terminal that is written over: how far a command has come."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from thresher.cli.terminal.speech import can_write_over, say, width
from thresher.models.events import Progressed

#: Seconds between two versions: fast enough to see it live, slow enough to cost nothing.
PAUSE = 0.2
#: What wipes the line.
WIPE = "\r\x1b[K"


class LiveLine:
    """How much was read, how long the rest will take, rows and their rate; for who is looking.

    Parameters
    ----------
    quiet
        Whether nothing is to be shown. Where a line cannot be written over, nothing is anyway.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._wanted = not quiet and can_write_over(sys.stderr)
        self._began, self._shown = time.perf_counter(), -PAUSE
        self._on_screen = False

    def show(self, event: Progressed, more: str = "") -> None:
        """Say how far it is, and `more` behind it, unless that was said a moment ago."""
        now = time.perf_counter()
        if not self._wanted or now - self._shown < PAUSE:
            return
        self._shown = now
        seconds = now - self._began
        text = f"{event.rows:,} rows  {event.rows / max(seconds, 1e-9):,.0f}/s"
        if event.total_bytes:
            share = min(1.0, event.position / event.total_bytes)
            left = seconds * (1 - share) / share if share else 0.0
            text = f"{share:4.0%}  {clock(left)} left  {text}"
        if more:
            text = f"{text}  {more}"
        say(f"{WIPE}{text[: width() - 1]}", end="")
        self._on_screen = True

    def clear(self) -> None:
        """Wipe the line, so that something else can be said."""
        if self._on_screen:
            say(WIPE, end="")
            self._on_screen = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.clear()


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

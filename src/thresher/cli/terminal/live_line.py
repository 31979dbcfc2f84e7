"""One line on a terminal that is written over: how far a command has come."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Iterator
from types import TracebackType
from typing import Self

from thresher.cli.terminal.speech import can_write_over, say, width
from thresher.models.events import Progressed

#: Seconds between two versions: fast enough to see it live, slow enough to cost nothing.
PAUSE = 0.2
#: Seconds over which the rate is taken.
LATELY = 1.0
#: What wipes the line.
WIPE = "\r\x1b[K"


class LiveLine:
    """How much was read, how long the rest will take, rows and their rate; for who is looking.

    The rate is that of the last second. How long it takes follows from the bytes since the first
    rows were there, so that the time before them counts for nothing.

    Parameters
    ----------
    quiet
        Whether nothing is to be shown. Where a line cannot be written over, nothing is anyway.
    """

    def __init__(self, *, quiet: bool) -> None:
        self._wanted = not quiet and can_write_over(sys.stderr)
        #: When so many rows and bytes were done: first, and in the last second.
        self._first: tuple[float, int, int] | None = None
        self._lately: deque[tuple[float, int]] = deque()
        self._shown = -PAUSE
        self._on_screen = False

    def show(self, event: Progressed, more: str = "") -> None:
        """Say how far it is, and `more` behind it, unless that was said a moment ago."""
        now = time.perf_counter()
        if not self._wanted:
            return
        self._first = self._first or (now, event.rows, event.position)
        self._lately.append((now, event.rows))
        while len(self._lately) > 2 and self._lately[1][0] <= now - LATELY:
            self._lately.popleft()
        if now - self._shown < PAUSE:
            return
        parts = [*self._way(event, now), f"{event.rows:,} rows", *self._rate(event, now)]
        self._put("  ".join([*parts, more] if more else parts), now)

    def tell(self, text: str) -> None:
        """Say how far it is in words, unless that was said a moment ago."""
        now = time.perf_counter()
        if self._wanted and now - self._shown >= PAUSE:
            self._put(text, now)

    def _put(self, text: str, now: float) -> None:
        self._shown = now
        say(f"{WIPE}{text[: width() - 1]}", end="")
        self._on_screen = True

    def _way(self, event: Progressed, now: float) -> Iterator[str]:
        """The share that is done, and how long the rest will take."""
        if not event.total_bytes or self._first is None:
            return
        yield f"{min(1.0, event.position / event.total_bytes):4.0%}"
        began, _, start = self._first
        if event.position > start and now > began:
            speed = (event.position - start) / (now - began)
            yield f"{clock(max(0, event.total_bytes - event.position) / speed)} left"

    def _rate(self, event: Progressed, now: float) -> Iterator[str]:
        """Rows a second, in the last one."""
        then, rows = self._lately[0]
        if now > then:
            yield f"{(event.rows - rows) / (now - then):,.0f}/s"

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

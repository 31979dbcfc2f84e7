"""One line on a terminal that is written over: how far a command has come."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self

from thresher.cli.terminal.speech import can_write_over, say, width

#: Seconds between two versions of the line.
_PAUSE = 0.2


class LiveLine:
    """Shows rows, their rate, and the share of the input; nothing where nobody is looking."""

    def __init__(self, *, quiet: bool) -> None:
        self._wanted = not quiet and can_write_over(sys.stderr)
        self._began = self._shown = time.perf_counter()
        self._on_screen = False

    def show(self, rows: int, done: int = 0, total: int | None = None) -> None:
        """Say how far it is, unless that was said a moment ago."""
        now = time.perf_counter()
        if not self._wanted or now - self._shown < _PAUSE:
            return
        self._shown = now
        share = f"  {min(1.0, done / total):.0%}" if total else ""
        text = f"{rows:,} rows  {rows / (now - self._began):,.0f}/s{share}"
        say(f"\r\x1b[K{text[: width() - 1]}", end="")
        self._on_screen = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._on_screen:
            say("\r\x1b[K", end="")

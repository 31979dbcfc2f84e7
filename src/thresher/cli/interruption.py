"""Ctrl-C and SIGTERM as a wish that a run of training stops at the next safe point."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Protocol, Self


class Stoppable(Protocol):
    """A run that can be asked to stop."""

    def interrupt(self) -> None:
        """Stop at the next safe point."""


class Interruption:
    """Which signal has come, if any; the run is told, and stops between two batches."""

    def __init__(self, run: Stoppable) -> None:
        self.signal: int | None = None
        self._run = run

    @property
    def exit_status(self) -> int:
        """What a shell expects of a program that a signal ended."""
        return 128 + (self.signal or 0)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.signal = number
        self._run.interrupt()

    @contextmanager
    def listening(self) -> Iterator[Self]:
        """Take SIGINT and SIGTERM; give them back in the end."""
        if threading.current_thread() is not threading.main_thread():
            yield self
            return
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            for number in before:
                signal.signal(number, self._note)
            yield self
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

"""Ctrl-C and SIGTERM as a wish to stop at the next safe point."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupted(BaseException):
    """Raised while waiting for data, so that a wish to stop does not wait for the next line."""


class Interruption:
    """Whether somebody wants the work to stop, and by which signal.

    A signal that comes while rows are learned is only remembered: the learner is between two
    batches when the work stops. One that comes `while_waiting` for data ends the waiting.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self._waiting = False

    @property
    def wanted(self) -> bool:
        """Whether a signal has come."""
        return self.signal is not None

    @property
    def exit_status(self) -> int:
        """What a shell expects of a program that a signal ended."""
        return 128 + (self.signal or 0)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.signal = number
        if self._waiting:
            self._waiting = False
            raise Interrupted

    @contextmanager
    def listening(self) -> Iterator[Interruption]:
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

    @contextmanager
    def while_waiting(self) -> Iterator[None]:
        """A stretch in which a signal may interrupt at once, because nothing is being changed."""
        if self.wanted:
            raise Interrupted
        self._waiting = True
        try:
            yield
        finally:
            self._waiting = False

"""uninterrupted: what is begun is finished before an interrupt is heard."""

from __future__ import annotations

import signal
from threading import current_thread, main_thread
from typing import Any


class Uninterrupted:
    """Let Ctrl-C wait until the block has ended, where a part of the work must not be done alone.

    A compiled loop is not interrupted anyway; several of them, one after another, are here made
    one. Only the main thread hears signals, so that others need nothing. A handler that was not
    set from Python could not be put back, and is left alone.

    >>> with Uninterrupted():
    ...     print("whole")
    whole
    """

    def __enter__(self) -> None:
        self._before: Any = None
        self._came = False
        if current_thread() is main_thread():
            self._before = signal.getsignal(signal.SIGINT)
        if self._before is not None:
            signal.signal(signal.SIGINT, self._note)

    def _note(self, *_: object) -> None:
        self._came = True

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        if self._came:
            signal.raise_signal(signal.SIGINT)

"""Runs that can be ended on the way: before their next step, or while they wait."""

from __future__ import annotations


class Interrupted(BaseException):
    """Raised while a run waits for data, so that a wish to stop does not wait for the next line."""


class Stoppable:
    """A run that looks at `_stopping` before each step, and is `waiting` while others work."""

    waiting = False
    _stopping = False

    def stop(self) -> None:
        """End the run before its next step; may be called from any thread."""
        self._stopping = True

    def interrupt(self) -> None:
        """The same for a signal in the thread of the run: at once, if it waits."""
        self.stop()
        if self.waiting:
            self.waiting = False
            raise Interrupted

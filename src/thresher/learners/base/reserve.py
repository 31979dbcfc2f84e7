"""Reserve: memory that is kept back, so that what several learners have begun all can finish."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

R = TypeVar("R")

#: So many bytes for each row, and more than that, a learner takes in passing while it learns.
PASSING = 256
#: And so many for each batch, however small it is.
AT_LEAST = 1 << 14


class Reserve:
    """Memory for what learners take in passing, asked for before the first of them learns.

    Where there is so little that they could fail, this fails, and nobody has learned anything.
    To be asked for costs nothing: the system gives out memory when it is written to.

    >>> Reserve(rows=100, threads=2).despite(lambda: "done")
    'done'
    """

    def __init__(self, rows: int, threads: int) -> None:
        self._held = [np.empty(threads * (AT_LEAST + rows * PASSING), np.uint8)]

    def despite(self, work: Callable[[], R]) -> R:
        """Do the work; where memory ends, do it again with what was kept back.

        To be given work that has done nothing if it fails.
        """
        try:
            return work()
        except MemoryError:
            self.release()
            return work()

    def release(self) -> None:
        """Let the others have it."""
        self._held.clear()

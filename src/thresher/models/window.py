"""WindowError: the share of mistakes in the last so many rounds, which shows drift."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Stretch(NamedTuple):
    """Rounds of a stream, counted from 1, and the share of mistakes in them."""

    first: int
    last: int
    error: float


class WindowError:
    """The error of the last `size` rounds, and of the best and the worst so many in a row.

    An error over all rounds forgets nothing: where the target moves, it falls when it should
    rise. Memory is a byte for each of them, however long the stream, and nothing depends on how the
    stream was cut.

    Examples
    --------
    >>> window = WindowError(2)
    >>> window.add(np.array([True, True, False, False, True]))
    >>> window.error, window.worst, window.best
    (0.5, Stretch(first=1, last=2, error=1.0), Stretch(first=3, last=4, error=0.0))
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.rounds = 0
        #: The last rounds, oldest first.
        self._recent = np.zeros(0, bool)
        self._most: tuple[int, int] | None = None
        self._fewest: tuple[int, int] | None = None

    def add(self, mistaken: NDArray[np.bool_]) -> None:
        """Go on with rounds, for each of which it is told whether it was a mistake."""
        known = len(self._recent)
        joined = np.concatenate((self._recent, mistaken))
        so_far = np.concatenate(([0], np.cumsum(joined, dtype=np.int64)))
        # Windows that end in one of the new rounds, by their ends in `joined`.
        ends = np.arange(max(known + 1, self.size), len(joined) + 1)
        if len(ends):
            counts = so_far[ends] - so_far[ends - self.size]
            before = self.rounds - known
            most, fewest = int(np.argmax(counts)), int(np.argmin(counts))
            if self._most is None or counts[most] > self._most[0]:
                self._most = int(counts[most]), before + int(ends[most])
            if self._fewest is None or counts[fewest] < self._fewest[0]:
                self._fewest = int(counts[fewest]), before + int(ends[fewest])
        self.rounds += len(mistaken)
        self._recent = joined[-self.size :]

    @property
    def error(self) -> float | None:
        """The share of mistakes in the last rounds, as many as there are; None before the first."""
        return float(np.mean(self._recent)) if len(self._recent) else None

    @property
    def worst(self) -> Stretch | None:
        """The first of the windows with the most mistakes; None before there is a whole one."""
        return self._stretch(self._most)

    @property
    def best(self) -> Stretch | None:
        """The first of the windows with the fewest mistakes; None before there is a whole one."""
        return self._stretch(self._fewest)

    def _stretch(self, found: tuple[int, int] | None) -> Stretch | None:
        if found is None:
            return None
        mistakes, last = found
        return Stretch(last - self.size + 1, last, mistakes / self.size)

    def to_dict(self) -> dict[str, Any]:
        """What is known, as JSON-ready values."""
        worst, best = self.worst, self.best
        return {
            "rows": self.size,
            "error": self.error,
            "worst": None if worst is None else worst._asdict(),
            "best": None if best is None else best._asdict(),
        }

    def __str__(self) -> str:
        """What people want to know.

        >>> window = WindowError(2)
        >>> window.add(np.array([True, True, False, False, True]))
        >>> print(window)
        50.00% of the last 2; windows of 2 from 0.00% (rows 3 to 4) to 100.00% (rows 1 to 2)
        """
        if self.error is None:
            return "-"
        said = f"{self.error:.2%} of the last {min(self.size, self.rounds):,}"
        if self.best is None or self.worst is None:
            return said
        low, high = (
            f"{found.error:.2%} (rows {found.first:,} to {found.last:,})"
            for found in (self.best, self.worst)
        )
        return f"{said}; windows of {self.size:,} from {low} to {high}"

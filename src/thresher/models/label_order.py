"""Whether rows with the same label stand together, as in a file that is sorted by its labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.models.events import SortedByLabel

#: A random order has so many changes of the label at least, or too little is known of it.
FEWEST_CHANGES = 10
#: Rows stand together if the label changes that many times less often than in a random order.
TIMES_FEWER = 5


class LabelOrder:
    """Counts how often the label changes from one row to the next.

    Examples
    --------
    >>> order = LabelOrder()
    >>> order.take(np.repeat([0, 1, 2], 50))
    >>> print(order.together)
    rows with the same label stand together: it changes 2 times in 150 rows, and in random order \
it would 100 times. What comes last outweighs the rest, and the error is that of rows which \
are easy to guess.
    >>> order.take(np.tile([0, 1, 2], 50))
    >>> order.together is None
    True
    """

    def __init__(self) -> None:
        self._counts = np.zeros(0, np.int64)
        self._changes = 0
        self._last: int | None = None

    @classmethod
    def counted(cls, counts: NDArray[np.int64], changes: int) -> LabelOrder:
        """Where others have counted: how often each label comes, and how often it changes."""
        order = cls()
        order._counts, order._changes = counts, changes
        return order

    def take(self, labels: NDArray[np.integer]) -> None:
        """Go on with the labels of more rows, as numbers; below 0 are rows without one."""
        if labels.min(initial=0) < 0:
            labels = labels[labels >= 0]
        if not len(labels):
            return
        self._changes += int(np.count_nonzero(labels[1:] != labels[:-1]))
        self._changes += self._last is not None and self._last != int(labels[0])
        self._last = int(labels[-1])
        more = np.bincount(labels, minlength=len(self._counts))
        more[: len(self._counts)] += self._counts
        self._counts = more

    @property
    def together(self) -> str | None:
        """What to say, if rows with the same label stand together."""
        rows = int(self._counts.sum())
        # The mean over all orders of these labels.
        mean = rows - float(np.square(self._counts / max(rows, 1)).sum()) * rows
        if mean < FEWEST_CHANGES or self._changes * TIMES_FEWER >= mean:
            return None
        times = "once" if self._changes == 1 else f"{self._changes:,} times"
        return (
            f"rows with the same label stand together: it changes {times} in {rows:,} rows, and in "
            f"random order it would {mean:,.0f} times. What comes last outweighs the rest, and the "
            "error is that of rows which are easy to guess."
        )

    def events(self) -> list[SortedByLabel]:
        """The same as an event of a run; none where there is nothing to say."""
        return [] if self.together is None else [SortedByLabel(self.together)]

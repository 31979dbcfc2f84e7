"""Ranking: the area under the ROC curve, from scores that come chunk by chunk."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Distinct scores that are told apart; memory for them is a few hundred megabytes.
DISTINCT_SCORES = 1 << 22

#: Two numbers with the area between them, equal if it is exact.
Area = tuple[float, float]


class Bin(NamedTuple):
    """Rows with neighbouring scores."""

    rows: int
    #: Their mean score; of scores that are not told apart, their middle counts.
    mean: float
    #: The share of positive rows among them.
    positive: float


class Ranking:
    """How often a positive row scores above a negative one: the area under the ROC curve.

    Equal scores count half. The area is exact while there are at most `limit` distinct scores;
    after that neighbouring scores are put together, and the area is known to lie between two
    numbers. A group of scores is an interval, with how many positive and negative rows it holds.

    Examples
    --------
    >>> ranking = Ranking(limit=2)
    >>> ranking.add(np.array([1.0, 2.0, 3.0, 4.0]), np.array([False, True, False, True]))
    >>> ranking.area()
    (0.25, 0.75)
    """

    def __init__(self, limit: int = DISTINCT_SCORES) -> None:
        self._limit = limit
        self._low = self._high = np.empty(0)
        #: Rows of each group: negative, positive.
        self._counts = np.empty((2, 0), np.int64)
        self._waiting: list[tuple[NDArray[np.float64], NDArray[np.bool_]]] = []
        self._n_waiting = 0

    def add(self, scores: NDArray[np.float64], positive: NDArray[np.bool_]) -> None:
        """Take in some rows."""
        first = 0
        while first < len(scores):
            # So many at a time, that it does not matter how the stream was cut.
            part = slice(first, first + self._limit - self._n_waiting)
            self._waiting.append((scores[part], positive[part]))
            self._n_waiting += len(scores[part])
            first = part.stop
            if self._n_waiting >= self._limit:
                self._settle()

    def _settle(self) -> None:
        """Bring the rows that wait into the groups."""
        if not self._n_waiting:
            return
        scores = np.concatenate([scores for scores, _ in self._waiting])
        positive = np.concatenate([positive for _, positive in self._waiting])
        self._waiting, self._n_waiting = [], 0
        found, at = np.unique(scores, return_inverse=True)
        counts = np.stack(
            [np.bincount(at[side], minlength=len(found)) for side in (~positive, positive)]
        )
        group = np.searchsorted(self._high, found)
        known = group < len(self._high)
        known[known] = self._low[group[known]] <= found[known]
        for side in (0, 1):
            np.add.at(self._counts[side], group[known], counts[side, known])
        low = np.concatenate((self._low, found[~known]))
        high = np.concatenate((self._high, found[~known]))
        order = np.argsort(low)
        self._low, self._high = low[order], high[order]
        self._counts = np.concatenate((self._counts, counts[:, ~known]), axis=1)[:, order]
        while len(self._low) > self._limit:
            self._halve()

    def _halve(self) -> None:
        """Put neighbours together, two by two."""
        first = np.arange(0, len(self._low), 2)
        last = np.minimum(first + 1, len(self._low) - 1)
        self._counts = np.add.reduceat(self._counts, first, axis=1)
        self._low, self._high = self._low[first], self._high[last]

    def area(self) -> Area | None:
        """Two numbers with the area between them, equal if exact; None without both labels."""
        self._settle()
        negative, positive = self._counts
        pairs = int(negative.sum()) * int(positive.sum())
        if not pairs:
            return None
        below = np.cumsum(negative) - negative
        above = sum((positive * below).tolist())
        single = self._low == self._high
        inside = negative * positive
        tied = sum(inside[single].tolist())
        unknown = sum(inside[~single].tolist())
        return (2 * above + tied) / (2 * pairs), (2 * above + tied + 2 * unknown) / (2 * pairs)

    def curve(self) -> list[tuple[float, float]]:
        """The ROC curve: shares of negative and of positive rows above each score, from (0, 0).

        >>> ranking = Ranking()
        >>> ranking.add(np.array([3.0, 2.0, 2.0, 1.0]), np.array([True, True, False, False]))
        >>> ranking.curve()
        [(0.0, 0.0), (0.0, 0.5), (0.5, 1.0), (1.0, 1.0)]
        """
        self._settle()
        above = np.cumsum(self._counts[:, ::-1], axis=1)
        if not above.size or not above[:, -1].all():
            return []
        shares = above / above[:, -1:]
        return [(0.0, 0.0), *zip(*shares.tolist(), strict=True)]

    def bins(self, most: int = 10) -> list[Bin]:
        """The rows in bins of about equal counts, by their scores; equal scores stay together.

        >>> ranking = Ranking()
        >>> ranking.add(np.array([0.1, 0.2, 0.2, 0.9]), np.array([False, True, False, True]))
        >>> ranking.bins(2)
        [Bin(rows=1, mean=0.1, positive=0.0), \
Bin(rows=3, mean=0.43333333333333335, positive=0.6666666666666666)]
        """
        self._settle()
        negative, positive = self._counts
        both = negative + positive
        total = int(both.sum())
        # Each group goes where its middle is.
        middle = np.cumsum(both) - (both + 1) // 2
        place = middle * most // max(1, total)
        worth = both * (self._low / 2 + self._high / 2)
        found = []
        for number in np.unique(place).tolist():
            here = place == number
            rows = int(both[here].sum())
            found.append(
                Bin(rows, float(worth[here].sum() / rows), float(positive[here].sum() / rows))
            )
        return found

"""Drift: whether a model errs more often lately than before, by a test that seldom cries wolf.

After every `BLOCK` rounds the last 1, 2, 4, ... blocks are held against all rounds before them. Let
n rounds before have the share p of mistakes, w recent ones the share q, and let

    kl(a, b) = a ln(a/b) + (1 - a) ln((1 - a)/(1 - b)).

For independent mistakes with a mean chance m, Hoeffding (Probability inequalities for sums of
bounded random variables, JASA 58, 1963, Theorem 1) says that their share is as far below m as p
with probability at most exp(-n kl(p, m)), and as far above as q with at most exp(-w kl(q, m)). An
alarm is raised when no m explains both: when n kl(p, m) <= L, m >= p and w kl(q, m) <= L, m <= q
have no solution. With k the number of the test and L = ln(2 WINDOWS k (k + 1) / DELTA), the chances
of all tests together, for ever, add up to `DELTA`.

Promises: if mistakes are independent and their chance never rises, the probability that there is
ever an alarm is at most `DELTA`. Then the test begins anew.

Does not promise: that about mistakes that come in heaps, as those of a learner may that is thrown
back by noise; `docs/service.md` has how often that was measured.
"""

from __future__ import annotations

from collections import deque
from math import log
from typing import NamedTuple

#: Rounds between two tests; windows are 1, 2, 4, ... blocks long.
BLOCK = 32
WINDOWS = 8
#: The chance of an alarm, ever, where nothing has become worse.
DELTA = 0.01
_HALVINGS = 60


class Drift(NamedTuple):
    """What was found: errors before, and in the last rounds."""

    rounds: int
    before: float
    window: int
    recent: float


class DriftTest:
    """Counts mistakes in blocks, and compares the last ones with all before them.

    >>> test = DriftTest()
    >>> [test.add(2) for _ in range(60)] == [None] * 60
    True
    >>> test.add(12), test.add(12)
    (None, Drift(rounds=1984, before=0.0625, window=64, recent=0.375))
    """

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self.blocks = self.mistakes = 0
        #: Mistakes up to the end of each block, as far back as windows go.
        self._totals: deque[int] = deque([0], maxlen=(1 << (WINDOWS - 1)) + 1)

    def add(self, mistakes: int) -> Drift | None:
        """Go on by a block with so many mistakes; what became worse, if something did."""
        self.blocks += 1
        self.mistakes += mistakes
        self._totals.append(self.mistakes)
        most = log(2 * WINDOWS * self.blocks * (self.blocks + 1) / DELTA)
        for place in (1 << doubling for doubling in range(WINDOWS)):
            if place >= self.blocks:
                break
            before = self._totals[-1 - place]
            recent = self.mistakes - before
            n, w = (self.blocks - place) * BLOCK, place * BLOCK
            if apart(before, n, recent, w, most):
                self._begin()
                return Drift(n + w, before / n, w, recent / w)
        return None


def apart(before: int, n: int, recent: int, w: int, most: float) -> bool:
    """Whether no chance explains both counts: those of n rounds, and more of w later ones."""
    p, q = before / n, recent / w
    if q <= p:
        return False
    # A chance that explains both; it does so nearly always, and saves the search.
    pooled = (before + recent) / (n + w)
    if n * kl(p, pooled) <= most and w * kl(q, pooled) <= most:
        return False
    highest = _highest(p, most / n)
    return q > highest and w * kl(q, highest) > most


def _highest(p: float, most: float) -> float:
    """The largest chance m with kl(p, m) <= most, or a little more."""
    low, high = p, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if kl(p, middle) <= most:
            low = middle
        else:
            high = middle
    return high


def kl(a: float, b: float) -> float:
    """How much worse the chance b explains the share a than a itself does, by round, in nats.

    >>> kl(0.5, 0.5), kl(0.0, 0.5) == log(2), kl(1.0, 0.0)
    (0.0, True, inf)
    """
    found = 0.0
    for share, chance in ((a, b), (1 - a, 1 - b)):
        if share > 0:
            if chance <= 0:
                return float("inf")
            found += share * log(share / chance)
    return max(0.0, found)

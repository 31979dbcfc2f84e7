"""Tally: what a service counts, for whoever watches it."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

#: Seconds, from a hundred microseconds to ten seconds.
BOUNDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
          5, 10)  # fmt: skip


#: The route whose answer has no end of its own.
STREAM = "events"


class Histogram:
    """How often something took how long.

    >>> took = Histogram()
    >>> took.add(0.0003), took.add(0.25), took.counts[:4], took.total
    (None, None, [0, 0, 1, 0], 0.2503)
    """

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Count one more."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds


class Tally:
    """Requests, commits and snapshots since the service began."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()
        self.latencies: dict[str, Histogram] = {}
        self.commits, self.checkpoints = Histogram(), Histogram()
        self.works = 0
        #: Alarms that were sent, given up, or dropped because too many waited.
        self.alarms: Counter[str] = Counter(sent=0, failed=0, dropped=0)

    def request(self, route: str, status: int, seconds: float) -> None:
        """An answer was given."""
        self.requests[route, status] += 1
        if route == STREAM:
            # It is open for as long as somebody listens.
            return
        self.latencies.setdefault(route, Histogram()).add(seconds)

    def committed(self, works: int, seconds: float) -> None:
        """Some works were committed together."""
        self.works += works
        self.commits.add(seconds)

    def checkpoint(self, seconds: float) -> None:
        """A snapshot was taken."""
        self.checkpoints.add(seconds)

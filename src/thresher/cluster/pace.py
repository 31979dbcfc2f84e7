r"""Pace: how many shards ahead of the learner are played, from how often it changes.

A wave of n tasks of m shards each, on as many workers, gets to the end of the first task in which
something changes. If a task changes nothing with probability :math:`q = e^{-\lambda m}`, that is
:math:`m (1 - q^n) / (1 - q)` shards in the time :math:`m c + s`, with c seconds for a shard and s
for sending state and results. The best m is looked for among powers of two; a task that would be
in vain nineteen times in twenty is not sent. What is learned does not depend on any of it.
"""

from __future__ import annotations

from math import expm1

#: A task is sent if it counts at least so often.
WORTHWHILE = 0.05
#: Shards after which what was seen counts half.
MEMORY = 16.0


class Pace:
    """Measures changes and times, and plans the next wave.

    >>> pace = Pace()
    >>> pace.plan(workers=2, left=100)
    [1]
    >>> pace.note(shards=8, changed=0, seconds=8.0, waited=0.1)
    >>> pace.plan(workers=2, left=100)
    [2, 2]
    """

    def __init__(self) -> None:
        # As if one shard had changed something: nothing is known yet.
        self._shards = self._changed = 1.0
        self._task_shards = self._task_seconds = 0.0
        self._waves = self._waited = 0.0

    def plan(self, workers: int, left: int) -> list[int]:
        """How many shards each task of the next wave has, of those that are left."""
        if not self._waves:
            return [1]
        rate = self._changed / self._shards
        # All that is left, or powers of two below it.
        largest = -(-left // max(1, workers))
        sizes = {largest} | {1 << k for k in range(largest.bit_length()) if 1 << k < largest}
        speeds = {m: self._speed(rate * m, m, workers) for m in sizes}
        m = max(sizes, key=lambda m: speeds[m][0])
        n = speeds[m][1]
        return [min(m, left - first) for first in range(0, min(left, n * m), m)]

    def _speed(self, changes: float, m: int, workers: int) -> tuple[float, int]:
        """Shards in a second with tasks of m, in which so much changes, and how many tasks."""
        clean, n, reached = 1.0, 0, 0.0
        while n < workers and clean >= WORTHWHILE:
            reached += clean
            n += 1
            clean *= 1.0 + expm1(-changes)
        each = self._task_seconds / max(self._task_shards, 1.0)
        return m * reached / (m * each + self._waited / self._waves), n

    def note(self, shards: int, changed: int, seconds: float, waited: float) -> None:
        """Take note of a wave.

        Parameters
        ----------
        shards, changed
            How far it got, and how many rows changed the learner on the way.
        seconds
            How long workers took for these shards, all in all.
        waited
            How long the wave took beyond its longest task.
        """
        kept = 0.5 ** (shards / MEMORY)
        self._shards, self._changed = kept * self._shards + shards, kept * self._changed + changed
        self._task_shards = kept * self._task_shards + shards
        self._task_seconds = kept * self._task_seconds + seconds
        self._waves, self._waited = 0.5 * self._waves + 1.0, 0.5 * self._waited + max(waited, 0.0)

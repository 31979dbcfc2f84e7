"""MistakeCurve: mistakes so far, at points that depend on the number of rounds alone."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.records import record

#: Points between the two ends of a curve at most: with them there are 1,024.
POINTS = 1022


@record(frozen=False)
class MistakeCurve:
    """The number of mistakes after every `step` rounds, in bounded memory.

    The step is the smallest power of two for which at most `POINTS` points are kept. It depends
    on the number of rounds alone, so a stream gives the same curve however it was cut.

    >>> curve = MistakeCurve(limit=4)
    >>> curve.add(np.array([True, True, False, True, False, False, False, True, False]))
    >>> curve.step, curve.points()
    (2, [(0, 0), (2, 2), (4, 3), (6, 3), (8, 4), (9, 4)])
    >>> curve.last_stretch()
    (6, 9, 1)

    While there are few mistakes, the round of each is known, and `steps` has them all:

    >>> curve.steps()
    [(0, 0), (1, 1), (2, 2), (4, 3), (8, 4), (9, 4)]
    >>> curve.stretches(2)
    [(4, 0.75), (8, 0.25)]
    """

    limit: int = POINTS
    rounds: int = 0
    mistakes: int = 0
    step: int = 1
    _counts: list[int] = field(default_factory=list)
    #: The rounds of all mistakes, counted from 1, while there are no more than `limit`.
    _mistaken: list[int] = field(default_factory=list)

    def add(self, mistaken: NDArray[np.bool_]) -> None:
        """Go on with rounds, for each of which it is told whether it was a mistake."""
        first, self.rounds = self.rounds, self.rounds + len(mistaken)
        while self.rounds // self.step > self.limit:
            self.step *= 2
            self._counts = self._counts[1::2]
        # The points of this step that lie in the new rounds, counted from the first of them.
        skip = self.step - 1 - first % self.step
        so_far = np.cumsum(mistaken, dtype=np.int64)
        # Points dropped above were on a finer grid: those of the new grid are all still there.
        self._counts += (self.mistakes + so_far[skip :: self.step]).tolist()
        self.mistakes += int(so_far[-1]) if len(so_far) else 0
        if self.exact:
            self._mistaken += (first + 1 + np.flatnonzero(mistaken)).tolist()
        else:
            self._mistaken = []

    @property
    def exact(self) -> bool:
        """Whether the round of every mistake is known."""
        return self.mistakes <= self.limit

    def steps(self) -> list[tuple[int, int]]:
        """The curve, mistake by mistake while that is `exact`, and otherwise its points."""
        if not self.exact:
            return self.points()
        found = [(0, 0), *((t, count) for count, t in enumerate(self._mistaken, 1))]
        return found if found[-1][0] == self.rounds else [*found, (self.rounds, self.mistakes)]

    def stretches(self, most: int = 48) -> list[tuple[int, float]]:
        """The share of mistakes in stretches of equal length: where each ends, and its share.

        What comes after the last whole one is left out, unless it is all there is.
        """
        points = self.points()
        wide = max(1, -(-(self.rounds // self.step) // most)) * self.step
        known = dict(points)
        ends = [*range(wide, self.rounds + 1, wide)] or [self.rounds] * bool(self.rounds)
        return [(end, (known[end] - known[max(0, end - wide)]) / min(wide, end)) for end in ends]

    def points(self) -> list[tuple[int, int]]:
        """Pairs of rounds and mistakes, from (0, 0) to the last round."""
        inner = [(self.step * (i + 1), count) for i, count in enumerate(self._counts)]
        last = [(self.rounds, self.mistakes)] if self.rounds % self.step else []
        return [(0, 0), *inner, *last]

    def last_stretch(self) -> tuple[int, int, int]:
        """The last quarter of the rounds: where it begins, where it ends, and its mistakes.

        It begins at a point that the curve keeps, at or before three quarters of the rounds.
        """
        kept = 3 * self.rounds // 4 // self.step
        before = self._counts[kept - 1] if kept else 0
        return kept * self.step, self.rounds, self.mistakes - before

    @property
    def error(self) -> float | None:
        """The share of mistakes in all rounds; None before the first."""
        return self.mistakes / self.rounds if self.rounds else None

    @property
    def last_error(self) -> float | None:
        """The share of mistakes in the last stretch; None before the first round."""
        first, stop, mistakes = self.last_stretch()
        return mistakes / (stop - first) if stop > first else None

    def to_dict(self) -> dict[str, Any]:
        """The points as lists, for JSON."""
        points = self.points()
        return {"rounds": [r for r, _ in points], "mistakes": [m for _, m in points]}

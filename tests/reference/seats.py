"""The slow twin of the Committee's seats: standardised columns, and AROW on what is made of them.

In double precision. Sums run in four parts, place by place modulo four, which meet at the end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tests.reference.engine import Row

KINDS = (("arow", "standard"), ("arow", "squares"), ("arow", "pairs"), ("matrix", "standard"))
MOST = (1024, 1024, 128, 128)
Place = tuple[int, int]


def summed(parts: Iterable[tuple[int, float]]) -> float:
    """The sum of parts, each with its place."""
    four = [0.0, 0.0, 0.0, 0.0]
    for place, part in parts:
        four[place % 4] += part
    return (four[0] + four[1]) + (four[2] + four[3])


class Shown(NamedTuple):
    """What is seen of a column: standardised, and squared minus 1."""

    z: float
    square: float


class StandardColumns:
    """Mean and squared distances of each column, by first appearance."""

    def __init__(self, closed: bool = False) -> None:
        self.closed = closed
        self.overflow = False
        self.rows = 0.0
        self.mean: dict[int, float] = {}
        self.squares: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self.mean)

    def admit(self, row: Row) -> None:
        for i in sorted(row):
            if i not in self.mean and not self.closed:
                if len(self.mean) < 1024:
                    self.mean[i] = self.squares[i] = 0.0
                else:
                    self.overflow = True

    def distances(self, row: Row, i: int) -> tuple[float, float]:
        """From the mean before this row, and from that with it."""
        away = row.get(i, 0.0) - self.mean[i]
        return away, away * (self.rows * (1.0 / (self.rows + 1.0)))

    def seen(self, row: Row) -> list[Shown]:
        """The constant, then every column, standardised; what has never varied is 0 and 0."""
        shown = [Shown(1.0, 1.0)]
        for i in self.mean:
            away, near = self.distances(row, i)
            variance = (self.squares[i] + away * near) * (1.0 / (self.rows + 1.0))
            if variance > 1e-280:
                z = max(-4.0, min(4.0, near / math.sqrt(variance)))
                shown.append(Shown(z, z * z - 1.0))
            else:
                shown.append(Shown(0.0, 0.0))
        return shown

    def remember(self, row: Row) -> None:
        for i in self.mean:
            away, near = self.distances(row, i)
            self.mean[i] += away * (1.0 / (self.rows + 1.0))
            self.squares[i] += away * near
        self.rows += 1.0


class Seat:
    """A member for narrow streams: weights and variances by place, or a matrix."""

    def __init__(self, kind: int, setting: float) -> None:
        self.kind = kind
        self.setting = setting
        self.most_columns = MOST[kind]
        self.weight: dict[Place, float] = {}
        self.second: dict[Place, float] = {}

    def x(self, shown: Sequence[Shown]) -> dict[Place, float]:
        """What is multiplied with the weights; a place is a row and a column."""
        z = [own.z for own in shown[: self.most_columns + 1]]
        if self.kind == 1:
            return {(0, i): own.square for i, own in enumerate(shown)}
        if self.kind == 2:
            return {(j, k): z[j] * z[k] for j in range(len(z)) for k in range(j + 1)}
        return {(0, i): own for i, own in enumerate(z)}

    def w(self, place: Place) -> float:
        return self.weight.get(place, 0.0)

    def s(self, j: int, k: int) -> float:
        fresh = float(j == k) if self.kind == 3 else 1.0
        return self.second.get((j, k), fresh)

    def score(self, shown: Sequence[Shown]) -> float:
        return summed((place[1], self.w(place) * x) for place, x in self.x(shown).items())

    def learn(self, shown: Sequence[Shown], y: float, weight: float) -> None:
        score, x = self.score(shown), self.x(shown)
        if not y * score < 1.0:
            return
        r, lack = self.setting / weight, y * (1.0 - y * score)
        if self.kind == 3:
            self.learn_matrix([x[0, i] for i in range(len(x))], lack, r)
            return
        doubt = summed((p[1], (self.s(*p) * own) * own) for p, own in x.items())
        c, e = lack / (doubt + r), weight / self.setting
        for place, own in x.items():
            s = self.s(*place)
            self.weight[place] = self.w(place) + (c * own) * s
            self.second[place] = s / (1.0 + (s * own) * (e * own))

    def learn_matrix(self, z: Sequence[float], lack: float, r: float) -> None:
        v = [0.0] * len(z)
        for j in range(len(z)):
            for k in range(j + 1):
                v[k] += self.s(j, k) * z[j]
            v[j] += summed((k, self.s(j, k) * z[k]) for k in range(j))
        doubt = summed((i, z[i] * v[i]) for i in range(len(z)))
        shrink = 1.0 / (max(doubt, 0.0) + r)
        for j in range(len(z)):
            for k in range(j + 1):
                self.second[j, k] = self.s(j, k) - (shrink * v[j]) * v[k]
        for i in range(len(z)):
            self.weight[0, i] = self.w((0, i)) + (lack * shrink) * v[i]

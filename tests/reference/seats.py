"""The slow twin of the Committee's seats: standardised columns, and what is learned from them.

In double precision. Sums run in four parts, place by place modulo four, which meet at the end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tests.reference.engine import Row

KINDS = (
    ("arow", "standard"),
    ("arow", "squares"),
    ("means", "standard"),
    ("arow", "pairs"),
    ("matrix", "standard"),
    ("arow", "hats"),
)
MOST = (1024, 1024, 1024, 128, 128, 128)
Place = tuple[int, int]


def logarithm(x: float) -> float:
    """ln x as k ln 2 + 2 artanh((m - 1)/(m + 1)), x = 2^k m."""
    m, k = math.frexp(x)
    m, k = 2.0 * m, k - 1
    if m > math.sqrt(2.0):
        m, k = 0.5 * m, k + 1
    t, total = (m - 1.0) / (m + 1.0), 0.0
    for i in range(23, 0, -2):
        total = total * (t * t) + 1.0 / i
    return 2.0 * (t * total) + k * 0.6931471805599453


def summed(parts: Iterable[tuple[int, float]]) -> float:
    """The sum of parts, each with its place."""
    four = [0.0, 0.0, 0.0, 0.0]
    for place, part in parts:
        four[place % 4] += part
    return (four[0] + four[1]) + (four[2] + four[3])


class Shown(NamedTuple):
    """What is seen of a column: standardised, and squared minus 1; as it came.

    Its mean with this row, and one over its deviation, 0 if it has none.
    """

    z: float
    square: float
    raw: float = 0.0
    mean: float = 0.0
    inverse: float = 0.0

    def hats(self) -> list[float]:
        """Eight functions of z: 1 at -1.75, -1.25 and so on, 0 half a unit away."""
        if self.inverse == 0.0:
            return [0.0] * 8
        place = max(0.0, min(7.0, (self.z + 1.75) * 2.0))
        k = min(6, int(place))
        part = place - k
        return [1.0 - part if i == k else part if i == k + 1 else 0.0 for i in range(8)]


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
            raw, mean = row.get(i, 0.0), self.mean[i] + away * (1.0 / (self.rows + 1.0))
            if variance > 1e-280:
                z = max(-4.0, min(4.0, near / math.sqrt(variance)))
                shown.append(Shown(z, z * z - 1.0, raw, mean, 1.0 / math.sqrt(variance)))
            else:
                shown.append(Shown(0.0, 0.0, raw, mean))
        return shown

    def remember(self, row: Row) -> None:
        for i in self.mean:
            away, near = self.distances(row, i)
            self.mean[i] += away * (1.0 / (self.rows + 1.0))
            self.squares[i] += away * near
        self.rows += 1.0


class Seat:
    """A member for narrow streams: weights and variances by place, a matrix, or class means."""

    def __init__(self, kind: int, setting: float) -> None:
        self.kind = kind
        self.setting = setting
        self.most_columns = MOST[kind]
        self.weight: dict[Place, float] = {}
        self.second: dict[Place, float] = {}
        # Under -1 and +1: what the rows weigh, and the mean of each column.
        self.masses = [0.0, 0.0]
        self.means: tuple[dict[int, float], dict[int, float]] = ({}, {})

    def x(self, shown: Sequence[Shown]) -> dict[Place, float]:
        """What is multiplied with the weights; a place is a row and a column."""
        z = [own.z for own in shown[: self.most_columns + 1]]
        if self.kind == 1:
            return {(0, i): own.square for i, own in enumerate(shown)}
        if self.kind == 3:
            return {(j, k): z[j] * z[k] for j in range(len(z)) for k in range(j + 1)}
        if self.kind == 5:
            hats = [[1.0] + [0.0] * 7, *(own.hats() for own in shown[1 : len(z)])]
            return {(j, k): x for j, own in enumerate(hats) for k, x in enumerate(own)}
        return {(0, i): own for i, own in enumerate(z)}

    def w(self, place: Place) -> float:
        return self.weight.get(place, 0.0)

    def s(self, j: int, k: int) -> float:
        fresh = float(j == k) if self.kind == 4 else 1.0
        return self.second.get((j, k), fresh)

    def kept(self, slots: int) -> tuple[list[float], list[float]]:
        """Weights and second numbers of so many slots, as they are saved."""
        line: list[Place] = [(0, i) for i in range(slots)]
        triangle = [(j, k) for j in range(slots) for k in range(j + 1)]
        if self.kind == 2:
            means = ([own.get(i, 0.0) for i in range(1, slots)] for own in self.means)
            seconds = [[mass, *own] for mass, own in zip(self.masses, means, strict=True)]
            return [self.w(place) for place in line], seconds[0] + seconds[1]
        if self.kind == 5:
            line = [(j, k) for j in range(slots) for k in range(8)]
        places = triangle if self.kind == 3 else line
        others = triangle if self.kind in (3, 4) else line
        return [self.w(place) for place in places], [self.s(*place) for place in others]

    def score(self, shown: Sequence[Shown]) -> float:
        return summed((place[1], self.w(place) * x) for place, x in self.x(shown).items())

    def learn(self, shown: Sequence[Shown], y: float, weight: float) -> None:
        if self.kind == 2:
            self.learn_class_means(shown, y, weight)
            return
        score, x = self.score(shown), self.x(shown)
        if not y * score < 1.0:
            return
        r, lack = self.setting / weight, y * (1.0 - y * score)
        if self.kind == 4:
            self.learn_matrix([x[0, i] for i in range(len(x))], lack, r)
            return
        doubt = summed((p[1], (self.s(*p) * own) * own) for p, own in x.items())
        c, e = lack / (doubt + r), weight / self.setting
        for place, own in x.items():
            s = self.s(*place)
            self.weight[place] = self.w(place) + (c * own) * s
            self.second[place] = s / (1.0 + (s * own) * (e * own))

    def learn_class_means(self, shown: Sequence[Shown], y: float, weight: float) -> None:
        """The difference of the classes' means, over the variance within them."""
        own = int(y > 0)
        self.masses[own] += weight
        masses, before = self.masses, self.setting
        whole = masses[0] + masses[1]
        between = masses[0] * masses[1] / whole / (whole + before)
        kept = [mass / (mass + before) for mass in masses]
        levels = []
        for i, column in enumerate(shown[: self.most_columns + 1]):
            if i == 0:
                continue
            mean = self.means[own].get(i, 0.0)
            self.means[own][i] = mean + (column.raw - mean) * (weight / masses[own])
            low, high = (
                max(-4.0, min(4.0, (own_means.get(i, 0.0) - column.mean) * column.inverse))
                for own_means in self.means
            )
            within = max(0.05, 1.0 - between * ((high - low) * (high - low)))
            low, high = low * kept[0], high * kept[1]
            self.weight[0, i] = (high - low) / within
            levels.append((i, self.weight[0, i] * (high + low)))
        odds = logarithm(masses[1] + 1.0) - logarithm(masses[0] + 1.0)
        self.weight[0, 0] = odds - 0.5 * summed(levels)

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

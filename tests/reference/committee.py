"""The slow twin of `kernels/engines/committee.pyx`: members and their mixture, number by number.

The members compute in single precision (`np.float32` scalars round after every operation), the
mixture in double. The exponential is spelled out: that of the C library differs between machines.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from tests.reference.engine import Player, Row
from tests.reference.seats import KINDS, Seat, Shown, StandardColumns, logarithm

Spec = tuple[str, str, float]
Key = int | str
View = dict[Key, np.float32]
Steps = dict[Key, tuple[np.float32, np.float32]]
F = np.float32
START = {"arow": F(1.0), "adagrad": F(1e-20), "means": F(1.0)}
LEVEL = 0.25


def exponential(x: float) -> float:
    """e^x as 2^k times the Taylor sum of e^r up to r^12/12!, |r| <= ln(2)/2."""
    shifter = 1.5 * 2.0**52
    k = (x * 1.4426950408889634 + shifter) - shifter
    r = (x - k * 0.6931471803691238) - k * 1.9082149292705877e-10
    total = 1.0 / math.factorial(12)
    for n in range(11, -1, -1):
        total = total * r + 1.0 / math.factorial(n)
    (pattern,) = struct.unpack("<q", struct.pack("<d", total))
    (result,) = struct.unpack("<d", struct.pack("<q", pattern + (int(k) << 52)))
    return float(result)


def inverse(size: float) -> float:
    """1/size as C has it: a number so small that it has no inverse counts as 0."""
    return 1.0 / size if size >= 2.0**-1024 else math.inf


def clipped(x: float, most: float) -> float:
    return max(-most, min(most, x))


class Sums(NamedTuple):
    """What a step depends on beside the row: y s, the doubt, and the mean of the labels before."""

    margin: np.float32
    doubt: np.float32
    mean: float
    weight: float


@dataclass
class Member:
    """A weight and a second number for each feature; "bias" is the constant feature."""

    rule: str
    rows: str
    setting: np.float32
    weight: View = field(default_factory=dict)
    second: View = field(default_factory=dict)

    def w(self, i: Key) -> np.float32:
        return self.weight.get(i, F(0.0))

    def s(self, i: Key) -> np.float32:
        return self.second.get(i, START[self.rule])

    def score(self, x: View) -> np.float32:
        total = F(0.0)
        for i, v in x.items():
            total = total + self.w(i) * v
        return total

    def doubt(self, x: View) -> np.float32:
        total = F(0.0)
        for i, v in x.items():
            total = total + (self.s(i) * v) * v
        return total

    def learn(self, x: View, y: int, mean: float, weight: float) -> None:
        """One step of the rule; sums are over the row as it was before."""
        score, doubt, label = self.score(x), self.doubt(x), F(y)
        step = {"arow": self.arow, "adagrad": self.adagrad, "means": self.means}[self.rule]
        for i, change in step(x, label, Sums(label * score, doubt, mean, weight)).items():
            self.weight[i], self.second[i] = change

    def arow(self, x: View, label: np.float32, sums: Sums) -> Steps:
        margin, doubt = sums.margin, sums.doubt
        if margin >= F(1.0):
            return {}
        weight = F(sums.weight)
        c = label * (F(1.0) - margin) / (doubt + self.setting / weight)
        e = weight / self.setting
        return {
            i: (
                self.w(i) + (c * v) * self.s(i),
                self.s(i) / (F(1.0) + (self.s(i) * v) * (e * v)),
            )
            for i, v in x.items()
        }

    def adagrad(self, x: View, label: np.float32, sums: Sums) -> Steps:
        g = F(sums.weight / (1.0 + exponential(clipped(float(sums.margin), 30.0))))
        c = self.setting * label * g
        squares = {i: self.s(i) + (g * v) * (g * v) for i, v in x.items()}
        return {i: (self.w(i) + (c * v) / np.sqrt(squares[i]), squares[i]) for i, v in x.items()}

    def means(self, x: View, label: np.float32, sums: Sums) -> Steps:
        c = F(sums.weight * (float(label) - sums.mean))
        e = F(sums.weight * max(0.01, 1.0 - sums.mean * sums.mean))
        counts = {i: self.s(i) + abs(e * v) for i, v in x.items()}
        return {
            i: (self.w(i) + (c * v - self.w(i) * abs(e * v)) / counts[i], counts[i])
            for i, v in x.items()
        }


class Committee(Player):
    """Members for rows of any width, then those for narrow streams; combinations; the mixture."""

    def __init__(self, members: Sequence[Spec]) -> None:
        super().__init__()
        n = len(members)
        lanes = [spec for spec in members if spec[:2] not in KINDS]
        seats = [spec for spec in members if spec[:2] in KINDS]
        self.members = [Member(rule, rows, F(setting)) for rule, rows, setting in lanes]
        self.seats = [Seat(KINDS.index((rule, rows)), float(s)) for rule, rows, s in seats]
        self.columns = StandardColumns(closed=not seats)
        self.n = n
        self.shrink: dict[int, float] = {}
        self.rounds = 0.0
        self.mass = 0.0
        self.label_sum = 0.0
        self.square = [0.0] * n
        self.slope = [0.5] * n
        self.curvature = [1.0] * n
        # A member in a seat counts as much as eight in lanes.
        counts = [1.0] * len(lanes) + [8.0] * len(seats)
        start = [own / sum(counts) for own in counts]
        # The constant comes before the members.
        self.share = [0.0, *start]
        self.spread = [[float(a == b) for b in range(n + 1)] for a in range(n + 1)]
        self.prior = [0.6 * own for own in start] + [0.3, 0.1]
        self.belief = list(self.prior)
        self.losses = [0.0] * (n + 3)
        self.mistakes = [0] * (n + 3)

    @property
    def present(self) -> list[int]:
        """The places of the experts who have not left."""
        members = len(self.members) + len(self.seats)
        return [*range(members), self.n, self.n + 1]

    def views(self, row: Row) -> dict[str, View]:
        """The row as each kind of member sees it, the constant feature last."""
        shrink = {i: min(self.shrink.get(i, 1e300), inverse(abs(row[i]))) for i in sorted(row)}
        squares = sizes = 0.0
        for i, factor in shrink.items():
            part = abs(row[i]) * factor
            squares, sizes = squares + part * part, sizes + abs(row[i])
        unit = 1.0 / math.sqrt(squares) if squares > 0 else 0.0
        share = 1.0 / sizes if sizes > 1e-300 else 0.0
        scaled = {i: row[i] * factor for i, factor in shrink.items()}
        presence: View = {i: F((row[i] > 0) - (row[i] < 0)) for i in shrink}
        numbers: dict[str, View] = {
            "scaled": {i: F(x) for i, x in scaled.items()},
            "presence": presence,
            "unit": {i: F(x * unit) for i, x in scaled.items()},
            "root": {i: np.sqrt(F(abs(row[i]) * share)) * presence[i] for i in shrink},
        }
        return {name: {**view, "bias": F(1.0)} for name, view in numbers.items()}

    def opinions(self, scores: Sequence[float]) -> tuple[list[float], list[float], list[float]]:
        """Standardised scores; log-odds and leanings of all experts."""
        standard: list[float] = []
        for m, s in enumerate(scores):
            square = (self.square[m] + s * s) / (self.rounds + 1.0)
            standard.append(clipped(s / math.sqrt(square), 4.0) if square > 0 else 0.0)
        odds = [clipped(self.slope[m] * f, 8.0) for m, f in enumerate(standard)]
        average, whole, best = 0.0, 0.0, self.share[0] * LEVEL
        for m, z in enumerate(odds):
            average, whole = average + self.prior[m] * z, whole + self.prior[m]
            best += self.share[1 + m] * z
        odds += [average / whole if scores else 0.0, clipped(best, 8.0)]
        leans = []
        for z in odds:
            power = exponential(-abs(z))
            leans.append(math.copysign((1.0 - power) / (1.0 + power), z) if z else 0.0)
        return standard, odds, leans

    def mixed(self, leans: Sequence[float]) -> float:
        total = 0.0
        for e, lean in zip(self.present, leans, strict=True):
            total += self.belief[e] * lean
        return total

    def scores_of(self, row: Row, shown: Sequence[Shown]) -> list[float]:
        views = self.views(row)
        lanes = [float(member.score(views[member.rows])) for member in self.members]
        return [*lanes, *(seat.score(shown) for seat in self.seats)]

    def score(self, row: Row) -> float:
        """The probability of +1 minus that of -1."""
        return self.mixed(self.opinions(self.scores_of(row, self.columns.seen(row)))[2])

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """Members first, each by itself; then beliefs, combination and slopes; who must, leaves."""
        weight = self.importance
        for i, x in row.items():
            self.shrink[i] = min(self.shrink.get(i, 1e300), inverse(abs(x)))
        self.columns.admit(row)
        shown, views, y = self.columns.seen(row), self.views(row), float(label)
        scores = self.scores_of(row, shown)
        n = len(scores)
        standard, odds, leans = self.opinions(scores)
        mixed = self.mixed(leans)
        for e in range(self.n + 3):
            left = n <= e < self.n or e == self.n + 2
            lean = mixed if left else leans[e if e < n else e - self.n + n]
            own = scores[e] if e < n else lean
            self.losses[e] -= math.log(0.5 + 0.5 * y * lean)
            self.mistakes[e] += (own >= 0) != (label > 0)
        mean = self.label_sum / (self.mass + 2.0)
        for member in self.members:
            member.learn(views[member.rows], label, mean, weight)
        for seat in self.seats:
            seat.learn(shown, y, weight)
        self.columns.remember(row)
        self.believe(leans, y, weight)
        self.combine(odds[:n], leans[n + 1], y, weight)
        for m, (f, lean) in enumerate(zip(standard, leans[:n], strict=True)):
            self.square[m] += scores[m] * scores[m]
            self.curvature[m] += weight * (0.25 * (1.0 - lean * lean)) * (f * f)
            self.slope[m] += weight * (0.5 * (y - lean)) * f / self.curvature[m]
            self.slope[m] = max(self.slope[m], 0.01)
        self.rounds += 1.0
        self.mass += weight
        self.label_sum += weight * y
        self.let_go()
        return False

    def believe(self, leans: Sequence[float], y: float, weight: float) -> None:
        factors = [1.0 + y * lean for lean in leans]
        if weight != 1.0:
            logs = [logarithm(0.5 * factor) for factor in factors]
            best = max(logs)
            factors = [exponential(max(weight * (own - best), -700.0)) for own in logs]
        forget = 1.0 / (self.rounds + 2.0)
        posterior = [self.belief[e] * f for e, f in zip(self.present, factors, strict=True)]
        total = whole = 0.0
        for e, own in zip(self.present, posterior, strict=True):
            total, whole = total + own, whole + self.prior[e]
        for e, own in zip(self.present, posterior, strict=True):
            self.belief[e] = (1.0 - forget) * (own / total) + forget * (self.prior[e] / whole)

    def let_go(self) -> None:
        """Those leave for whom there are too many columns."""
        staying = [seat for seat in self.seats if len(self.columns) <= seat.most_columns]
        if self.columns.overflow:
            staying = []
            self.columns = StandardColumns(closed=True)
        if len(staying) == len(self.seats):
            return
        before = len(self.members) + len(self.seats)
        self.seats = staying
        for m in range(len(self.members) + len(staying), before):
            self.belief[m] = self.share[1 + m] = 0.0
            for k in range(self.n + 1):
                self.spread[1 + m][k] = self.spread[k][1 + m] = 0.0
        total = 0.0
        for own in self.belief:
            total += own
        self.belief = [own / total for own in self.belief]

    def combine(self, odds: Sequence[float], lean: float, y: float, weight: float) -> None:
        """Newton's step for the weights of the combination."""
        x = [LEVEL, *odds]
        n = len(x)
        pull, bend = weight * (0.5 * (y - lean)), weight * (0.25 * (1.0 - lean * lean))
        moved = [0.0] * n
        for k in range(n):
            for m in range(n):
                moved[m] += self.spread[k][m] * x[k]
        doubt = 0.0
        for m in range(n):
            doubt += moved[m] * x[m]
        rate = 1.0 / (1.0 + bend * max(doubt, 0.0))
        for m in range(n):
            self.share[m] += pull * rate * moved[m]
        for k in range(n):
            part = bend * rate * moved[k]
            for m in range(n):
                self.spread[k][m] -= part * moved[m]

"""The slow twin of `kernels/engines/modified_balanced_winnow.pyx`.

Carvalho and Cohen (2006), section 2, as the paper prints it, but for the logarithms in which the
weights are kept.
"""

from __future__ import annotations

import math

from tests.reference.engine import Player, Row

BIAS = -1
LARGEST = 300.0


def bounded(logarithm: float) -> float:
    return max(-LARGEST, min(LARGEST, logarithm))


class ModifiedBalancedWinnow(Player):
    """Models u and v, as logarithms; a row is divided by its sum, constant feature included."""

    threshold = 1.0

    def __init__(self, alpha: float, beta: float, margin: float) -> None:
        super().__init__()
        self.up, self.down = math.log(alpha), math.log(beta)
        self.margin = margin
        self.u: dict[int, float] = {}
        self.v: dict[int, float] = {}

    def terms(self, row: Row) -> list[tuple[int, float]]:
        return [*((i, row[i]) for i in sorted(row)), (BIAS, 1.0)]

    def size(self, row: Row) -> float:
        total = 0.0
        for _, x in self.terms(row):
            total += x
        return total

    def weight(self, i: int) -> float:
        return math.exp(self.u.get(i, math.log(2.0))) - math.exp(self.v.get(i, 0.0))

    def score(self, row: Row) -> float:
        total = 0.0
        for i, x in self.terms(row):
            total += self.weight(i) * x
        return total / self.size(row)

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        if label * (self.score(row) - self.threshold) > self.margin:
            return False
        size = self.size(row)
        for i, x in self.terms(row):
            share = x / size
            promoted, demoted = (self.u, self.v) if label > 0 else (self.v, self.u)
            start = {id(self.u): math.log(2.0), id(self.v): 0.0}
            gain = self.up + math.log1p(share)
            loss = self.down + (math.log1p(-share) if share < 1.0 else -math.inf)
            promoted[i] = bounded(promoted.get(i, start[id(promoted)]) + gain)
            demoted[i] = bounded(demoted.get(i, start[id(demoted)]) + loss)
        return True

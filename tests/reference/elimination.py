"""The slow twin of `kernels/engines/elimination.pyx`: a set of features that only shrinks."""

from __future__ import annotations

from math import inf

from tests.reference.engine import Player, Row


class Elimination(Player):
    """The features that were off in every negative row that was got wrong."""

    threshold = 1.0
    normalized = False

    def __init__(self, n_features: int) -> None:
        super().__init__()
        self.n_features = n_features
        self.hypothesis = set(range(n_features))

    def score(self, row: Row) -> float:
        """The number of active features in the hypothesis."""
        return float(len(self.hypothesis & set(row)))

    plain_sum = score

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """A false positive removes the active features."""
        if mistake and label < 0:
            self.hypothesis -= set(row)
        return mistake

    def weight(self, i: int) -> float:
        return 1.0 if i in self.hypothesis else 0.0

    @property
    def duals(self) -> list[float]:
        """0 for a member, minus infinity for the rest."""
        return [0.0 if i in self.hypothesis else -inf for i in range(self.n_features)]

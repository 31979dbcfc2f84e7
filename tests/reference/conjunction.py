"""The slow twin of `kernels/engines/conjunction.pyx`: a set of variables that only shrinks."""

from __future__ import annotations

from math import inf

from tests.reference.engine import Player, Row


class Conjunction(Player):
    """The variables that were on in every positive row that was got wrong."""

    def __init__(self, n_features: int) -> None:
        super().__init__()
        self.n_features = n_features
        self.hypothesis = set(range(n_features))

    def score(self, row: Row) -> float:
        """Minus the number of variables of the hypothesis that are off."""
        return -float(len(self.hypothesis - set(row)))

    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """A false negative keeps the variables that are on."""
        if mistake and label > 0:
            self.hypothesis &= set(row)
        return mistake

    def dual(self) -> list[float]:
        """0 for a member, minus infinity for the rest."""
        return [0.0 if i in self.hypothesis else -inf for i in range(self.n_features)]

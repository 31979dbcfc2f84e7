"""The slow twin of `kernels/engines/engine.pyx`: predict, compare, update, row after row."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

Row = Mapping[int, float]


class Player(ABC):
    """A learner in plain Python: how it scores a row and what a round does to it."""

    threshold: float = 0.0
    #: What is done to a row first: "l2", "l1", "max" or "online".
    scaling: str | None = None
    #: What the classes weigh, the negative one first.
    class_weight: tuple[float, float] = (1.0, 1.0)

    def __init__(self) -> None:
        self.n_rounds = 0
        self.false_negatives = 0
        self.false_positives = 0
        self.journal: list[tuple[int, dict[int, float], int]] = []
        self.largest_seen: dict[int, float] = {}
        #: The weight of the example that is being learned, times that of its class.
        self.importance = 1.0

    @abstractmethod
    def score(self, row: Row) -> float:
        """The score, before the label is known."""

    @abstractmethod
    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """Change the state after a round; whether the round belongs in the journal."""

    def scaled(self, row: Row) -> dict[int, float]:
        """The row that the learner sees."""
        if self.scaling is None:
            return dict(row)
        if self.scaling == "online":
            return {i: x / max(self.largest_seen.get(i, 0.0), abs(x)) for i, x in row.items()}
        largest = max(map(abs, row.values()), default=1.0)
        by_largest = {i: row[i] / largest for i in sorted(row)}
        size = 0.0
        for x in by_largest.values():
            size += x * x if self.scaling == "l2" else abs(x)
        size = {"l2": math.sqrt(size), "l1": size, "max": 1.0}[self.scaling]
        return {i: x / size for i, x in by_largest.items()}

    def play(self, row: Row, label: int, importance: float = 1.0) -> float:
        """One round; the score taken before the label was used."""
        given, row = row, self.scaled(row)
        score = self.score(row)
        prediction = 1 if score >= self.threshold else -1
        mistake = prediction != label
        self.false_negatives += mistake and label > 0
        self.false_positives += mistake and label < 0
        self.importance = importance * self.class_weight[label > 0]
        if self.importance > 0.0 and self.update(row, label, mistake):
            self.journal.append((self.n_rounds, dict(given), label))
            for i, x in given.items():
                self.largest_seen[i] = max(self.largest_seen.get(i, 0.0), abs(x))
        self.n_rounds += 1
        return score

    def learn(self, examples: Iterable[tuple[Row, int]]) -> list[float]:
        """The scores of a run."""
        return [self.play(row, label) for row, label in examples]

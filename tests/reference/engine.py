"""The slow twin of `kernels/engine.pyx`: predict, compare, update, one row after another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

Row = Mapping[int, float]


class Player(ABC):
    """A learner in plain Python: how it scores a row and what a round does to it."""

    threshold: float = 0.0

    def __init__(self) -> None:
        self.n_rounds = 0
        self.false_negatives = 0
        self.false_positives = 0
        self.journal: list[tuple[int, dict[int, float], int]] = []

    @abstractmethod
    def score(self, row: Row) -> float:
        """The score, before the label is known."""

    @abstractmethod
    def update(self, row: Row, label: int, mistake: bool) -> bool:
        """Change the state after a round; whether the round belongs in the journal."""

    def play(self, row: Row, label: int) -> float:
        """One round; the score taken before the label was used."""
        score = self.score(row)
        prediction = 1 if score >= self.threshold else -1
        mistake = prediction != label
        self.false_negatives += mistake and label > 0
        self.false_positives += mistake and label < 0
        if self.update(row, label, mistake):
            self.journal.append((self.n_rounds, dict(row), label))
        self.n_rounds += 1
        return score

    def learn(self, examples: Iterable[tuple[Row, int]]) -> list[float]:
        """The scores of a run."""
        return [self.play(row, label) for row, label in examples]

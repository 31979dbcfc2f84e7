"""The slow twin of `kernels/engines/multiclass_engine.pyx`: score every class, compare, update."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping

Row = Mapping[int, float]


class ClassPlayer(ABC):
    """A learner with several classes in plain Python; classes are 0, 1, 2, ... as they appear."""

    def __init__(self, n_classes: int = 0, bias: bool = False) -> None:
        self.n_classes = n_classes
        self.bias = bias
        self.n_rounds = 0
        self.mistakes = 0
        self.updates = 0
        self.journal: list[tuple[int, dict[int, float], int]] = []
        #: Features that some update has touched; the constant feature is -1.
        self.touched: set[int] = set()

    @abstractmethod
    def weight(self, r: int, i: int) -> float:
        """The weight of a feature for a class."""

    @abstractmethod
    def update(self, row: Row, label: int, scores: list[float]) -> bool:
        """Change the weights after a round; whether any changed."""

    def score(self, row: Row, r: int) -> float:
        """<w_r, x>, summed over increasing columns, the bias last."""
        total = 0.0
        for i in sorted(row):
            if i in self.touched:
                total += row[i] * self.weight(r, i)
        return total + self.weight(r, -1) if self.bias else total

    def entries(self, row: Row) -> list[tuple[int, float]]:
        """The features of a row, the constant one last."""
        return [*sorted(row.items()), *([(-1, 1.0)] if self.bias else [])]

    def blame(self, label: int, scores: list[float], spread: bool) -> dict[int, float]:
        """+1 for the label and -1 for those that won against it; nothing if the label won."""
        others = [r for r in range(len(scores)) if r != label]
        if not others or best(scores) == label:
            return {}
        ahead = [r for r in others if scores[r] >= scores[label]]
        if not spread:
            ahead = [max(others, key=scores.__getitem__)]
        return {label: 1.0} | {r: -1.0 / len(ahead) for r in ahead}

    def play(self, row: Row, label: int) -> tuple[int, float]:
        """One round: the class predicted, or -1, and its score."""
        scores = [self.score(row, r) for r in range(self.n_classes)]
        predicted = best(scores)
        new = label == self.n_classes
        if new:
            self.n_classes += 1
            scores.append(self.score(row, label))
        changed = self.update(row, label, scores)
        self.mistakes += predicted != label
        self.updates += changed
        if changed or new:
            self.journal.append((self.n_rounds, dict(sorted(row.items())), label))
        self.n_rounds += 1
        return predicted, scores[predicted] if predicted >= 0 else 0.0

    def learn(self, examples: Iterable[tuple[Row, int]]) -> list[tuple[int, float]]:
        """The predictions of a run."""
        return [self.play(row, label) for row, label in examples]


def best(scores: list[float]) -> int:
    """The class of the largest score, the first of several; -1 if there is none."""
    return scores.index(max(scores)) if scores else -1

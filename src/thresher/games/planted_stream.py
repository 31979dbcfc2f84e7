"""PlantedStream: rows with the secret behind them and what they are meant to do to a learner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from thresher.games.targets import Target
from thresher.streams import Batch, Rows


@dataclass(frozen=True, slots=True)
class PlantedStream:
    """A labelled stream with its hidden target and the mistakes it forces.

    >>> from thresher.games import greedy_winnow
    >>> stream = greedy_winnow(n_features=16, r=1)
    >>> print(stream.target, stream.forced, stream.bound, stream.consistent)
    x0 10 10 True
    """

    name: str
    summary: str
    batch: Batch
    #: The learner the construction is aimed at.
    victim: str
    n_features: int
    #: What labels the rows; None where no target is claimed.
    target: Target | None
    #: Mistakes (for thick learners: updates) of the victim on the batch.
    forced: int
    #: What the theorem about the victim allows; None where none applies.
    bound: Fraction | float | None
    #: Whether the batch is one pass, to be repeated until a pass is free of mistakes.
    cycled: bool = False
    #: Equal consecutive pieces meant for workers that start from the same state.
    shards: int = 1

    def contradictions(self) -> NDArray[np.int64]:
        """The rounds that the declared target does not allow."""
        if self.target is None:
            return np.zeros(0, np.int64)
        return self.target.contradictions(self.batch)

    @property
    def consistent(self) -> bool:
        """Whether the declared target allows every round, checked exactly."""
        return len(self.contradictions()) == 0

    def pieces(self) -> tuple[Batch, ...]:
        """The shards, one batch each."""
        size = len(self.batch) // self.shards
        return tuple(self.batch[i * size : (i + 1) * size] for i in range(self.shards))

    def __len__(self) -> int:
        return len(self.batch)

    def __repr__(self) -> str:
        return f"PlantedStream({self.name!r}, {len(self)} rounds, {self.forced} mistakes forced)"


@dataclass(frozen=True, slots=True)
class MulticlassStream:
    """A stream whose labels are classes 0 to k-1, with weights that classify it."""

    name: str
    summary: str
    rows: Rows
    label: tuple[int, ...]
    n_classes: int
    n_features: int
    #: One weight row per class, as (class, feature) to weight.
    weights: dict[tuple[int, int], Fraction]
    forced: int
    bound: Fraction | float | None

    def examples(self) -> Iterator[tuple[dict[int, float], int]]:
        """Each row as a dict, with its class."""
        return zip(self.rows, self.label, strict=True)

    def scores(self, features: dict[int, float]) -> list[Fraction]:
        """What the weights say about each class, exactly."""
        return [
            sum(
                (self.weights.get((c, i), Fraction(0)) * Fraction(v) for i, v in features.items()),
                Fraction(0),
            )
            for c in range(self.n_classes)
        ]

    @property
    def consistent(self) -> bool:
        """Whether in every round the label's class alone has the highest score."""
        for features, label in self.examples():
            scores = self.scores(features)
            right = scores.pop(label)
            if scores and max(scores) >= right:
                return False
        return True

    def __len__(self) -> int:
        return len(self.label)

"""Who is compared: each gives the class it predicts for every row before it learns from it.

Everybody sees the rows once, in the same order, with the settings it has by default. Sets of
more than two classes are learned one against the rest, by those who leave the choice to us.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy.datasets import Dataset

Classes = NDArray[np.int64]
Play = Callable[[Dataset], Classes]

#: Ours, the heading of its column.
OURS = "Committee"


def every_set(data: Dataset) -> bool:
    """Nobody is left out."""
    return True


def sets_of_counts(data: Dataset) -> bool:
    """Words that were counted: they may also be given once each, or as often as they occur."""
    return data.counts


@dataclass(frozen=True, slots=True)
class Competitor:
    """A name for the table, how it plays, the sets it is asked to play, and how many orders."""

    name: str
    play: Play
    plays: Callable[[Dataset], bool] = every_set
    slow: bool = False

    def error(self, data: Dataset) -> float:
        """The share of rows whose class was not foreseen."""
        return float(np.mean(self.play(data) != data.classes))


def chosen(everybody: Iterable[Competitor], names: str) -> list[Competitor]:
    """Those whose names begin with one of the words, which commas separate."""
    return [who for who in everybody if who.name.startswith(tuple(names.split(",")))]

"""How many features share a column, and how much of the model's weight lies there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.names.kept import KeptNames


@dataclass(frozen=True, slots=True)
class SharedColumn:
    """A column that several names fall on."""

    column: int
    weight: float
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collisions:
    """What is known of features that share a column.

    It is known of names that were kept, so that all counts are lower limits where names were
    dropped (`at_least`). Features that are numbers have no names and are not among them.
    """

    n_columns: int
    #: Names of features that were in updates, also where the weight is 0 again: two names of
    #: one column can cancel, and to leave them out would make collisions look rare.
    named: int
    #: How many of these share their column with another of them.
    sharing: int
    #: The absolute weight in shared columns, as a share of that in all columns with names.
    weight_share: float
    #: The shared columns with the largest absolute weights.
    worst: tuple[SharedColumn, ...]
    #: Whether names were dropped, so that there may be more.
    at_least: bool

    @property
    def expected_sharing(self) -> float:
        """How many would share, on average, if so many names fell on columns at random.

        >>> round(Collisions(365, 23, 2, 0.1, (), False).expected_sharing, 4)
        1.3471
        """
        if self.named < 2 or self.n_columns < 2:
            return float(self.named if self.named > 1 else 0)
        alone = (self.named - 1) * math.log1p(-1 / self.n_columns)
        return -self.named * math.expm1(alone)

    def __str__(self) -> str:
        least = "at least " if self.at_least else ""
        return (
            f"{least}{self.sharing} of {self.named} named features share one of {self.n_columns} "
            f"columns with another (at random: {self.expected_sharing:.1f}); "
            f"{least}{self.weight_share:.2%} of the weight is in shared columns"
        )


def collisions(kept: KeptNames, weights: NDArray[np.float64], n_worst: int = 10) -> Collisions:
    """Which of the names that were kept share a column, given the weights of the columns.

    >>> from thresher.kernels.rows.named_rows import NameTable
    >>> kept = KeptNames(NameTable(8, True))
    >>> kept.add([["free", "cash", "lunch", "noon"]])
    >>> print(collisions(kept, np.array([0, -3, 0, 0, 0, 0.5, 0.5, 0])))
    2 of 4 named features share one of 8 columns with another (at random: 1.3); \
75.00% of the weight is in shared columns
    """
    named = {column: names for column, names in kept.columns().items() if column < len(weights)}
    shared = [
        SharedColumn(column, float(weights[column]), tuple(names))
        for column, names in named.items()
        if len(names) > 1
    ]
    shared.sort(key=lambda one: (-abs(one.weight), one.column))
    whole = math.fsum(abs(float(weights[column])) for column in named)
    lost = math.fsum(abs(one.weight) for one in shared)
    return Collisions(
        n_columns=len(weights),
        named=sum(len(names) for names in named.values()),
        sharing=sum(len(one.names) for one in shared),
        weight_share=lost / whole if whole else 0.0,
        worst=tuple(shared[:n_worst]),
        at_least=kept.dropped > 0,
    )

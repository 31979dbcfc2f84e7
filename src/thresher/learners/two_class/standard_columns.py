"""StandardColumns: a row of a narrow stream as the members in seats of a Committee see it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.records import record

#: How many standard deviations a value may be seen away from the mean.
FARTHEST = 4.0
#: Through so many hats a column is seen; where the first of them is 1, the others 1/2 apart.
HATS, FIRST_HAT = 8, -1.75
#: Below this a variance counts as none.
LEAST = 1e-280


@record(eq=False)
class StandardColumns:
    r"""The columns of a stream in slots, by first appearance, with what standardises them.

    With mean :math:`m`, sum of squared distances :math:`q` and :math:`n` rows so far, a value
    :math:`x` (0 where the row does not have the column) is seen as

    .. math:: z = \frac{(x - m)\,n/(n+1)}{\sqrt{(q + (x - m)^2\,n/(n+1))/(n+1)}},

    that is, minus the mean and over the standard deviation that the column has with this row
    in it; at most 4 away from 0. A column that has had one value only is not seen: it is 0. The
    constant comes first, and is 1.

    Examples
    --------
    >>> known = StandardColumns(np.array([7]), np.array([2.0]), np.array([4.0]), 3.0)
    >>> known.views({7: 4.0})["standard"].tolist(), known.views({})["standard"].tolist()
    ([1.0, 1.1338934190276817], [1.0, -1.1338934190276817])
    >>> known.views({7: 4.0})["pairs"].tolist()
    [1.0, 1.1338934190276817, 1.2857142857142858]
    >>> known.views({7: 4.0})["hats"][8:].round(2).tolist()
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.23, 0.77, 0.0]
    """

    #: The column of each slot but the first, which is the constant.
    columns: NDArray[np.int32]
    mean: NDArray[np.float64]
    #: The sum of the squared distances from the mean.
    squares: NDArray[np.float64]
    #: How many rows these are of.
    rows: float

    def views(self, row: dict[int, float]) -> dict[str, NDArray[np.float64]]:
        """What members multiply with their weights, the constant first, by the name of the view.

        "standard" is z, "squares" is z^2 - 1, and "pairs" has all products of two of z, of each
        slot with those up to itself. "hats" has eight numbers for each slot, of which two that
        are neighbours are not 0, and 1 together; for the constant it is the first that is 1.
        """
        value = np.array([row.get(int(column), 0.0) for column in self.columns], np.float64)
        share = 1.0 / (self.rows + 1.0)
        away = value - self.mean
        near = away * (self.rows * share)
        variance = (self.squares + away * near) * share
        varied = variance > LEAST
        root = np.sqrt(np.where(varied, variance, 1.0))
        z = np.where(varied, np.clip(near / root, -FARTHEST, FARTHEST), 0.0)
        squares = np.where(varied, z * z - 1.0, 0.0)
        standard = np.concatenate([[1.0], z])
        one, other = np.tril_indices(len(standard))
        return {
            "standard": standard,
            "squares": np.concatenate([[1.0], squares]),
            "pairs": standard[one] * standard[other],
            "hats": hats(z, varied),
        }


def hats(z: NDArray[np.float64], varied: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Columns through their hats, those that have varied; the constant comes first."""
    place = np.clip((z - FIRST_HAT) * 2.0, 0.0, HATS - 1.0)
    below = np.minimum(place.astype(np.int64), HATS - 2)
    part, slot = place - below, np.arange(1, len(z) + 1)
    found = np.zeros((len(z) + 1, HATS))
    found[slot, below] = np.where(varied, 1.0 - part, 0.0)
    found[slot, below + 1] = np.where(varied, part, 0.0)
    found[0, 0] = 1.0
    return found.ravel()


def in_four_parts(rows: str, parts: NDArray[np.float64]) -> float:
    """The sum in the order of the kernel: four sums side by side, which meet at the end.

    A row of pairs begins at a multiple of four.
    """
    if rows != "pairs":
        return _met(_fours(parts))
    n = int((np.sqrt(8.0 * len(parts) + 1.0) - 1.0) / 2.0 + 0.5)
    starts = np.cumsum(np.arange(n))
    return _met(np.vstack([_fours(parts[s : s + j + 1]) for j, s in enumerate(starts)]))


def _fours(parts: NDArray[np.float64]) -> NDArray[np.float64]:
    padded = np.zeros(4 * -(-len(parts) // 4))
    padded[: len(parts)] = parts
    return padded.reshape(-1, 4)


def _met(fours: NDArray[np.float64]) -> float:
    a, b, c, d = np.cumsum(fours, axis=0)[-1].tolist()
    return float((a + b) + (c + d))

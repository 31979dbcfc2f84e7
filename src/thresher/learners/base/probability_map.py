"""How scores become probabilities, as plain numbers that can be carried away."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.records import record

#: A curve is cut off here: beyond, doubles say 0 or 1.
LOWEST_ODDS, HIGHEST_ODDS = -700.0, 36.0


@record(eq=False)
class Steps:
    """A probability for each stretch of scores.

    Examples
    --------
    >>> steps = Steps(np.array([0.0, 1.0]), np.array([0.1, 0.5, 0.9]))
    >>> steps.probabilities(np.array([-1.0, 0.0, 0.5, 1.0])).tolist()
    [0.1, 0.5, 0.5, 0.9]
    """

    #: Where the probability changes, increasing.
    edges: NDArray[np.float64]
    #: The probability where 0, 1, 2, ... of the edges are at most the score.
    shares: NDArray[np.float64]

    def probabilities(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of +1, from how much each score exceeds the threshold."""
        return self.shares[np.searchsorted(self.edges, margins, side="right")]


@record
class Curve:
    """1 / (1 + exp(-v)) with v = slope * score + intercept, between -700 and 36.

    >>> Curve(1.0, 0.0).probabilities(np.array([0.0, 1000.0])).tolist()
    [0.5, 0.9999999999999998]
    """

    slope: float
    intercept: float

    def probabilities(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of +1, from how much each score exceeds the threshold."""
        v = np.clip(self.slope * margins + self.intercept, LOWEST_ODDS, HIGHEST_ODDS)
        return logistic(v)


@record
class Halves:
    """(1 + score) / 2: the score is the probability of +1 minus that of -1.

    >>> Halves().probabilities(np.array([-1.0, 0.5])).tolist()
    [0.0, 0.75]
    """

    def probabilities(self, margins: NDArray[np.float64]) -> NDArray[np.float64]:
        """The probability of +1, from how much each score exceeds the threshold."""
        return (1.0 + margins) / 2.0


ProbabilityMap = Steps | Curve | Halves


def logistic(v: NDArray[np.float64]) -> NDArray[np.float64]:
    """1 / (1 + exp(-v)), without overflow."""
    small = np.exp(-np.abs(v))
    found: NDArray[np.float64] = np.where(v >= 0.0, 1.0, small) / (1.0 + small)
    return found

"""CountingThresholds: at least so many of these variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.concepts.concept_class import Code, ConceptClass
from thresher.parameters import checked_count


@dataclass(frozen=True)
class CountingThresholds(ConceptClass):
    r"""Linear thresholds with weights 0 and 1: "at least j of these r variables".

    .. math:: f_{S,j}(x) = +1 \iff \sum_{i \in S} x_i \ge j, \qquad |S| = r,\ 1 \le j \le r.

    Parameters
    ----------
    n_variables
        Number of features, :math:`n`; a feature is 0 or 1.
    r
        How many variables are counted, at least 1.
    at_least
        The threshold :math:`j`; None: every j from 1 to r.

    Each is a different function, as it depends on exactly the variables of `S` and is
    first +1 at `j` of them. There are :math:`\binom nr`, or :math:`r\binom nr` with every j.
    The thresholds 1 and r are the disjunctions and the conjunctions of r variables.

    Examples
    --------
    >>> majorities = CountingThresholds(4, r=3, at_least=2)
    >>> len(majorities), next(iter(majorities)).name
    (4, 'at least 2 of x0, x1, x2')
    >>> len(CountingThresholds(4, r=3))
    12
    """

    n_variables: int
    r: int
    at_least: int | None = None

    def __post_init__(self) -> None:
        whose = "CountingThresholds"
        n = checked_count(whose, "n_variables", self.n_variables, 1)
        r = checked_count(whose, "r", self.r, 1, n)
        object.__setattr__(self, "n_variables", n)
        object.__setattr__(self, "r", r)
        if self.at_least is not None:
            least = checked_count(whose, "at_least", self.at_least, 1, r)
            object.__setattr__(self, "at_least", least)

    @property
    def size(self) -> int:
        """C(n, r), times r when every threshold is in the class."""
        return comb(self.n_variables, self.r) * len(self._thresholds)

    @property
    def _thresholds(self) -> range:
        return (
            range(1, self.r + 1)
            if self.at_least is None
            else range(self.at_least, self.at_least + 1)
        )

    @property
    def _width(self) -> int:
        return self.r + 1

    @property
    def _largest(self) -> int:
        return self.n_variables

    def _stream(self) -> Iterator[Code]:
        return (
            (*counted, least)
            for counted in combinations(range(self.n_variables), self.r)
            for least in self._thresholds
        )

    def name_of(self, code: Code) -> str:
        """The threshold, then the variables."""
        return f"at least {code[-1]} of " + ", ".join(f"x{i}" for i in code[:-1])

    def votes(self, codes: NDArray[Any], on: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Whether enough of the counted variables are on."""
        truth = np.zeros(self.n_variables, np.min_scalar_type(self.r))
        truth[on] = 1
        count = np.zeros(codes.shape[1], truth.dtype)
        for column in codes[:-1]:
            count += truth[column]
        return np.asarray(count >= codes[-1])

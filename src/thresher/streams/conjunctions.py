"""Conjunctions: what of at most k variables is true together, as features of a row."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import (
    DimensionError,
    FeatureRangeError,
    TooManyConjunctionsError,
    UnsoundBatchError,
)
from thresher.kernels.scanning.crossing import JOINT, MOST_PAIRS
from thresher.parameters import MAX_FEATURES, checked_count, checked_flag
from thresher.streams.arrays import as_rows
from thresher.streams.rows import Rows


class Conjunctions:
    r"""All conjunctions of 1 to k of n variables, each with its own column.

    A k-DNF formula is a disjunction of them, which Winnow learns with a number of mistakes that
    grows with the logarithm of their number (:class:`thresher.theory.WinnowKDNF`).

    Columns come by size: first the variables themselves. The conjunction of the variables
    :math:`c_1 < \dots < c_j` is number :math:`\binom{c_1}{1} + \dots + \binom{c_j}{j}` of its size.
    With negations there are :math:`2^j` rounds of these, and bit :math:`i - 1` of the round says
    whether :math:`c_i` is negated.

    Parameters
    ----------
    n_variables
        How many variables there are.
    k
        How many of them a conjunction has, at most.
    negations
        Whether a conjunction may have variables that are off.

    Examples
    --------
    >>> import thresher as th
    >>> step = Conjunctions(n_variables=4, k=2)
    >>> step.n_features, [sorted(row) for row in step.rows([[1, 0, 1, 1]])]
    (10, [[0, 2, 3, 5, 7, 9]])
    >>> step.name_of(9), Conjunctions(4, 2, negations=True).name_of(31)
    ('2 ∧ 3', 'not 2 ∧ not 3')
    >>> learner = th.Winnow(step.n_features)
    >>> learner.learn(step.rows([[1, 0, 1, 1], [1, 1, 0, 0]] * 10), [1, -1] * 10).mistakes
    1
    """

    def __init__(self, n_variables: int, k: int, *, negations: bool = False) -> None:
        self.n_variables = checked_count("Conjunctions", "n_variables", n_variables, 1)
        self.k = checked_count("Conjunctions", "k", k, 1, self.n_variables)
        self.negations = checked_flag("Conjunctions", "negations", negations)
        signs = 2 if self.negations else 1
        self._begin = [0, 0]
        for size in range(1, self.k + 1):
            self._begin.append(self._begin[-1] + comb(self.n_variables, size) * signs**size)
            # Before the next size: with a large k to count them all takes minutes.
            if self._begin[-1] > MAX_FEATURES:
                why = f"there are at most {MAX_FEATURES:,} columns"
                found = self.n_variables, self.k, signs
                raise TooManyConjunctionsError(*found, MAX_FEATURES, why)
        #: How many conjunctions there are, exactly.
        self.n_features = self._begin[-1]

    def rows(self, X: Any) -> Rows:
        """The conjunctions that are true of each row; its values must be 0 and 1."""
        given = as_rows(X)
        self._check(given)
        columns = [self._true_of(t, row) for t, row in enumerate(given)]
        row_start = np.cumsum([0, *map(len, columns)], dtype=np.int64)
        column = np.concatenate([np.empty(0, np.int32), *columns]).astype(np.int32)
        return Rows(row_start, column, np.ones(len(column)))

    def _check(self, rows: Rows) -> None:
        def row_of(at: int) -> int:
            return int(np.searchsorted(rows.row_start, at, side="right")) - 1

        if rows.n_features > self.n_variables:
            at = int(np.argmax(rows.column >= self.n_variables))
            raise DimensionError(row_of(at), int(rows.column[at]), self.n_variables)
        if not np.all(rows.value == 1.0):
            at = int(np.argmax(rows.value != 1.0))
            found = int(rows.column[at]), float(rows.value[at])
            raise FeatureRangeError("Conjunctions", row_of(at), *found, "{0, 1}")

    def _true_of(self, t: int, row: dict[int, float]) -> NDArray[np.int64]:
        on = np.zeros(self.n_variables, bool)
        on[list(row)] = True
        variables = np.arange(self.n_variables) if self.negations else np.flatnonzero(on)
        count = sum(comb(len(variables), size) for size in range(1, self.k + 1))
        if count > MOST_PAIRS:
            raise UnsoundBatchError(
                f"row {t}: {count:,} conjunctions of up to {self.k} are true of it, and at most "
                f"{MOST_PAIRS:,} are written out. Choose a smaller k."
            )
        found = [np.empty(0, np.int64)]
        for size in range(1, min(self.k, len(variables)) + 1):
            chosen = np.array(list(combinations(variables.tolist(), size)), np.int64)
            place = np.zeros(len(chosen), np.int64)
            round_ = np.zeros(len(chosen), np.int64)
            for i in range(size):
                place += _choose(chosen[:, i], i + 1)
                round_ += (~on[chosen[:, i]]).astype(np.int64) << i
            each = comb(self.n_variables, size)
            found.append(np.sort(self._begin[size] + round_ * each + place))
        return np.concatenate(found)

    def literals_of(self, column: int) -> tuple[tuple[int, bool], ...]:
        """The variables of a conjunction, each with whether it is on.

        >>> Conjunctions(4, 2).literals_of(9)
        ((2, True), (3, True))
        """
        column = checked_count("Conjunctions", "column", column, 0, self.n_features - 1)
        size = next(s for s in range(1, self.k + 1) if column < self._begin[s + 1])
        round_, place = divmod(column - self._begin[size], comb(self.n_variables, size))
        found: list[tuple[int, bool]] = []
        for i in range(size, 0, -1):
            variable = i - 1
            while comb(variable + 1, i) <= place:
                variable += 1
            place -= comb(variable, i)
            found.append((variable, not round_ >> i - 1 & 1))
        return tuple(reversed(found))

    def name_of(self, column: int) -> str:
        """A conjunction in words, its variables called by their numbers."""
        literals = self.literals_of(column)
        return JOINT.join(f"{variable}" if on else f"not {variable}" for variable, on in literals)


def _choose(n: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Binomial coefficients, which are columns and so small enough."""
    result = np.ones(len(n), np.int64)
    for i in range(k):
        result = result * (n - i) // (i + 1)
    return np.maximum(result, 0)

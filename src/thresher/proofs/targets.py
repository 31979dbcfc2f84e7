"""The target that a caller declares: weights, relevant features, or an expert."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ComparatorError
from thresher.theory.quantities import exactly


@dataclass(frozen=True, slots=True, eq=False)
class DeclaredTarget:
    """A declared vector u: ``whole * unit``, exactly, one entry per column.

    ``features`` are the columns it names when it was declared as a set of relevant features.
    """

    whole: NDArray[Any]
    unit: Fraction
    features: frozenset[int] | None

    @property
    def floats(self) -> NDArray[np.float64]:
        """The vector in doubles."""
        return np.array([float(w * self.unit) for w in self.whole], np.float64)

    @property
    def sum(self) -> Fraction:
        """The sum of the weights."""
        return Fraction(sum(self.whole.tolist())) * self.unit

    @property
    def norm_squared(self) -> Fraction:
        """The sum of the squared weights."""
        return Fraction(sum(w * w for w in self.whole.tolist())) * self.unit**2

    @property
    def smallest(self) -> Fraction:
        """The smallest weight."""
        return min(self.whole.tolist(), default=0) * self.unit

    def signed_copies(self) -> DeclaredTarget:
        """The same target over (x, -x): negative weights move to the copies."""
        w = self.whole
        zero = w * 0
        both = np.concatenate((np.where(w > 0, w, zero), np.where(w < 0, -w, zero)))
        return DeclaredTarget(both, self.unit, self.features)


def declared_target(declared: Any, n_columns: int) -> DeclaredTarget:
    """A comparator from a set of features, a dict from columns to weights, or a vector.

    >>> declared_target({0, 3}, 5).whole.tolist(), declared_target({1: 0.5}, 2).unit
    ([1, 0, 0, 1, 0], Fraction(1, 2))
    """
    features = None
    if isinstance(declared, Set):
        features = frozenset(_column(i, n_columns) for i in declared)
        weights: dict[int, Any] = dict.fromkeys(features, 1)
    elif isinstance(declared, Mapping):
        weights = {_column(i, n_columns): w for i, w in declared.items()}
    else:
        entries = list(declared)
        if len(entries) > n_columns:
            raise ComparatorError(f"it has {len(entries)} weights for {n_columns} columns")
        weights = dict(enumerate(entries))
    try:
        exact = {i: exactly(w) for i, w in weights.items()}
    except (TypeError, ValueError, OverflowError):
        raise ComparatorError("its weights must be finite numbers") from None
    unit = Fraction(1, lcm(*(w.denominator for w in exact.values())))
    whole = np.zeros(n_columns, object)
    for i, w in exact.items():
        whole[i] = int(w / unit)
    return DeclaredTarget(whole, unit, features)


def declared_features(declared: Any, n_columns: int) -> frozenset[int]:
    """The columns of a declared set of features."""
    if not isinstance(declared, Set):
        raise ComparatorError("for this learner it must be a set of columns, such as {0, 3}")
    return frozenset(_column(i, n_columns) for i in declared)


def declared_expert(declared: Any, n_columns: int) -> int:
    """The column of a declared expert."""
    if isinstance(declared, bool) or not isinstance(declared, int | np.integer):
        raise ComparatorError("for this learner it must be the number of an expert")
    return _column(declared, n_columns)


def _column(i: Any, n_columns: int) -> int:
    if isinstance(i, bool) or not isinstance(i, int | np.integer) or not 0 <= i < n_columns:
        raise ComparatorError(f"{i!r} is not a column (they are 0 to {n_columns - 1})")
    return int(i)

"""ScoreParts: what the scores of some rows are made of, feature by feature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.linear_form import LinearForm
from thresher.learners.base.standing import Standing
from thresher.records import record
from thresher.streams.rows import Rows


@record(eq=False, kw_only=True)
class ScoreParts:
    """Totals of some rows, and the parts that add up to them.

    Row ``t`` has the places from ``row_start[t]`` to ``row_start[t + 1]``. Its total is
    ``constant[t]``, what its places add, and ``others[name][t]`` for each name, but for rounding.
    """

    row_start: NDArray[np.int64]
    column: NDArray[np.int32]
    #: The value in the row, and what the learner makes of it before it looks at weights.
    value: NDArray[np.float64]
    seen: NDArray[np.float64]
    #: The weight of what the learner sees; infinite where that is too small for a weight.
    weight: NDArray[np.float64]
    adds: NDArray[np.float64]
    constant: NDArray[np.float64]
    #: The learner's own scores; the log-odds that they stand for where `log_odds` is true.
    total: NDArray[np.float64]
    #: What is not a feature and not the same for all rows, by what it is called.
    others: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    log_odds: bool = False
    #: Whose predictions are mixed.
    experts: tuple[Standing, ...] = ()
    #: What each of them says, as log-odds: a line for each row.
    opinions: NDArray[np.float64] | None = None
    #: Where a place stands for the contrary of its feature, and what that is called.
    contrary: NDArray[np.bool_] | None = None
    contrary_word: str = "not"

    @classmethod
    def weighed(
        cls,
        rows: Rows,
        form: LinearForm,
        total: NDArray[np.float64],
    ) -> Self:
        """The parts of scores that are sums of weight times value, scaled if rows are.

        >>> form = LinearForm(np.array([0.5, -3.0]), threshold=0.0, constant=1.0)
        >>> parts = ScoreParts.weighed(Rows.of([{0: 2.0, 1: 1.0}, {}]), form, np.array([-1.0, 1.0]))
        >>> parts.adds.tolist(), parts.constant.tolist()
        ([1.0, -3.0], [1.0, 1.0])
        """
        rows = rows.clipped(len(form.weights))
        seen = form.scaled_values(rows)
        weight = form.weights[rows.column] / form.divisor
        return cls(
            row_start=rows.row_start,
            column=rows.column,
            value=rows.value,
            seen=seen,
            weight=weight,
            adds=weight * seen,
            constant=np.full(len(rows), form.constant / form.divisor - form.minus),
            total=total,
        )

    @property
    def row(self) -> NDArray[np.int64]:
        """The row of each place."""
        return np.repeat(np.arange(len(self.total)), np.diff(self.row_start))

    def sums(self) -> NDArray[np.float64]:
        """What constant and features add up to, for each row."""
        return self.constant + np.bincount(self.row, self.adds, len(self.total))

    def less(self, threshold: float) -> Self:
        """The parts of how much the totals exceed a threshold."""
        return replace(self, constant=self.constant - threshold, total=self.total - threshold)


class LoneEffects(NamedTuple):
    """What features add to a row that has nothing else, for those that were learned about.

    The value of the feature is `value`: 1, or the largest so far where the learner keeps it. What
    a feature adds, it adds to the learner's score, or to its log-odds where `ScoreParts` are of
    those.
    """

    #: The heaviest first, then by column.
    column: NDArray[np.int64]
    value: NDArray[np.float64]
    adds: NDArray[np.float64]
    #: What every row has to begin with, and what a feature never learned about adds.
    constant: float
    default: float
    n_features: int
    #: "plain" weights, of any value of a feature; "scaled" ones, of values after scaling; or what
    #: features add "alone" and not beside others.
    kind: Literal["plain", "scaled", "alone"] = "plain"

    @classmethod
    def of(cls, form: LinearForm) -> Self:
        """The weights of a linear form."""
        column = form.touched()
        value = np.ones(len(column)) if form.largest is None else form.largest[column]
        return cls(
            column,
            value,
            adds=form.weights[column] / form.divisor,
            constant=form.constant / form.divisor - form.minus,
            default=form.default / form.divisor,
            n_features=len(form.weights),
            kind="plain" if form.scaling is None else "scaled",
        )

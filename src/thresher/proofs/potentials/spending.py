"""Weights, scores and the total weight of a run of Winnow, from its updates alone."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.proofs.audited_run import AuditedRun, Trail, trail
from thresher.proofs.powers import EPSILON, Powers
from thresher.theory.quantities import exactly


@dataclass(frozen=True, slots=True, eq=False)
class Spending:
    """The weights of a run of Winnow, seen from its updates."""

    path: Trail
    powers: Powers
    alpha: Fraction
    theta: Fraction
    binary: bool
    zeroing: bool
    start: NDArray[np.float64]
    #: The weight, in units of the powers, of each non-zero's feature before and after its update.
    before: NDArray[Any]
    after: NDArray[Any]
    score: NDArray[Any]
    change: NDArray[Any]
    slack: Any

    @property
    def initial(self) -> Any:
        """The total weight before the first update."""
        return sum_of_powers(self.powers, self.start)

    @property
    def total(self) -> NDArray[Any]:
        """The total weight after each update."""
        running: NDArray[Any] = np.cumsum(self.change) + self.initial
        return running

    @property
    def total_slack(self) -> Any:
        """What rounding can have done to the totals."""
        if self.powers.exact:
            return 0
        moved = np.cumsum(np.abs(self.change)) + float(self.initial)
        return np.cumsum(self.slack) + EPSILON * (len(self.path) + 8.0) * moved


def spend(run: AuditedRun) -> Spending:
    """Scores and changes of the total weight at each update."""
    alpha = 1 + exactly(run.parameter("beta", 1))
    theta = exactly(run.parameter("threshold", run.n_features))
    zeroing = bool(run.parameter("zeroing", False))
    path = trail(run)
    start = np.zeros(run.n_features) if run.start is None else np.asarray(run.start, np.float64)
    binary = path.whole and bool(np.all(path.value == 1))
    lived = [path.before, path.after, start.astype(np.int64) if path.whole else start]
    powers = Powers.covering(alpha, *lived)
    before, after = powers.of(path.before), powers.of(path.after)
    if zeroing:
        silent = silenced(path)
        before = np.where(silent, 0, before)
        after = np.where(silent | (path.label[path.row] < 0), 0, after)
    score, change = path.row_sums(path.value * before), path.row_sums(after - before)
    slack: Any = 0
    if not powers.exact:
        terms = np.diff(path.row_start) + 8.0
        width = powers.loss + EPSILON * (terms + powers.rate * (len(path) + 8.0) * 4.0)
        # The duals of rows that are not whole carry rounding of their own into the exponent.
        drift = EPSILON * powers.rate * (len(path) + 8.0) * float(np.max(path.travelled, initial=0))
        slack = (width + drift) * path.row_sums(before + after)
    return Spending(
        path,
        powers,
        alpha,
        theta,
        binary,
        zeroing,
        start,
        before,
        after,
        powers.worth(score),
        powers.worth(change),
        slack,
    )


def heaviest(spending: Spending, weights: NDArray[Any]) -> NDArray[Any]:
    """The heaviest of the weights given per non-zero, in each update; 0 for an empty row."""
    path = spending.path
    top = np.zeros(len(path), weights.dtype)
    busy = np.flatnonzero(np.diff(path.row_start) > 0)
    if len(busy):
        top[busy] = np.maximum.reduceat(weights, path.row_start[busy])
    return spending.powers.worth(top)


def silenced(path: Trail) -> NDArray[np.bool_]:
    """Which non-zeros belong to a feature that an earlier false positive has silenced."""
    negative = path.label[path.row] < 0
    first = np.full(int(path.column.max(initial=-1)) + 1, len(path), np.int64)
    np.minimum.at(first, path.column[negative], path.row[negative])
    silent: NDArray[np.bool_] = path.row > first[path.column]
    return silent


def sum_of_powers(powers: Powers, duals: NDArray[np.float64]) -> Any:
    """The sum of base**z over all duals; minus infinity weighs nothing."""
    alive = duals[np.isfinite(duals)]
    exponents, counts = np.unique(alive, return_counts=True)
    terms = [int(n) * powers.number(z) for z, n in zip(exponents, counts, strict=True)]
    return sum(terms, Fraction(0) if powers.exact else 0.0)


def number(exact: Fraction, spending: Spending) -> Any:
    """A parameter in the arithmetic of the run."""
    return exact if spending.powers.exact else float(exact)

"""The sum of all weights of an exponentiated learner, carried along its journal."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.proofs.audited_run import Trail
from thresher.proofs.powers import EPSILON

#: A sum that fell by this factor since it was last computed afresh has lost too many digits.
LOST = 1e-3
#: Sums beyond this are taken from a new largest exponent.
HUGE = 1e200
#: Updates between two fresh sums, at most.
STRETCH = 4096


def normalisers(
    path: Trail, phase: NDArray[np.int64], eta: NDArray[np.float64], origin: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Score, ln Z and a bound on the relative error of a weight, for each update.

    The sum of all weights is carried from update to update by what the active features gain,
    and computed afresh when it has fallen far, or after `STRETCH` updates.
    """
    score, log_z, loss = np.zeros(len(path)), np.zeros(len(path)), np.zeros(len(path))
    known, place = np.unique(path.column, return_inverse=True)
    quiet = np.ones(len(origin), bool)
    quiet[known] = False
    at_rest, copies = np.unique(origin[quiet], return_counts=True)
    dual = origin[known].astype(np.float64)
    farthest = float(np.max(path.travelled, initial=0.0)) * (1 if path.whole else len(path) + 8)
    first = 0
    while first < len(path):
        stop = min(len(path), first + STRETCH)
        stop = first + int(np.searchsorted(phase[first:stop], phase[first] + 1))
        step = eta[first]
        top, total = _fresh(step * dual, step * at_rest, copies)
        inside = slice(int(path.row_start[first]), int(path.row_start[stop]))
        start = path.row_start[first : stop + 1] - path.row_start[first]
        with np.errstate(over="ignore", invalid="ignore"):
            weight = np.exp(step * path.before[inside] - top)
            gained = _sums(_gains(path, inside, step, top, weight), start)
            totals = total + np.concatenate((np.zeros(1), np.cumsum(gained)))
            votes = _sums(weight * path.value[inside], start)
        lowest = LOST * np.maximum.accumulate(totals[:-1])
        lost = np.flatnonzero(~((totals[1:] >= lowest) & (totals[1:] <= HUGE)))
        taken = int(lost[0]) + 1 if len(lost) else stop - first
        here = slice(first, first + taken)
        score[here] = votes[:taken] / totals[:taken]
        used = slice(inside.start, int(path.row_start[first + taken]))
        dual[place[used]] = path.after[used]
        kept = taken - 1 if len(lost) else taken
        log_z[first : first + kept] = np.log1p(gained[:kept] / totals[:kept])
        if len(lost):
            # The sum of the last update has too few digits, or too many: from the duals.
            new_top, new_total = _fresh(step * dual, step * at_rest, copies)
            log_z[first + kept] = new_top - top + log(new_total) - log(totals[kept])
        loss[here] = 8 * EPSILON * (len(path) + 64.0 + step * farthest) / LOST
        first += taken
        if first < len(path) and phase[first] != phase[first - 1]:
            dual[:] = 0.0
    return score, log_z, loss


def _fresh(
    moved: NDArray[np.float64], at_rest: NDArray[np.float64], copies: NDArray[np.int64]
) -> tuple[float, float]:
    """The largest exponent, and the sum of all exponentials divided by the largest."""
    top = max(float(np.max(moved, initial=-np.inf)), float(np.max(at_rest, initial=-np.inf)))
    return top, float(np.sum(np.exp(moved - top)) + copies @ np.exp(at_rest - top))


def _gains(
    path: Trail, inside: slice, step: float, top: float, weight: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What each active weight gains: with `expm1` where it is little, as a difference else."""
    moved = step * path.label[path.row[inside]] * path.value[inside]
    little = np.abs(moved) < 1.0
    much = np.exp(step * path.after[inside] - top) - weight
    gains: NDArray[np.float64] = np.where(
        little, weight * np.expm1(np.where(little, moved, 0.0)), much
    )
    return gains


def _sums(term: NDArray[np.float64], start: NDArray[np.int64]) -> NDArray[np.float64]:
    sums = np.zeros(len(start) - 1)
    busy = np.flatnonzero(np.diff(start) > 0)
    if len(busy):
        sums[busy] = np.add.reduceat(term, start[busy])
    return sums


def with_copies(path: Trail, n: int) -> Trail:
    """The same run over (x, -x)."""
    counts = np.diff(path.row_start)
    order = np.argsort(np.concatenate((path.row, path.row)), kind="stable")

    def both(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
        joined: NDArray[Any] = np.concatenate((a, b))[order]
        return joined

    return Trail(
        np.concatenate((np.zeros(1, np.int64), np.cumsum(2 * counts))),
        both(path.row, path.row),
        both(path.column, path.column + n),
        both(path.value, -path.value),
        path.label,
        both(path.before, -path.before),
        both(path.after, -path.after),
        both(path.travelled, path.travelled),
    )

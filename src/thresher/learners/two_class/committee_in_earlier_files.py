"""Committees in earlier model files: a line for every feature, whether or not it was seen."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StateError
from thresher.kernels.engines.committee import MOST_LANES, RULES, STARTS
from thresher.kernels.engines.committee_state import as_lines
from thresher.kernels.engines.feature_memory import UNSEEN
from thresher.learners.two_class.committee_members import (
    DEFAULT_MEMBERS,
    WIDE_MEMBERS,
    checked_members,
    seat_of,
)

#: How many things release 0.2.0 kept beside the features; its members by default were eight.
PARTS_IN_0_2 = 14
#: After rounds, labels, whether all values were 1, and largest values: so many fields.
FIELDS = 10


def by_slots(saved: dict[str, Any]) -> dict[str, Any]:
    """What a Committee is restored from, from what was saved as one line after another."""
    dual, other, *history = saved["state"]
    parameters = saved["parameters"]
    if len(other) == PARTS_IN_0_2 and parameters["members"] is None:
        parameters = parameters | {"members": WIDE_MEMBERS}
    given = parameters["members"]
    members = DEFAULT_MEMBERS if given is None else checked_members("Committee", given)
    if len(other) == PARTS_IN_0_2:
        other = _with_seats(other, len(members))
    if len(other) < 5 + FIELDS + 3:
        raise StateError(f"a committee keeps {5 + FIELDS + 3} or more things beside the features.")
    rounds, labels, plain, shrink, *parts = other
    standing, column, mean, squares, *seats = (np.asarray(part) for part in parts[FIELDS:])
    if standing.shape != (5,):
        raise StateError("a committee has five totals.")
    mass, weighed, present, narrow, rows = standing.tolist()
    lines = as_lines(dual)
    learned = _learned(lines[:-1], np.asarray(shrink, np.float64), column, members)
    known = np.array([len(column) + 1 if narrow else 0, rows], np.float64)
    features = (
        len(lines) - 1, plain, learned, np.asarray(shrink, np.float64)[learned], known,
        mean, squares, lines[learned],
    )  # fmt: skip
    totals = np.array([rounds, labels, mass, weighed, present], np.float64)
    own = (totals, lines[-1], *parts[:FIELDS], *seats)
    return saved | {"parameters": parameters, "state": (features, own, *history)}


def _learned(
    lines: NDArray[np.float32],
    shrink: NDArray[np.float64],
    column: NDArray[Any],
    members: tuple[Any, ...],
) -> NDArray[np.int32]:
    """The features that were learned from, those first whose order was kept."""
    if shrink.shape != (len(lines),):
        raise StateError("a committee keeps the largest value of each feature.")
    if (
        column.dtype.kind != "i"
        or column.ndim != 1
        or (len(column) and not 0 <= column.min() <= column.max() < len(lines))
    ):
        raise StateError("a committee knows a column that is not there.")
    rules = [member.rule for member in members if seat_of(member) < 0]
    starts = [STARTS[RULES.index(rule)] for rule in rules]
    fresh = np.ones(2 * MOST_LANES, np.float32)
    fresh[:MOST_LANES] = 0.0
    fresh[MOST_LANES : MOST_LANES + len(starts)] = starts
    learned = (shrink != UNSEEN) | (lines != fresh).any(axis=1)
    learned[column] = False
    return np.append(column, np.flatnonzero(learned)).astype(np.int32)


def _with_seats(other: tuple[Any, ...], n: int) -> tuple[Any, ...]:
    """What was saved when there were only lanes, eight of them, as if there were no seats."""
    rounds, labels, plain, shrink, square, slope, curvature, share, spread, *rest = other
    prior, belief, *record = (np.asarray(part) for part in rest)
    spread = np.asarray(spread).reshape(MOST_LANES, MOST_LANES)[:n, :n]
    record = [np.append(part[: n + 2], part[MOST_LANES + 2 :]) for part in record]
    nothing = [np.zeros(0, np.int32), np.zeros(0), np.zeros(0)]
    lanes = [np.asarray(part)[:n] for part in (square, slope, curvature, share)]
    return (rounds, labels, plain, shrink, *lanes, spread, prior[: n + 2], belief[: n + 2], *record,
            np.array([rounds, 0.0, n, 0.0, 0.0]), *nothing)  # fmt: skip

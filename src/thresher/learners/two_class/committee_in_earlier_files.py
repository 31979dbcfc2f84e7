"""Committees in model files of release 0.2.0: eight lanes, a line for every feature."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher.errors import StateError
from thresher.kernels.engines.committee import MOST_LANES, RULES, STARTS
from thresher.kernels.engines.committee_state import as_lines
from thresher.kernels.engines.feature_memory import UNSEEN
from thresher.learners.two_class.committee_members import WIDE_MEMBERS, checked_members

#: How many things it kept beside the features.
PARTS = 14


def by_slots(saved: dict[str, Any]) -> dict[str, Any]:
    """What a Committee is restored from, from what was saved as one line after another.

    There was no constant in the combination: it is there now, and cannot move.
    """
    dual, other, *history = saved["state"]
    if len(other) != PARTS:
        raise StateError(f"a committee kept {PARTS} things beside the features, not {len(other)}.")
    given = saved["parameters"]["members"]
    members = WIDE_MEMBERS if given is None else checked_members("Committee", given)
    n = len(members)
    rounds, labels, plain, *parts = other
    shrink, square, slope, curvature, share, spread, prior, belief, *record = map(np.asarray, parts)
    lines = as_lines(dual)
    if shrink.shape != (len(lines) - 1,):
        raise StateError("a committee keeps the largest value of each feature.")
    fresh = np.ones(2 * MOST_LANES, np.float32)
    fresh[:MOST_LANES] = 0.0
    fresh[MOST_LANES : MOST_LANES + n] = [STARTS[RULES.index(member.rule)] for member in members]
    learned = np.flatnonzero((shrink != UNSEEN) | (lines[:-1] != fresh).any(axis=1))
    features = (
        len(lines) - 1, plain, learned.astype(np.int32), shrink[learned].astype(np.float64),
        np.zeros(2), np.zeros(0), np.zeros(0), lines[learned],
    )  # fmt: skip
    moving = spread.reshape(MOST_LANES, MOST_LANES)[:n, :n]
    own = (
        np.array([rounds, labels, rounds, 0.0, n], np.float64), lines[-1],
        square[:n], slope[:n], curvature[:n],
        np.append(0.0, share[:n]), np.pad(moving, ((1, 0), (1, 0))),
        prior[: n + 2], belief[: n + 2],
        *(np.append(part[: n + 2], part[MOST_LANES + 2 :]) for part in record),
    )  # fmt: skip
    parameters = saved["parameters"] | {"members": members}
    return saved | {"parameters": parameters, "state": (features, own, *history)}

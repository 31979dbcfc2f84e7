r"""What a committee makes of its members, from shards that learned apart.

Squares of scores and curvatures gain what every shard has gained. A slope moves by curvatures,
:math:`s_0 + \sum_k c_k (s_k - s_0) / \sum_k c_k`, and is never below 0.01. The fitted combination,
the constant first and then the members who are present, is combined by the inverses of its
covariances. What an expert weighs is the mean over shards, each with as many votes as it had rows
that weigh something; those who are not there weigh nothing, and the others are divided by their
sum, from left to right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.mixed_runs.matrices import combined_belief
from thresher.verifier.mixed_runs.moves import Numbers, gained
from thresher.verifier.state import State

LEAST_SLOPE = 0.01


def combined_experts(
    before: State, after: Sequence[State], present: int
) -> dict[str, NDArray[Any]]:
    """Squares, slopes, shares and beliefs by name; so many members are still there."""
    found = {
        name: gained(before[name], [own[name] for own in after]) for name in ("square", "curvature")
    }
    found["slope"] = _slope(before, after)
    share, spread = np.zeros_like(before["share"]), np.zeros_like(before["spread"])
    inside = slice(present + 1)
    share[inside], spread[inside, inside] = combined_belief(
        (before["share"][inside], before["spread"][inside, inside]),
        [(own["share"][inside], own["spread"][inside, inside]) for own in after],
    )
    return found | {"share": share, "spread": spread, "belief": _belief(before, after, present)}


def _slope(before: State, after: Sequence[State]) -> Numbers:
    slope = before["slope"]
    moved, bends = np.zeros_like(slope), np.zeros_like(slope)
    for own in after:
        moved = moved + own["curvature"] * (own["slope"] - slope)
        bends = bends + own["curvature"]
    return np.maximum(slope + moved / bends, LEAST_SLOPE)


def _belief(before: State, after: Sequence[State], present: int) -> Numbers:
    total = np.zeros_like(before["belief"])
    votes = [float(own["rounds"][0] - before["rounds"][0]) for own in after]
    if not any(votes):
        # Nobody has learned anything: what was believed is divided by its sum once more.
        total = before["belief"]
    for vote, own in zip(votes, after, strict=True):
        total = total + vote * own["belief"]
    total = total.copy()
    total[present:-2] = 0.0
    whole = 0.0
    for weight in total.tolist():
        whole += weight
    return total / whole

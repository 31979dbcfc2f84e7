"""The part of an ONNX graph that turns scores into probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.learners.base.probability_map import (
    HIGHEST_ODDS,
    LOWEST_ODDS,
    Curve,
    ProbabilityMap,
    Steps,
)

#: A node of the graph: what it does, to what, what the result is called, and how.
Step = tuple[str, list[str], str, dict[str, Any]]


def probability_steps(
    maps: tuple[ProbabilityMap, ...], several: bool
) -> tuple[dict[str, NDArray[Any]], list[Step]]:
    """More numbers and steps: from `score`, and of two classes `threshold`, to `probability`."""
    steps: list[Step] = [("Identity", ["score"], "margin", {})]
    if not several:
        steps = [
            ("Sub", ["score", "threshold"], "exceeds", {}),
            ("Unsqueeze", ["exceeds", "along"], "margin", {}),
        ]
    constants, shares = _shares(maps)
    constants["certain"] = np.array(1.0)
    steps += shares
    if several:
        return constants, [
            *steps,
            ("ReduceSum", ["share", "along"], "shares", {"keepdims": 1}),
            ("Div", ["share", "shares"], "probability", {}),
        ]
    return constants, [
        *steps,
        ("Sub", ["certain", "share"], "other", {}),
        ("Concat", ["other", "share"], "probability", {"axis": 1}),
    ]


def _shares(maps: tuple[ProbabilityMap, ...]) -> tuple[dict[str, NDArray[Any]], list[Step]]:
    """From `margin`, a column for each score, to `share`, its probability against the rest."""
    each = [one for one in maps if isinstance(one, Steps)]
    if each:
        most = max(len(one.shares) for one in each)
        edges = [np.pad(one.edges, (0, most - len(one.shares)), constant_values=np.inf)
                 for one in each]  # fmt: skip
        shares = [np.pad(one.shares, (0, most - len(one.shares)), mode="edge") for one in each]
        return {
            "edges": np.stack(edges),
            "steps": np.concatenate(shares),
            "first": np.arange(len(each)) * most,
        }, [
            ("Unsqueeze", ["margin", "last"], "beside", {}),
            ("GreaterOrEqual", ["beside", "edges"], "passed", {}),
            ("Cast", ["passed"], "counted", {"to": 7}),
            ("ReduceSum", ["counted", "last"], "place", {"keepdims": 0}),
            ("Add", ["place", "first"], "step", {}),
            ("Gather", ["steps", "step"], "share", {}),
        ]
    curves = [one for one in maps if isinstance(one, Curve)]
    if curves:
        return {
            "slope": np.array([one.slope for one in curves]),
            "intercept": np.array([one.intercept for one in curves]),
            "lowest": np.array(LOWEST_ODDS),
            "highest": np.array(HIGHEST_ODDS),
            "even": np.array(0.0),
        }, [
            ("Mul", ["margin", "slope"], "risen", {}),
            ("Add", ["risen", "intercept"], "unbounded", {}),
            ("Max", ["unbounded", "lowest"], "bounded", {}),
            ("Min", ["bounded", "highest"], "odds", {}),
            ("Abs", ["odds"], "away", {}),
            ("Neg", ["away"], "back", {}),
            ("Exp", ["back"], "small", {}),
            ("GreaterOrEqual", ["odds", "even"], "likely", {}),
            ("Where", ["likely", "certain", "small"], "part", {}),
            ("Add", ["certain", "small"], "all", {}),
            ("Div", ["part", "all"], "share", {}),
        ]
    return {"two": np.array(2.0)}, [
        ("Add", ["margin", "certain"], "raised", {}),
        ("Div", ["raised", "two"], "share", {}),
    ]

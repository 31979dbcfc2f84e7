"""Every learner of two classes with every option, and streams that are hard to add up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

import thresher as th

WIDTH = 5

BINARY = (0.0, 1.0)
UNIT = (0.0, 1.0, 0.5, 0.3, 1e-9, 5e-324)
REAL = (-1.0, 0.0, 0.3, 0.1, 0.7, -0.7, 1.0)
HARD = (0.0, 1.0, -3.0, 0.1, 1e100, -1e100, 2.5e7, 1e-9, 5e-324, -1e-310, 2.0**-1000)

Choices = dict[str, tuple[Any, ...]]
SHARED: Choices = {
    "class_weight": (None, (0.5, 3.0), {-1: 0.1}, (0.0, 1.0), (2, 1)),
    "scaling": (None, "l2", "l1", "max", "online"),
}
MEAN: Choices = {"average": (False, True), "bias": (False, True), "n_features": (None, WIDTH)}

#: Under a name: the class, what its parameters may be, and the values of features.
CASES: dict[str, tuple[Callable[..., Any], Choices, tuple[float, ...]]] = {
    "perceptron": (th.Perceptron, {"margin": (0.0, 1.0, 1e-300), **MEAN, **SHARED}, HARD),
    "perceptron, whole": (th.Perceptron, {"margin": (0.0, 1.0), **MEAN}, (0.0, 1.0, -2.0)),
    "perceptron, forgetting": (
        th.Perceptron,
        {"margin": (0.0, 2.0), "decay": (0.5, 0.01), "bias": (False, True), **SHARED},
        HARD,
    ),
    "pa": (th.PassiveAggressive, {"variant": ("PA",), **MEAN, "scaling": SHARED["scaling"]}, HARD),
    "pa-1": (
        th.PassiveAggressive,
        {"variant": ("PA-I", "PA-II"), "C": (1.0, 0.1, 1e12), **MEAN, **SHARED},
        HARD,
    ),
    "arow": (th.AROW, {"r": (1.0, 0.001, 1e12), **MEAN, **SHARED}, HARD),
    "adagrad": (
        th.AdaGrad,
        {"loss": ("hinge", "logistic"), "rate": (0.1, 1.0), **MEAN, **SHARED},
        HARD,
    ),
}


@st.composite
def learners(draw: Callable[..., Any], name: str) -> Any:
    """A learner of the kind with some of its options."""
    kind, choices, _ = CASES[name]
    return kind(**{option: draw(st.sampled_from(of)) for option, of in choices.items()})


@st.composite
def streams_of(
    draw: Callable[..., Any], values: tuple[float, ...]
) -> tuple[list[list[float]], list[int]]:
    """A few rows, some of them again and again, among them empty ones; labels of any kind."""
    row = st.lists(st.sampled_from(values), min_size=WIDTH, max_size=WIDTH)
    rows = draw(st.lists(row, min_size=0, max_size=8))
    labels = draw(st.lists(st.sampled_from([-1, 1]), min_size=len(rows), max_size=len(rows)))
    again = draw(st.sampled_from([1, 4]))
    return rows * again, labels * again

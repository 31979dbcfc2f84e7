"""Every learner of two classes with every option, and streams that are hard to add up."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

import thresher as th

WIDTH = 5

BINARY = (0.0, 1.0)
UNIT = (0.0, 1.0, 0.5, 0.3, 1e-9, 5e-324)
REAL = (-1.0, 0.0, 0.3, 0.1, 0.7, -0.7, 1.0)
HARD = (0.0, 1.0, -3.0, 0.1, 1e100, -1e100, 2.5e7, 1e-9, 5e-324, -1e-310, 2.0**-1000, 2.0**-510)

Choices = dict[str, tuple[Any, ...]]
SHARED: Choices = {
    "class_weight": (None, (0.5, 3.0), {-1: 0.1}, (0.0, 1.0), (2, 1)),
    "scaling": (None, "l2", "l1", "max", "online"),
}
MEAN: Choices = {"average": (False, True), "bias": (False, True), "n_features": (None, WIDTH)}

SIZED: Choices = {"n_features": (WIDTH,), **SHARED}
STEPS: dict[str, Choices] = {
    "eta": {"eta": (0.1, 1, 100), "radius": (1, 2)},
    "margin": {"margin": (0.25, 1, Fraction(1, 3))},
    "restarts": {"class_weight": (None,)},
}

#: Under a name: the class, what its parameters may be, and the values of features.
CASES: dict[str, tuple[Callable[..., Any], Choices, tuple[float, ...]]] = {
    "perceptron": (th.Perceptron, {"margin": (0.0, 1.0, 1e-300), **MEAN, **SHARED}, HARD),
    "perceptron, whole": (th.Perceptron, {"margin": (0.0, 1.0), **MEAN}, (0.0, 1.0, -2.0)),
    "perceptron, forgetting": (
        th.Perceptron,
        {"margin": (0.0, 2.0), "decay": (0.5, 0.01), "bias": (False, True), **SHARED},
        HARD,
    ),
    "winnow": (
        th.Winnow,
        {
            "beta": (1, 0.25, Fraction(1, 2), 3, 2.0**-8),
            "threshold": (None, 2, Fraction(13, 5), 0.75),
            "margin": (0.0, 0.5, 2.0**-60),
            "floor": (None, 0.3, 1),
            **SIZED,
        },
        UNIT,
    ),
    "winnow, whole": (
        th.Winnow,
        {"threshold": (2, 3, None), "margin": (0.0, 1.0), "floor": (None, 0.3), **SIZED},
        BINARY,
    ),
    "winnow, zeroing": (
        th.Winnow,
        {"n_features": (WIDTH,), "zeroing": (True,), "threshold": (2, 1, None), "beta": (1, 0.1)},
        BINARY,
    ),
    "winnow, literals": (
        th.Winnow,
        {
            "n_features": (WIDTH, WIDTH + 3),
            "literals": (True,),
            "beta": (1, 0.25, 3),
            "threshold": (None, 2, Fraction(13, 5)),
            "margin": (0.0, 0.5),
            "floor": (None, 0.3),
            "class_weight": SHARED["class_weight"],
        },
        BINARY,
    ),
    "winnow, zeroing literals": (
        th.Winnow,
        {"n_features": (WIDTH,), "literals": (True,), "zeroing": (True,), "threshold": (2, None)},
        BINARY,
    ),
    **{
        f"normalized winnow, literals, {how}": (
            th.NormalizedWinnow,
            {
                "n_features": (WIDTH, WIDTH + 3),
                "literals": (True,),
                "class_weight": SHARED["class_weight"],
                **choices,
                "bias": (False, True),
            },
            REAL,
        )
        for how, choices in STEPS.items()
    },
    "balanced winnow": (
        th.BalancedWinnow,
        {
            "beta": (1, 0.25, Fraction(1, 2), 3),
            "threshold": (None, 0.75),
            "margin": (0.0, 0.5, 2.0**-60),
            "floor": (None, 0.3, 1),
            **SIZED,
        },
        REAL,
    ),
    **{
        f"{kind.name}, {how}": (kind, {**SIZED, **choices, "bias": (False, True)}, REAL)
        for kind in (th.NormalizedWinnow, th.SignedWinnow)
        for how, choices in STEPS.items()
    },
    "p-norm": (
        th.PNormPerceptron,
        {"p": (None, 2, 4.5, 64), "margin": (0.0, 1.0), "bias": (False, True), **SIZED},
        HARD,
    ),
    "modified balanced winnow": (
        th.ModifiedBalancedWinnow,
        {
            "n_features": (WIDTH,),
            "promotion": (1.5, 1.0, 1e6),
            "demotion": (0.5, 1e-6),
            "margin": (1.0, 0.0, 1e-9),
        },
        tuple(abs(value) for value in HARD),
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
    full = st.lists(st.sampled_from(values), min_size=WIDTH, max_size=WIDTH)
    row = st.one_of(full, full, full, st.just([0.0] * WIDTH))
    rows = draw(st.lists(row, min_size=0, max_size=8))
    labels = draw(st.lists(st.sampled_from([-1, 1]), min_size=len(rows), max_size=len(rows)))
    again = draw(st.sampled_from([1, 4]))
    return rows * again, labels * again

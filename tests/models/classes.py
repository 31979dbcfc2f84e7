"""Learners for several classes, and rows for them."""

from __future__ import annotations

from typing import Any

import numpy as np

import thresher as th
from tests.learners import test_contract as contract

N = 6
COLOURS = ("red", "green", "blue")
#: One table of weights for all classes, or a learner for each; whatever scores by weights.
SEVERAL: list[Any] = [
    *(make() for title, make in contract.SEVERAL.items() if title != "committee-each"),
    th.OneVersusRest(th.Perceptron(N, bias=True)),
    th.OneVersusRest(th.Winnow(N, threshold=2)),
]


def labelled(n_rows: int = 90, seed: int = 1) -> tuple[np.ndarray[Any, Any], list[str]]:
    """Rows of 0 and 1, some of them empty, with classes that every learner mistakes at times."""
    random = np.random.default_rng(seed)
    table = (random.random((n_rows, N)) < 0.4).astype(float)
    wobbly = table[:, 0] + 2 * table[:, 1] + (random.random(n_rows) < 0.1)
    return table, [COLOURS[int(number) % 3] for number in wobbly]

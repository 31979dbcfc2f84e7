"""Trained models to export, and the rows they are asked about."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.learners.makers import LINEAR, Maker, stream
from thresher.learners.base.power_link import MultiplicativeLearner
from thresher.models.model import Model
from thresher.streams import Rows

#: Other ways to score: by lot, by several members, with two weights a feature.
OTHERWISE = ("random-majority", "committee", "mbw")
#: Weights that are a difference or a product of what the learner keeps, and round.
DIFFERENCES = ("-mean", "-decay", "winnow-literals", "normalized-literals")
ROUNDED = [maker for maker in LINEAR if any(part in maker.title for part in DIFFERENCES)]
#: Learners that score by weights alone, to the bit.
WEIGHED = [
    maker
    for maker in LINEAR
    if maker not in ROUNDED and not any(part in maker.title for part in OTHERWISE)
]


def trained(maker: Maker) -> Model:
    learner = maker.make()
    learner.learn(*stream(maker))
    return Model(learner=learner)


def asked(maker: Maker) -> Rows:
    """Rows the learner has not seen, an empty one among them."""
    table, _ = stream(maker, n_rows=120, seed=9)
    return Rows.of(np.vstack((table, np.zeros(table.shape[1]))))


def too_close(learner: Any, scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which scores the Winnow family may have settled in exact arithmetic."""
    near = np.abs(scores - learner.threshold) < 1e-12
    settles = isinstance(learner, MultiplicativeLearner)
    return np.asarray(near & settles & (scores != 0.0))

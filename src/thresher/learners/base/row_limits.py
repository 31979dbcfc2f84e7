"""Whether rows fit a learner: every feature has a weight, every value is one its theory allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from thresher.errors import DimensionError, FeatureRangeError, RowError
from thresher.kernels.rows.named_rows import LARGEST_GROWN_INDEX

if TYPE_CHECKING:
    from thresher.learners.base.stateful import AnyEngine
    from thresher.streams.rows import Rows


def check_fit(owner: str, engine: AnyEngine, rows: Rows) -> None:
    """Refuse features without a weight, and values outside the learner's theory."""
    limit = LARGEST_GROWN_INDEX + 1 if engine.names.growing else engine.n_features
    if rows.n_features > limit:
        at = int(np.argmax(rows.column >= limit))
        row = int(np.searchsorted(rows.row_start, at, side="right")) - 1
        index = int(rows.column[at])
        if engine.names.growing:
            rule = f"without a stated n_features the largest index is {LARGEST_GROWN_INDEX}"
            raise RowError(row, index, index, rule, "Give n_features to allow more.")
        raise DimensionError(row, index, limit)
    check_values(owner, engine, rows)


def check_values(owner: str, engine: AnyEngine, rows: Rows) -> None:
    """Refuse values outside the learner's theory."""
    if (
        rows.lowest < engine.lowest
        or rows.highest > engine.highest
        or (engine.whole and not rows.integral)
    ):
        value = rows.value
        wrong = (value < engine.lowest) | (value > engine.highest)
        if engine.whole:
            wrong |= value != np.rint(value)
        at = int(np.argmax(wrong))
        row = int(np.searchsorted(rows.row_start, at, side="right")) - 1
        raise FeatureRangeError(owner, row, int(rows.column[at]), float(value[at]), engine.domain())

"""What a learner has become, as arrays by name that others can compare bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

LearnedState = dict[str, NDArray[Any]]


def of_touched_features(
    numbers: Mapping[str, NDArray[Any]],
    n_features: int,
    started_with: Mapping[str, float] | None = None,
) -> LearnedState:
    """The numbers of the features that differ, in some bit, from those of a new learner.

    Each array has a number per feature and, where there is a constant feature, that of it at the
    end. ``columns`` says which features are left; ``constant`` has the last numbers, in the
    order of their names. So it does not matter how much room a learner has.

    >>> found = of_touched_features({"weight": np.array([0.0, 3.0, 0.0, 0.5])}, 3)
    >>> {name: array.tolist() for name, array in found.items()}
    {'columns': [1], 'weight': [3.0], 'constant': [0.5]}
    """
    touched = np.zeros(n_features, bool)
    for name, array in numbers.items():
        start = np.float64((started_with or {}).get(name, 0.0))
        touched |= array[:n_features].view(np.int64) != start.view(np.int64)
    columns = np.flatnonzero(touched)
    state: LearnedState = {"columns": columns.astype(np.int64)}
    state.update((name, array[columns]) for name, array in numbers.items())
    constant = [
        numbers[name][n_features] for name in sorted(numbers) if len(numbers[name]) > n_features
    ]
    if constant:
        state["constant"] = np.array(constant, np.float64)
    return state

"""The state of a learner as a certificate names it: arrays by name, and their digest.

Both sides, the replay and the learner, write down the same arrays. Numbers that belong to a
feature stand in arrays with a line per feature; of these only the features that differ from
a fresh learner's are kept, and ``columns`` says which they are. So the digest does not depend on
how much room a learner was given.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

State = Mapping[str, NDArray[Any]]


def sparse_state(
    by_feature: Mapping[str, NDArray[Any]],
    fresh: Mapping[str, Any] | None = None,
    **others: NDArray[Any] | float | int,
) -> dict[str, NDArray[Any]]:
    """The state with the features left out that are as they were at the start.

    Parameters
    ----------
    by_feature
        Arrays whose first axis is the feature.
    fresh
        What a feature starts with in each of them; zero where nothing is said.
    others
        What belongs to no feature: weights of the constant feature, totals, phases.

    Examples
    --------
    >>> found = sparse_state({"weight": np.array([0.0, 2.0, 0.0, -1.0])}, bias=0.5)
    >>> {name: array.tolist() for name, array in found.items()}
    {'columns': [1, 3], 'weight': [2.0, -1.0], 'bias': [0.5]}
    """
    started = fresh or {}
    changed: NDArray[np.bool_] | None = None
    for name, array in by_feature.items():
        # Compared as bits, so that -0.0 and 0.0 are two numbers.
        differs = array.view(f"u{array.itemsize}") != np.asarray(
            started.get(name, 0), array.dtype
        ).view(f"u{array.itemsize}")
        differs = differs.any(axis=tuple(range(1, differs.ndim)))
        changed = differs if changed is None else changed | differs
    columns = np.flatnonzero(changed) if changed is not None else np.zeros(0, np.int64)
    return {
        "columns": columns.astype(np.int64),
        **{name: np.ascontiguousarray(array[columns]) for name, array in by_feature.items()},
        **{name: np.atleast_1d(np.asarray(value)) for name, value in others.items()},
    }


def state_digest(state: State) -> str:
    """SHA-256 of the arrays in the order of their names.

    For each one ``<name>:<type><lengths>;`` and its bytes, little-endian.
    """
    whole = sha256()
    for name in sorted(state):
        array = np.ascontiguousarray(state[name])
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        lengths = ",".join(map(str, little.shape))
        whole.update(f"{name}:{little.dtype.str}{lengths};".encode())
        whole.update(little.tobytes())
    return whole.hexdigest()

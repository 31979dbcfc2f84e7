"""Halving and the standard optimal algorithm, replayed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import NotCertifiableError
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.concept_classes import (
    ClassData,
    class_size,
    table_bits,
    written_out,
)
from thresher.verifier.replays.littlestone import MOST_CONCEPTS, Dimensions, mask_of
from thresher.verifier.replays.playing import EXACT, Parameters, Replay

#: Numbers of concepts that may be looked at in all rounds together.
MOST_LOOKED_AT = 2**30
#: Numbers that could be looked at while a side's dimension is looked up.
LOOK_UP = 8

#: Whether the concepts left predict +1, from what each of them says.
Decision = Callable[[NDArray[Any], NDArray[np.bool_]], bool]


def _by_count(members: NDArray[np.int64], says: NDArray[np.bool_]) -> bool:
    return 2 * int(np.count_nonzero(says)) >= len(members)


def _by_dimension(
    dimensions: Dimensions, members: NDArray[np.int64], says: NDArray[np.bool_]
) -> bool:
    if not len(members):
        return True
    sides = (mask_of(members[side]) if side.any() else 0 for side in (says, ~says))
    positive, negative = map(dimensions.of, sides)
    return positive >= negative


def replay_halving(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of Halving: the majority of the concepts left decides.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> data = {"class": "Disjunctions", "n_variables": 3, "k": None, "negations": False}
    >>> stream = read_rows([[1, 0, 1], [0, 1, 0], [0, 1, 0]], [-1, 1, -1])
    >>> run = replay_halving(stream, {"concepts": data})
    >>> run.mistaken.tolist(), run.updates.tolist(), run.emptied_in_round
    ([0, 2], [0, 1, 2], 3)
    """
    return _replay(stream, parameters["concepts"], _by_count)


def replay_standard_optimal(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of the standard optimal algorithm: the side of larger dimension decides."""
    data = parameters["concepts"]
    if class_size(data) > MOST_CONCEPTS:
        raise NotCertifiableError(
            f"the class has {class_size(data)} concepts; Littlestone dimensions are searched for "
            f"among at most {MOST_CONCEPTS}."
        )
    decide = partial(_by_dimension, Dimensions(table_bits(data)))
    return _replay(stream, data, decide, LOOK_UP)


def _replay(stream: LabelledRows, data: ClassData, predicts: Decision, each: int = 1) -> Replay:
    concepts = written_out(data)
    left = concepts.members
    mistaken, updates, emptied, looked_at = [], [], None, 0
    for t, y in enumerate(stream.label.tolist()):
        looked_at += each * (left.size + data["n_variables"])
        if looked_at > MOST_LOOKED_AT:
            raise NotCertifiableError(
                f"after {t} rounds {len(left)} concepts are left, and more than {MOST_LOOKED_AT} "
                "were looked at on the way, which is the limit of a check. Use a smaller class."
            )
        says = concepts.says(left, stream.column[stream.inside(t, t + 1)])
        if predicts(left, says) != (y > 0):
            mistaken.append(t)
        agrees = says == (y > 0)
        if not agrees.all():
            updates.append(t)
            left = left[agrees]
            emptied = None if len(left) else t + 1

    def leans(rows: LabelledRows) -> NDArray[np.float64]:
        found = (
            predicts(left, concepts.says(left, rows.column[rows.inside(t, t + 1)]))
            for t in range(len(rows))
        )
        return np.array([1.0 if positive else -1.0 for positive in found], np.float64)

    return Replay(
        np.array(mistaken, np.int64),
        np.array(updates, np.int64),
        EXACT,
        emptied,
        state={"concepts": _in_order(left)},
        leans=leans,
    )


def _in_order(left: NDArray[np.int64]) -> NDArray[np.int64]:
    """The concepts left, a line each: by their first number, then by their second, and so on."""
    codes = left[:, np.newaxis] if left.ndim == 1 else left
    # Sets of no literals at all have no number to go by, and there is one of them.
    order = np.lexsort(codes.T[::-1]) if codes.shape[1] else np.arange(len(codes))
    return np.ascontiguousarray(codes[order])

"""Learners with a table of weights for several classes, replayed: what comes before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import CertificateError
from thresher.verifier.compiled.class_rounds import ClassRounds
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.class_order import ClassOrder
from thresher.verifier.replays.columns import Columns
from thresher.verifier.replays.playing import FLOAT64, Parameters, Replay
from thresher.verifier.state import State, sparse_state

#: Numbers in a table, of which there are two: a gigabyte in all.
MOST_NUMBERS = 2**26

#: Scores of all classes in all rounds.
MOST_SCORES = 2**31

Rounds = TypeVar("Rounds", bound=ClassRounds)


def prepared(
    kind: type[Rounds],
    stream: LabelledRows,
    parameters: Parameters,
    *,
    bias: bool = False,
    start: State | None = None,
) -> tuple[Rounds, ClassOrder, Columns]:
    """The rounds of a learner, not yet played, on classes and columns as it numbers them.

    With a `start` there is room for its columns, and its classes are known.
    """
    order = ClassOrder.of(stream, parameters, start)
    n_classes = len(order.classes)
    columns = Columns.of(stream, n_classes, None if start is None else start["columns"])
    if (columns.width + 1) * n_classes > MOST_NUMBERS:
        raise CertificateError(
            f"{n_classes} classes with {columns.width} features are more than a replay has room "
            "for."
        )
    if len(stream) * n_classes > MOST_SCORES:
        raise CertificateError(
            f"{n_classes} classes scored in {len(stream)} rounds are more than a replay has time "
            "for."
        )
    rounds = kind(columns.stream, order.label, columns.width + 1, n_classes, order.n_stated, bias)
    return rounds, order, columns


def replayed(
    rounds: ClassRounds,
    order: ClassOrder,
    columns: Columns,
    numbers: Mapping[str, NDArray[Any]],
    fresh: Mapping[str, float] | None = None,
    **others: NDArray[Any] | float,
) -> Replay:
    """What came of rounds that were played, `numbers` having a line for each feature.

    The facts are the mistakes by class, and how many of them left all weights as they were.
    """
    wrong = rounds.predicted() != order.label
    mistaken, idle = np.flatnonzero(wrong), int(np.count_nonzero(wrong & ~rounds.moved()))
    state = sparse_state(numbers, fresh, classes=order.names(), **others)
    state["columns"] = columns.as_given(state["columns"])

    def names(rows: LabelledRows) -> list[str | None]:
        found = rounds.classify(columns.further(rows)).tolist()
        return [order.classes[number] if number >= 0 else None for number in found]

    return Replay(
        mistaken,
        np.flatnonzero(rounds.changed()),
        FLOAT64,
        state=state,
        facts={
            "mistakes_by_class": order.mistakes_by_class(mistaken),
            "idle_mistakes": (idle,),
        },
        names=names,
    )

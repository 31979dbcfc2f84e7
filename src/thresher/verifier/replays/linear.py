"""Learners that score by weights, replayed by compiled loops: what comes before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.compiled.linear_rounds import LinearRounds
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.columns import Columns, narrowed
from thresher.verifier.replays.options import class_weights, scaled_rows, scales_online
from thresher.verifier.replays.playing import FLOAT64, Parameters, Replay
from thresher.verifier.state import State, sparse_state

Rounds = TypeVar("Rounds", bound=LinearRounds)


def prepared(
    kind: type[Rounds], stream: LabelledRows, parameters: Parameters, start: State | None = None
) -> tuple[Rounds, Columns]:
    """The rounds of a learner, not yet played, on rows scaled as its options say.

    With a `start` there is room for its columns; `played` begins with it.
    """
    known = None if start is None else start["columns"]
    columns = Columns.of(scaled_rows(stream, parameters), more=known)
    rounds = kind(
        columns.stream,
        # One more, for features of further rows that no row has had.
        columns.width + 1,
        bool(parameters.get("bias", False)),
        class_weights(parameters),
        bool(parameters.get("average", False)),
        scales_online(parameters),
    )
    return rounds, columns


def played(
    rounds: LinearRounds,
    columns: Columns,
    parameters: Parameters,
    *,
    arithmetic: str = FLOAT64,
    fresh: Mapping[str, float] | None = None,
    known: NDArray[np.bool_] | None = None,
    start: State | None = None,
    **others: NDArray[Any] | float,
) -> Replay:
    """Play all rounds; what each feature starts with is 0 unless `fresh` says otherwise.

    With a `start` the learner is no new one: it begins as another run has left it.

    Of a learner that changes on mistakes alone, `known` says which rounds were mistaken, where
    others have found that out already: then no row is scored.
    """
    stream = columns.stream
    if start is not None:
        begin_with(rounds, columns, start, fresh or {})
    if known is None:
        rounds.play(0, len(stream))
    else:
        rounds.absorb(known.view(np.uint8), len(stream))
    numbers = rounds.by_feature()
    if parameters.get("average", False):
        # The mean goes by the number of rounds.
        others["rounds"] = np.array([len(stream)], np.int64)
    state = linear_state(numbers, columns, bool(parameters.get("bias", False)), fresh or {}, others)

    width = columns.as_given(np.array([columns.width - 1]))[0] + 1 if columns.width else 0

    def leans(rows: LabelledRows) -> NDArray[np.float64]:
        if parameters.get("n_features") is None:
            # A learner that grows has no place for features that no row has had.
            rows = narrowed(rows, width)
        return rounds.lean(columns.further(scaled_rows(rows, parameters)), len(stream))

    return Replay(
        rounds.mistaken_rounds() if known is None else np.flatnonzero(known),
        rounds.updating_rounds(),
        arithmetic,
        state=state,
        margins=rounds.margins() if known is None else None,
        leans=leans,
    )


def begin_with(
    rounds: LinearRounds, columns: Columns, start: State, fresh: Mapping[str, float]
) -> None:
    """Give each feature the numbers that a state has for it; see `linear_state`."""
    places = columns.places(start["columns"])
    named = {name: array.copy() for name, array in rounds.by_feature().items()}
    last = iter(start.get("constant", ()))
    for name in sorted(named):
        array = named[name]
        array[:] = fresh.get(name, 0.0)
        array[places] = start[name]
        if "constant" in start and name != "scale":
            array[-1] = next(last)
    rounds.begin_with(named)


def linear_state(
    numbers: Mapping[str, NDArray[np.float64]],
    columns: Columns,
    bias: bool,
    fresh: Mapping[str, float],
    others: Mapping[str, NDArray[Any] | float],
) -> dict[str, NDArray[Any]]:
    """The state by feature; ``constant`` has the constant feature's numbers, by their names.

    A scale belongs to features that are given, never to the constant one.
    """
    state = sparse_state(
        {name: array[: columns.width] for name, array in numbers.items()}, fresh, **others
    )
    state["columns"] = columns.as_given(state["columns"])
    if bias:
        last = [float(numbers[name][-1]) for name in sorted(numbers) if name != "scale"]
        state["constant"] = np.array(last)
    return state

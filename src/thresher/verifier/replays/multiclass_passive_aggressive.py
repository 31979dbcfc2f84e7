"""Passive-Aggressive with several classes, replayed."""

from __future__ import annotations

from thresher.verifier.compiled.additive_classes import AdditiveClasses
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.class_tables import prepared, replayed
from thresher.verifier.replays.playing import Parameters, Replay
from thresher.verifier.state import State


def replay_multiclass_passive_aggressive(
    stream: LabelledRows, parameters: Parameters, *, start: State | None = None
) -> Replay:
    """The run of multiclass Passive-Aggressive.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[2, 0], [0, 2], [2, 0]], ["a", "b", "a"], ["a", "b"])
    >>> run = replay_multiclass_passive_aggressive(
    ...     stream, {"variant": "PA-I", "C": 1, "bias": False, "classes": None}
    ... )
    >>> run.mistaken.tolist(), run.state["weight"].tolist()
    ([0, 1], [[0.25, -0.25], [-0.25, 0.25]])
    """
    bias = bool(parameters["bias"])
    rounds, order, columns = prepared(AdditiveClasses, stream, parameters, bias=bias, start=start)
    rounds.set_rule(parameters["variant"], False, float(parameters["C"]))
    if start is not None:
        rounds.begin_with(columns.places(start["columns"]), start["weight"], start["bias"])
    rounds.play()
    table = rounds.table()
    return replayed(rounds, order, columns, {"weight": table[:-1]}, bias=table[-1])

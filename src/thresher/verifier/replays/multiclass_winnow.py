"""Normalised and signed Winnow with several classes, replayed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from numpy.typing import NDArray

from thresher.theory import eta_star
from thresher.verifier.compiled.exponentiated_classes import ExponentiatedClasses
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.class_tables import prepared, replayed
from thresher.verifier.replays.playing import Parameters, Replay
from thresher.verifier.state import State


def step_of(parameters: Parameters) -> float:
    """The step that was given, or the best one for the margin; 20 is as good as infinite.

    >>> step_of({"eta": None, "margin": Fraction(1)})
    20.0
    """
    if parameters["eta"] is not None:
        return float(Fraction(parameters["eta"]))
    return min(eta_star(Fraction(parameters["margin"]), 1), 20.0)


def replay_multiclass_winnow(
    stream: LabelledRows, parameters: Parameters, *, signed: bool, start: State | None = None
) -> Replay:
    """The run of a multiclass normalised or signed Winnow.

    The state has the duals of the features that some update has touched, and the largest dual
    when weights last grew too large, which is subtracted from all of them.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 0], [0, 1], [1, 0]], ["a", "b", "a"], ["a", "b"])
    >>> given = {"eta": Fraction(1), "margin": None, "update": "max", "classes": None}
    >>> run = replay_multiclass_winnow(stream, given, signed=True)
    >>> run.mistaken.tolist(), run.state["dual"].tolist()
    ([0, 1], [[-1.0, 1.0]])
    """
    rounds, order, columns = prepared(ExponentiatedClasses, stream, parameters, start=start)
    rounds.set_rule(step_of(parameters), signed, parameters["update"] == "uniform")
    if start is not None:
        less = float(start["subtracted"][0])
        rounds.take_duals(columns.places(start["columns"]), start["dual"], less)
    rounds.play()
    numbers: dict[str, NDArray[Any]] = {
        "dual": rounds.duals()[:-1],
        "touched": rounds.touched()[:-1],
    }
    return replayed(rounds, order, columns, numbers, subtracted=rounds.subtracted)

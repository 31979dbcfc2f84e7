"""The Perceptron with several classes, replayed."""

from __future__ import annotations

from thresher.verifier.compiled.additive_classes import AdditiveClasses
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.class_tables import prepared, replayed
from thresher.verifier.replays.playing import Parameters, Replay
from thresher.verifier.state import State


def replay_multiclass_perceptron(
    stream: LabelledRows, parameters: Parameters, *, start: State | None = None
) -> Replay:
    """The run of the multiclass Perceptron.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 0], [0, 1], [2, 1]], ["law", "art", "law"], ["law", "art"])
    >>> run = replay_multiclass_perceptron(
    ...     stream, {"update": "max", "bias": False, "classes": None}
    ... )
    >>> run.mistaken.tolist(), run.facts["mistakes_by_class"], run.state["weight"].tolist()
    ([0, 1, 2], (2, 1), [[2.0, -2.0]])
    """
    bias = bool(parameters["bias"])
    rounds, order, columns = prepared(AdditiveClasses, stream, parameters, bias=bias, start=start)
    rounds.set_rule("perceptron", parameters["update"] == "uniform", 1.0)
    if start is not None:
        rounds.begin_with(columns.places(start["columns"]), start["weight"], start["bias"])
    rounds.play()
    table = rounds.table()
    return replayed(rounds, order, columns, {"weight": table[:-1]}, bias=table[-1])

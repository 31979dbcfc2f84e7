"""The sparse network of Winnows, replayed."""

from __future__ import annotations

from math import inf

from thresher.verifier.compiled.network_classes import NetworkClasses
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.class_tables import prepared, replayed
from thresher.verifier.replays.playing import Parameters, Replay


def replay_sparse_network(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of a sparse network; the dual of a link that is not there is minus infinity.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 1, 0], [0, 1, 1], [1, 0, 0]], ["a", "b", "a"], ["a", "b"])
    >>> given = {"beta": 1, "threshold": 1, "start": 0.5, "classes": None}
    >>> run = replay_sparse_network(stream, given)
    >>> run.mistaken.tolist(), run.state["dual"].tolist()
    ([0, 1], [[1.0, -inf], [0.0, 1.0], [-inf, 1.0]])
    """
    rounds, order, columns = prepared(NetworkClasses, stream, parameters)
    base = 1.0 + float(parameters["beta"])
    rounds.set_rule(base, float(parameters["start"]), float(parameters["threshold"]))
    rounds.play()
    return replayed(rounds, order, columns, {"dual": rounds.duals()[:-1]}, {"dual": -inf})

"""Modified Balanced Winnow, replayed."""

from __future__ import annotations

from thresher.verifier.compiled.shared_rows import SharedRows
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.linear import played, prepared
from thresher.verifier.replays.playing import Parameters, Replay


def replay_modified_balanced_winnow(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of Modified Balanced Winnow, which always has a constant feature.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> given = {"promotion": 1.5, "demotion": 0.5, "margin": 1}
    >>> run = replay_modified_balanced_winnow(read_rows([[1, 0], [0, 1]], [1, -1]), given)
    >>> run.mistaken.tolist(), run.updates.tolist()
    ([1], [0, 1])
    """
    with_constant = {**parameters, "bias": True}
    rounds, columns = prepared(SharedRows, stream, with_constant)
    factors = float(parameters["promotion"]), float(parameters["demotion"])
    rounds.set_rule(*factors, float(parameters["margin"]))
    fresh = {"upper": rounds.first_logarithm}
    return played(rounds, columns, with_constant, fresh=fresh)

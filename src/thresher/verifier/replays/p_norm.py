"""The p-norm Perceptron, replayed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from thresher.verifier.compiled.p_norm_duals import PNormRounds
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.linear import played, prepared
from thresher.verifier.replays.playing import Parameters, Replay
from thresher.verifier.state import State


def replay_p_norm(
    stream: LabelledRows, parameters: Parameters, *, start: State | None = None
) -> Replay:
    """The run of the p-norm Perceptron.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 1, 0], [1, 0, 1]], [-1, -1])
    >>> run = replay_p_norm(stream, {"p": 4, "margin": 0, "bias": False})
    >>> run.mistaken.tolist(), run.state["dual"].tolist()
    ([0], [-1.0, -1.0])
    """
    rounds, columns = prepared(PNormRounds, stream, parameters, start)
    rounds.set_rule(float(parameters["p"]), float(parameters["margin"]))
    found = played(rounds, columns, parameters, start=start)
    return replace(found, state={**found.state, "powers": np.array(rounds.powers)})

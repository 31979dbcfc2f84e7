"""Passive-Aggressive, AROW and AdaGrad, replayed."""

from __future__ import annotations

from thresher.verifier.compiled.hinge_steps import (
    AdaGradRounds,
    ArowRounds,
    PassiveAggressiveRounds,
)
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.linear import played, prepared
from thresher.verifier.replays.playing import ONE_OF_SEVERAL, Parameters, Replay
from thresher.verifier.state import State

VARIANTS = ("PA", "PA-I", "PA-II")
LOSSES = ("hinge", "logistic")


def replay_passive_aggressive(
    stream: LabelledRows, parameters: Parameters, *, start: State | None = None
) -> Replay:
    """The run of a Passive-Aggressive learner.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> given = {"variant": "PA", "C": 1, "bias": False}
    >>> run = replay_passive_aggressive(read_rows([[2, 0], [0, 1], [2, 1]], [-1, 1, -1]), given)
    >>> run.mistaken.tolist(), run.updates.tolist(), run.state["weight"].tolist()
    ([0, 2], [0, 1, 2], [-0.9, 0.8])
    """
    rounds, columns = prepared(PassiveAggressiveRounds, stream, parameters, start)
    rounds.set_rule(VARIANTS.index(parameters["variant"]), float(parameters["C"]))
    return played(rounds, columns, parameters, start=start)


def replay_arow(
    stream: LabelledRows, parameters: Parameters, *, start: State | None = None
) -> Replay:
    """The run of AROW with one precision for each weight.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 0], [1, 1], [1, 1]], [1, -1, -1])
    >>> run = replay_arow(stream, {"r": 1, "bias": False})
    >>> run.mistaken.tolist(), run.state["precision"].tolist()
    ([1], [4.0, 3.0])
    """
    rounds, columns = prepared(ArowRounds, stream, parameters, start)
    rounds.set_rule(float(parameters["r"]), bool(parameters.get(ONE_OF_SEVERAL)))
    return played(rounds, columns, parameters, fresh={"precision": 1.0}, start=start)


def replay_adagrad(
    stream: LabelledRows, parameters: Parameters, *, start: State | None = None
) -> Replay:
    """The run of AdaGrad on the hinge or the logistic loss."""
    rounds, columns = prepared(AdaGradRounds, stream, parameters, start)
    rounds.set_rule(float(parameters["rate"]), parameters["loss"] == "logistic")
    return played(rounds, columns, parameters, start=start)

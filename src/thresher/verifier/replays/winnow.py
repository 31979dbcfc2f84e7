"""Winnow and Balanced Winnow, replayed."""

from __future__ import annotations

from fractions import Fraction

from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.multiplicative import MultiplicativeMachine, dual_arithmetic
from thresher.verifier.replays.playing import Parameters, Replay, play
from thresher.verifier.replays.weight_base import WeightBase


def replay_winnow(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of Winnow.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> given = {"beta": Fraction(1), "threshold": Fraction(3), "zeroing": False}
    >>> stream = read_rows([[1, 0, 1], [1, 1, 0], [1, 1, 0]], [1, 1, -1])
    >>> replay_winnow(stream, given).mistaken.tolist()
    [0, 2]
    """
    machine = MultiplicativeMachine(
        stream,
        WeightBase(1 + Fraction(parameters["beta"])),
        Fraction(parameters["threshold"]),
        zeroing=parameters["zeroing"],
    )
    return _played(machine)


def replay_balanced_winnow(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of Balanced Winnow, whose second weight is the inverse of the first."""
    machine = MultiplicativeMachine(
        stream,
        WeightBase(1 + Fraction(parameters["beta"])),
        Fraction(parameters["threshold"]),
        mirrored=True,
    )
    return _played(machine)


def _played(machine: MultiplicativeMachine) -> Replay:
    mistaken = play(machine, machine.stream.label)
    return Replay(mistaken, mistaken, dual_arithmetic(machine.stream, len(mistaken)))

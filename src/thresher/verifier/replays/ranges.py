"""A part of a run, played from what the mistakes before it left.

A learner that changes on mistakes alone is, before any round, what its mistakes so far have made of
it. Whoever is told which rounds were mistaken can therefore begin anywhere: others begin
elsewhere, at the same time, and what all of them find is the whole run if each finds what
was claimed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.compiled.linear_rounds import LinearRounds
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.exponentiated import exponentiated_rounds
from thresher.verifier.replays.perceptron import perceptron_rounds
from thresher.verifier.replays.playing import Parameters
from thresher.verifier.replays.winnow import winnow_rounds

Claimed = NDArray[np.bool_]


def perceptron_range(
    stream: LabelledRows, parameters: Parameters, claimed: Claimed, first: int, stop: int
) -> NDArray[np.bool_]:
    """Which of the rounds first..stop-1 the Perceptron gets wrong.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 0], [0, 1], [2, 0]], [-1, -1, -1])
    >>> claimed = np.array([True, True, False])
    >>> perceptron_range(stream, {"bias": False}, claimed, 1, 3).tolist()
    [True, False]
    """
    return _part(perceptron_rounds(stream, parameters)[0], claimed, first, stop)


def winnow_range(
    stream: LabelledRows,
    parameters: Parameters,
    claimed: Claimed,
    first: int,
    stop: int,
    *,
    mirrored: bool,
) -> NDArray[np.bool_]:
    """The same for Winnow and Balanced Winnow."""
    rounds, _ = winnow_rounds(stream, parameters, mirrored=mirrored)
    return _part(rounds, claimed, first, stop)


def exponentiated_range(
    stream: LabelledRows,
    parameters: Parameters,
    claimed: Claimed,
    first: int,
    stop: int,
    *,
    signed: bool,
) -> NDArray[np.bool_]:
    """The same for normalised and signed Winnow, phases included."""
    rounds, _ = exponentiated_rounds(stream, parameters, signed=signed)
    return _part(rounds, claimed, first, stop)


def _part(rounds: LinearRounds, claimed: Claimed, first: int, stop: int) -> NDArray[np.bool_]:
    rounds.absorb(claimed.view(np.uint8), first)
    rounds.play(first, stop)
    return rounds.mistaken_among(first, stop)

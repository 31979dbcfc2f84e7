"""The Perceptron, replayed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.playing import EXACT, FLOAT64, Parameters, Replay, play


class PerceptronMachine:
    """w += y x after a mistake; sums run over increasing columns, the bias last."""

    def __init__(self, stream: LabelledRows, bias: bool) -> None:
        self.stream = stream
        self.weight = np.zeros(stream.width)
        self.bias = bias
        self.bias_weight = 0.0

    def says_positive(self, first: int, stop: int) -> NDArray[np.bool_]:
        """Scores of a block; `bincount` adds up each row from left to right."""
        stream, inside = self.stream, self.stream.inside(first, stop)
        terms = self.weight[stream.column[inside]] * stream.value[inside]
        scores = np.bincount(stream.row[inside] - first, terms, stop - first)
        return np.asarray(scores + self.bias_weight >= 0.0)

    def update(self, t: int) -> None:
        """Add the row, with the sign of its label."""
        inside, y = self.stream.inside(t, t + 1), float(self.stream.label[t])
        self.weight[self.stream.column[inside]] += y * self.stream.value[inside]
        if self.bias:
            self.bias_weight += y


def replay_perceptron(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The Perceptron's run in double precision, and whether anything can have rounded.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1, 0], [0, 1], [2, 0]], [-1, -1, -1])
    >>> run = replay_perceptron(stream, {"bias": False})
    >>> run.mistaken.tolist(), run.arithmetic
    ([0, 1], 'exact')
    """
    mistaken = play(PerceptronMachine(stream, parameters["bias"]), stream.label)
    return Replay(mistaken, mistaken, EXACT if _is_exact(stream, len(mistaken)) else FLOAT64)


def _is_exact(stream: LabelledRows, mistakes: int) -> bool:
    """Whether all sums are whole multiples of one power of two, fewer than 2^53 of it.

    Then no sum rounds. With values that are multiples of 2^-k and at most a, weights are
    multiples of 2^-k and at most mistakes * a, and partial scores of n terms multiples of
    4^-k and at most n * mistakes * a^2.
    """
    k = stream.binary_places
    if k is None:
        return False
    largest = max(int(np.ceil(np.max(np.abs(stream.value), initial=1.0))), 1)
    terms = int(np.diff(stream.row_start).max(initial=0)) + 1
    return (terms * max(mistakes, 1) * largest**2) << (2 * k) < 2**53

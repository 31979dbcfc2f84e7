"""The conjunction learner, replayed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.literals import active_and_left, as_kept, columns_of, removed_state
from thresher.verifier.replays.playing import EXACT, Parameters, Replay, play


class Conjoiner:
    """+1 when every feature left is active; a false negative removes the inactive ones."""

    def __init__(self, stream: LabelledRows, n_features: int) -> None:
        self.stream = stream
        self.left = np.ones(n_features)
        self.removed_in = np.full(n_features, len(stream))

    def says_positive(self, first: int, stop: int) -> NDArray[np.bool_]:
        """Whether no feature left is off."""
        inside = self.stream.inside(first, stop)
        left = self.left[self.stream.column[inside]]
        active = np.bincount(self.stream.row[inside] - first, left, stop - first)
        return np.asarray(active >= self.left.sum())

    def update(self, t: int) -> None:
        """Keep the active features of a positive row."""
        if self.stream.label[t] > 0:
            kept = np.zeros_like(self.left)
            columns = self.stream.column[self.stream.inside(t, t + 1)]
            kept[columns] = self.left[columns]
            self.removed_in[(self.left > 0.0) & (kept == 0.0)] = t
            self.left = kept


def replay_conjunction(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of the conjunction learner; exact, since it counts."""
    rows = as_kept(stream, parameters)
    machine = Conjoiner(rows, columns_of(parameters))
    mistaken = play(machine, stream.label)
    gone = np.searchsorted(np.sort(machine.removed_in), np.arange(len(stream)))
    # The score is minus the number of features left that are off, and the threshold is 0.
    margins = active_and_left(rows, machine.removed_in) - (columns_of(parameters) - gone)
    return Replay(mistaken, mistaken, EXACT, state=removed_state(machine.left), margins=margins)

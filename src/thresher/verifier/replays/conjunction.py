"""The conjunction learner, replayed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.columns import Columns
from thresher.verifier.replays.literals import active_and_left, as_kept, columns_of
from thresher.verifier.replays.playing import EXACT, Parameters, Replay, play


class Conjoiner:
    """+1 when every feature left is active; a false negative removes the inactive ones."""

    def __init__(self, stream: LabelledRows, width: int, size: int) -> None:
        self.stream = stream
        # One more, for features that no row has.
        self.left = np.ones(width + 1)
        self.removed_in = np.full(width + 1, len(stream))
        #: Features left, those among them that no row has included.
        self.size = size
        #: The same when each round began, as far as it differs from the next.
        self.sizes = [(len(stream), self.size)]

    def says_positive(self, first: int, stop: int) -> NDArray[np.bool_]:
        """Whether no feature left is off."""
        inside = self.stream.inside(first, stop)
        left = self.left[self.stream.column[inside]]
        active = np.bincount(self.stream.row[inside] - first, left, stop - first)
        return np.asarray(active >= self.size)

    def leans(self, rows: LabelledRows) -> NDArray[np.float64]:
        """1 or -1 for each of further rows."""
        says = Conjoiner(rows, 0, self.size)
        says.left = self.left
        return np.where(says.says_positive(0, len(rows)), 1.0, -1.0)

    def update(self, t: int) -> None:
        """Keep the active features of a positive row."""
        if self.stream.label[t] > 0:
            kept = np.zeros_like(self.left)
            columns = self.stream.column[self.stream.inside(t, t + 1)]
            kept[columns] = self.left[columns]
            self.removed_in[(self.left > 0.0) & (kept == 0.0)] = t
            self.left = kept
            self.sizes.insert(-1, (t, self.size))
            self.size = int(np.count_nonzero(kept))
            self.sizes[-1] = (len(self.stream.label), self.size)


def replay_conjunction(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of the conjunction learner; exact, since it counts.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> given = {"n_features": 10**9, "literals": False}
    >>> run = replay_conjunction(read_rows([[1, 1, 0, 1], [1, 0, 0, 1]], [1, 1]), given)
    >>> run.mistaken.tolist(), run.state["columns"].tolist()
    ([0, 1], [0, 3])
    """
    columns = Columns.of(as_kept(stream, parameters))
    whole = columns_of(parameters)
    machine = Conjoiner(columns.stream, columns.width, whole)
    mistaken = play(machine, stream.label)
    removed = machine.size < whole
    # As long as nothing was removed all are left, and there is nothing to list.
    left = np.flatnonzero(machine.left[:-1]) if removed else np.zeros(0, np.int64)
    state: dict[str, NDArray[Any]] = {
        "columns": columns.as_given(left),
        "removed": np.array([removed], np.int8),
    }
    # The score is minus the number of features left that are off, and the threshold is 0.
    until, sizes = np.array(machine.sizes).T
    left_then = sizes[np.searchsorted(until, np.arange(len(stream)))]
    margins = active_and_left(columns.stream, machine.removed_in) - left_then

    def leans(rows: LabelledRows) -> NDArray[np.float64]:
        return machine.leans(columns.further(as_kept(rows, parameters)))

    return Replay(mistaken, mistaken, EXACT, state=state, margins=margins, leans=leans)

"""Elimination, replayed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.columns import Columns
from thresher.verifier.replays.literals import active_and_left, as_kept
from thresher.verifier.replays.playing import EXACT, Parameters, Replay, play
from thresher.verifier.state import sparse_state


class Eliminator:
    """+1 when an active feature is left; a false positive removes the active features."""

    def __init__(self, stream: LabelledRows, width: int) -> None:
        self.stream = stream
        self.left = np.ones(width)
        self.removed_in = np.full(width, len(stream))

    def says_positive(self, first: int, stop: int) -> NDArray[np.bool_]:
        """Whether some active feature is left."""
        inside = self.stream.inside(first, stop)
        left = self.left[self.stream.column[inside]]
        return np.bincount(self.stream.row[inside] - first, left, stop - first) >= 1

    def leans(self, rows: LabelledRows) -> NDArray[np.float64]:
        """1 or -1 for each of further rows."""
        says = Eliminator(rows, 0)
        says.left = self.left
        return np.where(says.says_positive(0, len(rows)), 1.0, -1.0)

    def update(self, t: int) -> None:
        """Remove the active features of a negative row."""
        if self.stream.label[t] < 0:
            columns = self.stream.column[self.stream.inside(t, t + 1)]
            self.left[columns] = 0.0
            self.removed_in[columns] = np.minimum(self.removed_in[columns], t)


def replay_elimination(stream: LabelledRows, parameters: Parameters) -> Replay:
    """The run of Elimination; exact, since it counts."""
    columns = Columns.of(as_kept(stream, parameters))
    # One more, for features of further rows: nothing has removed them.
    machine = Eliminator(columns.stream, columns.width + 1)
    mistaken = play(machine, stream.label)
    # The dual of a feature that was removed is minus infinity.
    state = sparse_state({"dual": np.where(machine.left[:-1] > 0.0, 0.0, -np.inf)})
    state["columns"] = columns.as_given(state["columns"])
    # The score counts what is left, and the threshold is 1.
    margins = active_and_left(columns.stream, machine.removed_in) - 1.0

    def leans(rows: LabelledRows) -> NDArray[np.float64]:
        return machine.leans(columns.further(as_kept(rows, parameters)))

    return Replay(mistaken, mistaken, EXACT, state=state, margins=margins, leans=leans)

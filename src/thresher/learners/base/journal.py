"""Journal: the rows that changed a learner, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StateError
from thresher.kernels.rows.journal import JournalBuffer
from thresher.parameters import checked_count
from thresher.records import record
from thresher.streams.batch import Batch
from thresher.streams.labels import SIGNS, Label

if TYPE_CHECKING:
    from thresher.learners.base.multiclass_journal import MulticlassJournalBuffer

#: Memory a journal may take unless its learner is told otherwise.
DEFAULT_BYTES = 256 * 2**20


def journal_buffer(owner: str, journal_bytes: int) -> JournalBuffer:
    """An empty journal with room for `journal_bytes` bytes of rows."""
    return JournalBuffer(checked_count(owner, "journal_bytes", journal_bytes, 0, 2**48))


def check_history(counts: tuple[int, ...], journal: Any, n_features: int) -> None:
    """Refuse saved counts (rounds, false negatives, false positives, ...) that cannot be."""
    whole = all(type(count) is int and 0 <= count < 2**62 for count in counts)
    if not whole or len(counts) != 4 or counts[1] + counts[2] > counts[0]:
        raise StateError(f"rounds and mistakes of a run cannot be counted as {counts}.")
    if not isinstance(journal, JournalBuffer) or len(journal) + journal.omitted > counts[0]:
        raise StateError("the journal has more updates than there were rounds.")
    _, column, _, _, round_number = journal.parts()
    if len(round_number) and round_number[-1] >= counts[0]:
        raise StateError("the journal has an update after the last round.")
    if np.max(column, initial=-1) >= n_features:
        raise StateError("the journal has a feature that the learner has no weight for.")


@record(eq=False, repr=False)
class Journal(Batch):
    """The rows of a run that caused updates, in order: replaying them rebuilds the learner.

    A snapshot: later updates are not in it. ``round_number[k]`` is the round (counted from 0) in
    which row ``k`` came. Memory is bounded: once the limit is reached, ``omitted`` later updates
    are missing and ``complete`` is false.
    """

    round_number: NDArray[np.int64]
    omitted: int

    @classmethod
    def snapshot(
        cls, buffer: JournalBuffer | MulticlassJournalBuffer, classes: tuple[Label, ...] = SIGNS
    ) -> Journal:
        """The present content of a learner's buffer."""
        row_start, column, value, label, round_number = buffer.arrays()
        if classes == SIGNS and label.dtype != np.int8:
            # The classes of a learner of several may be -1 and +1; a batch has these as labels.
            label = np.where(label > 0, 1, -1).astype(np.int8)
        return cls(
            row_start,
            column,
            value,
            label,
            round_number,
            buffer.omitted,
            classes=classes,
            importance=buffer.weights(),
        )

    @property
    def complete(self) -> bool:
        """Whether every update is here."""
        return self.omitted == 0

    def _slice(self, rows: slice) -> dict[str, Any]:
        rounds = {"round_number": self.round_number[rows], "omitted": self.omitted}
        return Batch._slice(self, rows) | rounds

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return (*Batch._arrays(self), self.round_number, np.array([self.omitted]))

    def __repr__(self) -> str:
        kept = f"{len(self)} updates" if self.complete else f"first {len(self)} updates"
        lost = "" if self.complete else f", {self.omitted} later ones omitted"
        return f"Journal({kept}{lost})"

"""The journal of a learner with several classes: the rows that changed it, in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StateError
from thresher.learners.base.class_table import Label
from thresher.learners.base.multiclass_rounds import named
from thresher.parameters import checked_count
from thresher.streams.rows import Rows

#: Bytes of a row (its end, class and round), and of a value with its column.
ROW_BYTES, VALUE_BYTES = 20, 12


class ClassJournalBuffer:
    """Rows with their classes and rounds; at most `limit` bytes of them.

    When the limit is reached the journal keeps what it has, a true prefix, and counts what it
    could not keep.
    """

    def __init__(self, owner: str, limit: int) -> None:
        self.limit = checked_count(owner, "journal_bytes", limit, 0, 2**48)
        self.omitted = 0
        self.warned = False
        #: Lengths of rows, columns, values, classes and rounds, as they came.
        self._pieces: list[tuple[NDArray[Any], ...]] = []
        self._rows = 0
        self._values = 0

    def __len__(self) -> int:
        return self._rows

    def append(
        self, rows: Rows, label: NDArray[np.int32], changed: NDArray[np.bool_], first: int
    ) -> None:
        """Keep the rows that changed the learner; `first` is the round of the first row."""
        at = np.flatnonzero(changed)
        if not len(at):
            return
        length = np.diff(rows.row_start)
        kept = self._room(length[at])
        self.omitted += len(at) - kept
        if not kept:
            return
        chosen = np.zeros(len(rows), bool)
        chosen[at[:kept]] = True
        inside = np.repeat(chosen, length)
        self._add(
            length[chosen],
            rows.column[inside],
            rows.value[inside],
            label[chosen],
            first + at[:kept],
        )

    def append_row(
        self, row: tuple[NDArray[np.int32], NDArray[np.float64]], label: int, round_number: int
    ) -> None:
        """Keep one row."""
        column, value = row
        length = np.array([len(column)], np.int64)
        if self._room(length):
            label_, round_ = np.array([label], np.int32), np.array([round_number], np.int64)
            self._add(length, column, value, label_, round_)
        else:
            self.omitted += 1

    def _room(self, length: NDArray[np.int64]) -> int:
        """How many of the rows, in order, can be kept."""
        if self.omitted:
            return 0
        used = self._rows * ROW_BYTES + self._values * VALUE_BYTES
        needed = used + np.cumsum(ROW_BYTES + VALUE_BYTES * length)
        return int(np.searchsorted(needed, self.limit, side="right"))

    def _add(self, *piece: NDArray[Any]) -> None:
        self._pieces.append(piece)
        self._rows += len(piece[0])
        self._values += len(piece[1])

    def arrays(self) -> tuple[NDArray[Any], ...]:
        """(row_start, column, value, label, round_number) of all rows kept."""
        types = (np.int64, np.int32, np.float64, np.int32, np.int64)
        nothing = tuple(np.empty(0, dtype) for dtype in types)
        joined = tuple(np.concatenate(parts) for parts in zip(nothing, *self._pieces, strict=True))
        if self._pieces:
            self._pieces = [joined]
        length, *rest = joined
        return (np.concatenate((np.zeros(1, np.int64), np.cumsum(length))), *rest)

    def state(self) -> tuple[Any, ...]:
        """All there is, for a copy or a file."""
        return (self.limit, self.omitted, self.warned, *self.arrays())

    @classmethod
    def restored(cls, state: tuple[Any, ...]) -> ClassJournalBuffer:
        """The journal whose state this is, checked."""
        limit, omitted, warned, row_start, column, value, label, round_number = state
        buffer = cls("a journal", limit)
        rows = Rows(row_start, column, value)
        if not len(rows) == len(label) == len(round_number):
            raise StateError("a journal has a class and a round for each of its rows.")
        if label.dtype != np.int32 or round_number.dtype != np.int64:
            raise StateError("the classes and rounds of a journal are whole numbers.")
        if np.any(np.diff(round_number, prepend=-1) <= 0):
            raise StateError("the rounds of a journal must increase.")
        if len(rows):
            buffer._add(np.diff(rows.row_start), rows.column, rows.value, label, round_number)
        buffer.omitted = checked_count("a journal", "omitted", omitted, 0, 2**62)
        buffer.warned = bool(warned)
        if buffer._rows * ROW_BYTES + buffer._values * VALUE_BYTES > buffer.limit:
            raise StateError("the journal is longer than its limit.")
        return buffer

    def without_rows(self) -> ClassJournalBuffer:
        """The same journal with its rows counted as omitted; nobody needs to be warned."""
        bare = ClassJournalBuffer("a journal", self.limit)
        bare.omitted = self.omitted + len(self)
        bare.warned = True
        return bare

    def warn_once(self) -> bool:
        """Whether the limit was reached and nobody has been told; a limit of 0 was asked for."""
        tell = self.omitted > 0 and not self.warned and self.limit > 0
        self.warned = self.warned or tell
        return tell

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ClassJournalBuffer):
            return NotImplemented
        return all(map(np.array_equal, self.state(), other.state()))

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MulticlassJournal(Rows):
    """The rows that changed a learner with several classes, in order.

    Replayed into a fresh learner (``fresh.learn(journal, journal.labels)``), they give it
    back. A snapshot: later changes are not in it. ``round_number[k]`` is the round (counted
    from 0) in which row ``k`` came, and ``label[k]`` the number of its class.
    """

    label: NDArray[np.int32]
    round_number: NDArray[np.int64]
    omitted: int
    classes: tuple[Label, ...]

    @classmethod
    def snapshot(cls, buffer: ClassJournalBuffer, classes: list[Label]) -> MulticlassJournal:
        """The present content of a learner's buffer."""
        row_start, column, value, label, round_number = buffer.arrays()
        return cls(row_start, column, value, label, round_number, buffer.omitted, tuple(classes))

    @property
    def labels(self) -> NDArray[Any]:
        """The label of each row."""
        return named(self.classes, self.label)

    @property
    def complete(self) -> bool:
        """Whether every change is here."""
        return self.omitted == 0

    def _slice(self, rows: slice) -> dict[str, Any]:
        return {
            **Rows._slice(self, rows),
            "label": self.label[rows],
            "round_number": self.round_number[rows],
            "omitted": self.omitted,
            "classes": self.classes,
        }

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return (*Rows._arrays(self), self.label, self.round_number, np.array([self.omitted]))

    def __repr__(self) -> str:
        kept = f"{len(self)} rows" if self.complete else f"first {len(self)} rows"
        lost = "" if self.complete else f", {self.omitted} later ones omitted"
        return f"MulticlassJournal({kept}{lost})"

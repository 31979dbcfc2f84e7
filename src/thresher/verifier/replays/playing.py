"""Playing a run again: the loop all replays share, and what comes out of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.readers.labelled_rows import LabelledRows, digest_of

SMALLEST_BLOCK, LARGEST_BLOCK = 16, 65536

EXACT = "exact"
FLOAT64 = "float64"
FLOAT32 = "float32"
#: Twice what one rounding to double precision may change, relative to the result.
UNIT = 2.0**-52

#: The shapes of a certificate have checked names and types of the parameters of each algorithm.
Parameters: TypeAlias = Mapping[str, Any]
#: Added to them for the learner of a class among several. No certificate can state it.
ONE_OF_SEVERAL = "one of several"


class Machine(Protocol):
    """A learner as its paper prints it, on the rows of one stream."""

    def says_positive(self, first: int, stop: int) -> NDArray[np.bool_]:
        """The prediction in rounds first..stop-1, all made with the present state."""

    def update(self, t: int) -> None:
        """Change the state after the mistaken round t."""


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """Which rounds were mistaken, which belong in the journal, and what the run ended with."""

    mistaken: NDArray[np.int64]
    updates: NDArray[np.int64]
    arithmetic: str
    #: The round, counted from 1, in which the last concept of a finite class was contradicted.
    emptied_in_round: int | None = None
    #: What the learner had become: arrays by name, as `thresher.verifier.state` describes them.
    state: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    #: Further numbers of the run that theorems ask for, by name: mistakes or losses of experts.
    facts: Mapping[str, tuple[int | float, ...]] = field(default_factory=dict)
    #: By how much the score of each round exceeded the threshold, as the learner computes it;
    #: None where the replay decides without.
    margins: NDArray[np.float64] | None = None

    #: What the learner, as it was in the end, makes of further rows, from which it learns
    #: nothing: of two classes by how much scores exceed the threshold, infinite where only the
    #: side is known; of several the names predicted, None where there was no class.
    leans: Callable[[LabelledRows], NDArray[np.float64]] | None = None
    names: Callable[[LabelledRows], list[str | None]] | None = None

    def errors_on(self, rows: LabelledRows) -> int | None:
        """How many of further rows it gets wrong; None where its predictions are drawn by lot."""
        if self.names is not None:
            names, predicted = rows.classes or (), self.names(rows)
            labels: list[str] = [names[number] for number in rows.label.tolist()]
            return sum(said != label for label, said in zip(labels, predicted, strict=True))
        if self.leans is None:
            return None
        return int(np.count_nonzero((self.leans(rows) >= 0.0) != (rows.label > 0)))

    def counts(self, stream: LabelledRows) -> tuple[int, int]:
        """False negatives and false positives, where there are two classes."""
        positive = int(np.count_nonzero(stream.label[self.mistaken] > 0))
        return positive, len(self.mistaken) - positive


def journal_digest(stream: LabelledRows, updates: NDArray[np.int64]) -> str:
    """The digest of the updating rows with the numbers of their rounds."""
    kept = stream.take(updates)
    return digest_of(kept.row_start, kept.column, kept.value, kept.label, updates.astype(np.int64))


def digest_of_journal(journal: Any) -> str:
    """The digest of a journal given by its arrays."""
    return digest_of(
        np.asarray(journal.row_start, np.int64),
        np.asarray(journal.column, np.int32),
        np.asarray(journal.value, np.float64),
        np.asarray(journal.label, np.int8),
        np.asarray(journal.round_number, np.int64),
    )


def play(machine: Machine, label: NDArray[np.int8]) -> NDArray[np.int64]:
    """The mistaken rounds of a conservative learner.

    The state is the same until the next mistake, so rows are scored in blocks; what a
    block says after its first mistake is thrown away. Blocks follow the gaps between
    mistakes, so that about as much is thrown away as is used.
    """
    mistaken: list[int] = []
    t, size, n = 0, SMALLEST_BLOCK, len(label)
    while t < n:
        stop = min(n, t + size)
        wrong = machine.says_positive(t, stop) != (label[t:stop] > 0)
        at = int(np.argmax(wrong))
        if wrong[at]:
            mistaken.append(t + at)
            machine.update(t + at)
            t += at + 1
            size = max(SMALLEST_BLOCK, min(2 * at, LARGEST_BLOCK))
        else:
            t = stop
            size = min(2 * size, LARGEST_BLOCK)
    return np.array(mistaken, np.int64)

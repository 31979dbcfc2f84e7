"""Examples: what a writer is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.streams.batch import Batch
from thresher.streams.rows import Rows


@dataclass(frozen=True, slots=True)
class Examples:
    """Some rows with their labels as they were written."""

    rows: Rows
    #: Index into `label_names`; -1 where a row has no label.
    label: NDArray[np.int32]
    label_names: Sequence[str]
    #: Weight of each example, or None: all 1.
    importance: NDArray[np.float64] | None = None

    @classmethod
    def of(cls, batch: Batch) -> Examples:
        """The rows of a batch, with labels -1 and 1."""
        return cls(batch, (batch.label > 0).astype(np.int32), ("-1", "1"))

    def labels(self) -> list[str | None]:
        """The label of each row, or None where it has none."""
        names: list[str | None] = [*self.label_names, None]
        return [names[index] for index in self.label.tolist()]

    def __len__(self) -> int:
        return len(self.label)


class Writer(Protocol):
    """A format that examples are written in."""

    def write(self, examples: Examples) -> None:
        """Write some more rows."""

    def finish(self) -> None:
        """Write what must stand at the end. The file is the caller's to close."""

    def abandon(self) -> None:
        """Let go of everything; what was written so far will not be finished."""

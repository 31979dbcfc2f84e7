"""NamedBatch: sparse rows whose labels are names, for learners with several classes."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import LabelError
from thresher.streams.rows import Rows, read_only


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NamedBatch(Rows):
    """Sparse rows in compressed form, and what the class of each is called.

    >>> rows = Rows(np.array([0, 1, 1]), np.array([2], np.int32), np.array([1.0]))
    >>> batch = NamedBatch.from_rows(rows, np.array(["sport", "law"], object))
    >>> batch, batch[1:].label.tolist()
    (NamedBatch(2 rows, 1 values), ['law'])
    """

    #: The label of each row: texts or whole numbers, in an array of objects.
    label: NDArray[Any]

    def __post_init__(self) -> None:
        if len(self.label) != len(self.row_start) - 1:
            raise LabelError(
                f"found {len(self.label)} labels for {len(self.row_start) - 1} rows; "
                "there must be one label per row."
            )
        self._set(label=read_only(self.label))
        Rows.__post_init__(self)

    @classmethod
    def from_rows(cls, rows: Rows, label: NDArray[Any]) -> NamedBatch:
        """A batch from rows, which have been checked and are not looked at again."""
        batch = object.__new__(NamedBatch)
        checked = {f.name: getattr(rows, f.name) for f in fields(Rows)}
        batch._set(label=read_only(label), **checked)
        return batch

    def _slice(self, rows: slice) -> dict[str, Any]:
        return {**Rows._slice(self, rows), "label": self.label[rows]}

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        names = "\n".join(map(repr, self.label.tolist())).encode("utf-8", "surrogatepass")
        return (*Rows._arrays(self), np.frombuffer(names, np.uint8))

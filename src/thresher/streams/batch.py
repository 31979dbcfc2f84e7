"""Batch: labelled sparse rows, checked once, read-only."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import LabelError, UnsoundBatchError
from thresher.streams.importance import as_importance
from thresher.streams.rows import Rows, read_only

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Batch(Rows):
    """Labelled sparse rows in compressed form: what flows between the stages.

    The rows are as in :class:`Rows`; ``label[t]`` is the label of row ``t``, -1 or +1, and
    ``importance[t]`` how much it counts; None instead of an array means that all count 1.

    >>> batch = Batch.of([[1, 0, 2], [0, 0, 0]], [1, 0])
    >>> batch
    Batch(2 rows, 2 values)
    >>> list(batch.examples())
    [({0: 1.0, 2: 2.0}, 1), ({}, -1)]
    """

    label: NDArray[np.int8]
    importance: NDArray[np.float64] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        self._check_labels()
        Rows.__post_init__(self)

    def _check_labels(self) -> None:
        label = self.label
        if label.dtype != np.int8 or label.ndim != 1 or not label.flags.c_contiguous:
            raise UnsoundBatchError("label must be a contiguous one-dimensional array of int8.")
        if len(label) != len(self.row_start) - 1:
            raise LabelError(
                f"found {len(label)} labels for {len(self.row_start) - 1} rows; "
                "there must be one label per row."
            )
        odd = np.flatnonzero((label != 1) & (label != -1))
        if len(odd):
            raise LabelError(f"row {odd[0]}: label must be -1 or +1, found {label[odd[0]]}.")
        self._set(label=read_only(label))
        weight = as_importance(self.importance, len(label))
        self._set(importance=None if weight is None else read_only(weight))

    @classmethod
    def from_rows(cls, rows: Rows, label: NDArray[np.int8], importance: Any = None) -> Batch:
        """A batch from rows, which have been checked and are not looked at again."""
        batch = object.__new__(Batch)
        checked = {f.name: getattr(rows, f.name) for f in fields(Rows)}
        batch._set(label=label, importance=importance, **checked)
        batch._check_labels()
        return batch

    @classmethod
    def of(cls, X: Any, y: Any = None, *, positive: object = None, importance: Any = None) -> Batch:
        """A batch from anything array-like; see :func:`thresher.streams.arrays.as_batch`."""
        from thresher.streams.arrays import as_batch  # noqa: PLC0415  (arrays builds on this file)

        return as_batch(X, y, positive=positive, importance=importance)

    @classmethod
    def from_examples(cls, examples: Iterable[tuple[Mapping[int, float], int]]) -> Batch:
        """A batch from pairs of a dict (index to value) and a label."""
        pairs = list(examples)
        return cls.of([dict(x) for x, _ in pairs], [y for _, y in pairs])

    def examples(self) -> Iterator[tuple[dict[int, float], int]]:
        """Each row as a dict, with its label."""
        return zip(self, self.label.tolist(), strict=True)

    def _slice(self, rows: slice) -> dict[str, Any]:
        weight = None if self.importance is None else self.importance[rows]
        return {**Rows._slice(self, rows), "label": self.label[rows], "importance": weight}

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        arrays = (self.row_start, self.column, self.value, self.label)
        return arrays if self.importance is None else (*arrays, self.importance)

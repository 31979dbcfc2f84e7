"""Batch: labelled sparse rows, checked once, read-only."""

from __future__ import annotations

from dataclasses import field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import LabelError, UnsoundBatchError
from thresher.records import record
from thresher.streams.importance import as_importance
from thresher.streams.labels import SIGNS, Label, named
from thresher.streams.rows import Rows, joined_rows, ones, read_only, taken_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence


_OF_ROWS = tuple(field_.name for field_ in fields(Rows))


@record(eq=False, repr=False)
class Batch(Rows):
    """Labelled sparse rows in compressed form: what flows between the stages.

    The rows are as in :class:`Rows`. ``label[t]`` is the label of row ``t``: -1 or +1 where
    ``classes`` is ``(-1, 1)``, and otherwise the number of its class, an index into ``classes``.
    ``importance[t]`` is how much the row counts; None instead of an array means that all rows
    count 1.

    >>> batch = Batch.of([[1, 0, 2], [0, 0, 0]], [1, 0])
    >>> batch
    Batch(2 rows, 2 values)
    >>> list(batch.examples())
    [({0: 1.0, 2: 2.0}, 1), ({}, -1)]
    >>> several = Batch.of_classes([[1], [1], [0]], ["sport", "law", "sport"])
    >>> several.classes, several.label.tolist(), several[1:].labels.tolist()
    (('sport', 'law'), [0, 1, 0], ['law', 'sport'])
    """

    label: NDArray[Any]
    classes: tuple[Label, ...] = field(default=SIGNS, kw_only=True)
    importance: NDArray[np.float64] | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        self._check_labels()
        Rows.__post_init__(self)

    def _check_labels(self) -> None:
        label = self.label
        dtype = np.int8 if self.signed else np.int32
        if label.dtype != dtype or label.ndim != 1 or not label.flags.c_contiguous:
            raise UnsoundBatchError(
                f"label must be a contiguous one-dimensional array of {dtype.__name__}."
            )
        if len(label) != len(self.row_start) - 1:
            raise LabelError(
                f"found {len(label)} labels for {len(self.row_start) - 1} rows; "
                "there must be one label per row."
            )
        if self.signed:
            odd, must = np.abs(label) != 1, "-1 or +1"
        else:
            odd, must = (label < 0) | (label >= len(self.classes)), "the number of a class"
        if odd.any():
            row = int(np.argmax(odd))
            raise LabelError(f"row {row}: label must be {must}, found {label[row]}.")
        self._set(label=read_only(label))
        weight = as_importance(self.importance, len(label))
        self._set(importance=None if weight is None else read_only(weight))

    @classmethod
    def from_rows(
        cls,
        rows: Rows,
        label: NDArray[Any],
        importance: Any = None,
        classes: tuple[Label, ...] = SIGNS,
    ) -> Batch:
        """A batch from rows, which have been checked and are not looked at again."""
        batch = object.__new__(Batch)
        batch._set(label=label, importance=importance, classes=classes)
        batch._set(**{name: getattr(rows, name) for name in _OF_ROWS})
        batch._check_labels()
        return batch

    @classmethod
    def of(cls, X: Any, y: Any = None, *, positive: object = None, importance: Any = None) -> Batch:
        """A batch from anything array-like; see :func:`thresher.streams.arrays.as_batch`."""
        from thresher.streams.arrays import as_batch  # noqa: PLC0415  (arrays builds on this file)

        return as_batch(X, y, positive=positive, importance=importance)

    @classmethod
    def of_classes(cls, X: Any, labels: Iterable[Label]) -> Batch:
        """Rows whose labels are the names of classes, numbered in the order they appear."""
        listed = list(labels)
        classes = tuple(dict.fromkeys(listed))
        number = {name: r for r, name in enumerate(classes)}
        if classes == SIGNS:
            return cls.from_rows(Rows.of(X), np.array(listed, np.int8))
        label = np.array([number[name] for name in listed], np.int32)
        return cls.from_rows(Rows.of(X), label, classes=classes)

    @classmethod
    def joined(cls, batches: Sequence[Batch]) -> Batch:
        """Batches of one stream as one, in order.

        >>> Batch.joined([Batch.of([[1, 0]], [1]), Batch.of([[0, 2], [1, 1]], [-1, 1])])
        Batch(3 rows, 4 values)
        """
        if len(batches) == 1:
            return batches[0]
        if not batches:
            return cls.from_rows(joined_rows([]), np.empty(0, np.int8))
        # A number of a class means the same in all of them, and the last knows most classes.
        classes = batches[-1].classes
        if any(batch.classes != classes[: len(batch.classes)] for batch in batches):
            raise LabelError("batches whose classes have different numbers cannot be joined.")
        label = np.concatenate([batch.label for batch in batches])
        weight = None
        if any(batch.importance is not None for batch in batches):
            weight = np.concatenate(
                [ones(len(b)) if b.importance is None else b.importance for b in batches]
            )
        return cls.from_rows(joined_rows(batches), label, weight, classes)

    @classmethod
    def from_examples(cls, examples: Iterable[tuple[Mapping[int, float], int]]) -> Batch:
        """A batch from pairs of a dict (index to value) and a label."""
        pairs = list(examples)
        return cls.of([dict(x) for x, _ in pairs], [y for _, y in pairs])

    @property
    def signed(self) -> bool:
        """Whether the classes are -1 and +1."""
        return self.classes == SIGNS

    @property
    def labels(self) -> NDArray[Any]:
        """The label of each row by its name; -1 and +1 are called so."""
        return self.label if self.signed else named(self.classes, self.label)

    @property
    def number(self) -> NDArray[np.int32]:
        """The number of each row's class, an index into `classes`."""
        return (self.label > 0).astype(np.int32) if self.signed else self.label

    def examples(self) -> Iterator[tuple[dict[int, float], Any]]:
        """Each row as a dict, with its label."""
        return zip(self, self.labels.tolist(), strict=True)

    def taken(self, rows: NDArray[np.int64]) -> Batch:
        """Some of the rows, by their numbers, in the order given."""
        return Batch.from_rows(
            taken_rows(self, rows),
            np.ascontiguousarray(self.label[rows]),
            None if self.importance is None else self.importance[rows],
            self.classes,
        )

    def _slice(self, rows: slice) -> dict[str, Any]:
        weight = None if self.importance is None else self.importance[rows]
        labels = {"label": self.label[rows], "classes": self.classes, "importance": weight}
        return Rows._slice(self, rows) | labels

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        arrays: tuple[NDArray[Any], ...] = (self.row_start, self.column, self.value, self.label)
        if not self.signed:
            names = "\n".join(map(repr, self.classes)).encode("utf-8", "surrogatepass")
            arrays = (*arrays, np.frombuffer(names, np.uint8))
        return arrays if self.importance is None else (*arrays, self.importance)

"""The verifier's own reader: labelled rows from arrays, matrices, batches and dicts.

Nothing of `streams` is used here: what the verdict rests on is read by the code that gives
it. A batch is recognised by its arrays, a SciPy matrix by its `tocsr`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import LabelError, RowError, UnsoundBatchError
from thresher.verifier.readers.plain_rows import PlainRows, numbered


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Labelled sparse rows; row t is ``column[row_start[t]:row_start[t + 1]]``, increasing.

    A label is -1 or +1, in 8 bits. Where there are several classes it is the number of one of
    ``classes``, in 32 bits.
    """

    row_start: NDArray[np.int64]
    column: NDArray[np.int32]
    value: NDArray[np.float64]
    label: NDArray[Any]
    #: The names of the classes, where there are several.
    classes: tuple[str, ...] | None = None

    def __len__(self) -> int:
        return len(self.label)

    @cached_property
    def row(self) -> NDArray[np.int64]:
        """The row of each stored value."""
        return np.repeat(np.arange(len(self.label)), np.diff(self.row_start))

    @property
    def width(self) -> int:
        """Largest column plus one."""
        return int(self.column.max(initial=-1)) + 1

    @property
    def binary(self) -> bool:
        """Whether every stored value is 1."""
        return bool(np.all(self.value == 1.0))

    @cached_property
    def binary_places(self) -> int | None:
        """The least k >= 0 for which all values are multiples of 2^-k; None above 200."""
        return binary_places(self.value)

    def inside(self, first: int, stop: int) -> slice:
        """Where the values of rows first..stop-1 stand."""
        return slice(int(self.row_start[first]), int(self.row_start[stop]))

    def blocks(self, values: int = 2**20) -> Iterator[tuple[int, int]]:
        """Ranges of rounds with about so many values each, for work that needs room per value.

        >>> list(read_rows([[1, 1]] * 5, [1] * 5).blocks(4))
        [(0, 2), (2, 4), (4, 5)]
        """
        first = 0
        while first < len(self):
            reach = int(self.row_start[first]) + values
            stop = int(np.searchsorted(self.row_start, reach, "right")) - 1
            stop = min(max(stop, first + 1), len(self))
            yield first, stop
            first = stop

    def part(self, first: int, stop: int) -> LabelledRows:
        """Consecutive rounds, by views of the arrays."""
        stop = min(stop, len(self))
        inside = self.inside(first, stop)
        start = self.row_start[first : stop + 1] - self.row_start[first]
        column, value = self.column[inside], self.value[inside]
        return LabelledRows(start, column, value, self.label[first:stop], self.classes)

    def take(self, rounds: NDArray[np.int64]) -> LabelledRows:
        """Some rounds, in the order given.

        >>> read_rows([[1, 0], [2, 3]], [1, -1]).take(np.array([1])).value.tolist()
        [2.0, 3.0]
        """
        size = np.diff(self.row_start)[rounds]
        start = np.concatenate(([0], np.cumsum(size, dtype=np.int64)))
        at = np.arange(start[-1]) + np.repeat(self.row_start[rounds] - start[:-1], size)
        return LabelledRows(
            start, self.column[at], self.value[at], self.label[rounds], self.classes
        )

    def digest(self) -> str:
        """SHA-256 of the four arrays, each after its type and length."""
        return digest_of(self.row_start, self.column, self.value, self.label)


def joined(parts: Sequence[LabelledRows]) -> LabelledRows:
    """The rows of all parts, which have the same classes; one part is left as it is.

    >>> both = [read_rows([[1, 0], [2, 3]], [1, -1]), read_rows([[0, 4]], [1])]
    >>> joined(both).row_start.tolist(), joined(both).value.tolist()
    ([0, 1, 3, 4], [1.0, 2.0, 3.0, 4.0])
    """
    if len(parts) == 1:
        return parts[0]
    before = np.cumsum([0, *(len(part.value) for part in parts)])
    starts = [part.row_start[1:] + at for part, at in zip(parts, before, strict=False)]
    classes = parts[0].classes if parts else None
    kind = np.int8 if classes is None else np.int32
    return LabelledRows(
        np.concatenate([np.zeros(1, np.int64), *starts]),
        np.concatenate([np.zeros(0, np.int32), *(part.column for part in parts)]),
        np.concatenate([np.zeros(0), *(part.value for part in parts)]),
        np.concatenate([np.zeros(0, kind), *(part.label for part in parts)]),
        classes,
    )


def binary_places(value: NDArray[np.float64]) -> int | None:
    """The least k >= 0 for which all values are multiples of 2^-k; None above 200.

    >>> binary_places(np.array([3.0, 0.75])), binary_places(np.array([1e-300]))
    (2, None)
    """
    if np.array_equal(value, np.rint(value)):
        return 0
    mantissa, exponent = np.frexp(value[value != 0.0])
    whole = np.abs(mantissa * 2.0**53).astype(np.int64)
    zeros = np.frexp((whole & -whole).astype(np.float64))[1] - 1
    k = int(np.max(53 - exponent - zeros, initial=0))
    return k if k <= 200 else None


def digest_of(*arrays: NDArray[Any]) -> str:
    """SHA-256 of arrays: for each one ``<type><length>;`` and its bytes, little-endian."""
    whole = sha256()
    for array in arrays:
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        whole.update(f"{little.dtype.str}{len(little)};".encode())
        whole.update(np.ascontiguousarray(little).data)
    return whole.hexdigest()


def read_rows(X: Any, y: Any = None, classes: Sequence[str] | None = None) -> LabelledRows:
    """Labelled rows from a batch, a SciPy matrix, an array, a frame or dicts with whole keys.

    With `classes`, labels are their names, or in a batch its own numbers for them. What
    `read_svmlight` read is in order already.

    >>> stream = read_rows([{3: 1, 0: 2}, {}], [1, 0])
    >>> stream.column.tolist(), stream.label.tolist()
    ([0, 3], [1, -1])
    """
    if isinstance(X, PlainRows):
        label: NDArray[Any] = X.label if classes is None else numbered(X, classes)
        return LabelledRows(
            X.row_start, X.column, X.value, label, None if classes is None else tuple(classes)
        )
    y = _labels_of(X, classes) if y is None else y
    start, column, value = _rows(X)
    steps = np.diff(start)
    if not len(start) or start[0] != 0 or np.any(steps < 0) or start[-1] != len(column):
        raise UnsoundBatchError("row_start must rise from 0 to the number of values.")
    if len(column) != len(value):
        raise UnsoundBatchError("column and value must have the same length.")
    row = np.repeat(np.arange(len(start) - 1), np.diff(start))
    keep = value != 0.0
    if not np.all(np.isfinite(value)):
        at = int(np.flatnonzero(~np.isfinite(value))[0])
        raise RowError(int(row[at]), int(column[at]), value[at], "feature values must be finite")
    if not np.all((row[1:] > row[:-1]) | (column[1:] > column[:-1])):
        order = np.lexsort((column, row))
        row, column, value, keep = row[order], column[order], value[order], keep[order]
    if not np.all(keep):
        row, column, value = row[keep], column[keep], value[keep]
    again = np.flatnonzero((row[1:] == row[:-1]) & (column[1:] == column[:-1]))
    if len(again):
        at = int(again[0])
        raise RowError(int(row[at]), int(column[at]), "the index twice", "an index is given once")
    if column.min(initial=0) < 0 or column.max(initial=0) > 2**31 - 2:
        raise UnsoundBatchError("feature indices must lie from 0 to 2**31 - 2.")
    counts = np.bincount(row, minlength=len(start) - 1)
    row_start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    n_rows = len(row_start) - 1
    label = read_labels(y, n_rows) if classes is None else class_numbers(y, n_rows, classes)
    named = None if classes is None else tuple(classes)
    return LabelledRows(row_start, column.astype(np.int32), value, label, named)


def _labels_of(X: Any, classes: Sequence[str] | None) -> Any:
    """The labels that a batch brings along."""
    y = getattr(X, "label", None)
    if y is None:
        raise LabelError("labels are missing: give y, or a Batch, which has them.")
    if classes is None:
        return y
    if tuple(X.classes) == (-1, 1):
        # Signs are their own numbers.
        return [str(sign) for sign in np.asarray(y).tolist()]
    return [str(X.classes[at]) for at in np.asarray(y).tolist()]


def _rows(X: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
    if all(hasattr(X, name) for name in ("row_start", "column", "value")):
        return X.row_start, X.column, np.asarray(X.value, np.float64)
    if hasattr(X, "tocsr"):
        X = X.tocsr()
        return X.indptr, X.indices.astype(np.int64), np.asarray(X.data, np.float64)
    if hasattr(X, "to_numpy"):
        X = X.to_numpy()
    if isinstance(X, Iterable) and not isinstance(X, np.ndarray):
        X = list(X)
        if X and all(isinstance(row, Mapping) for row in X):
            return _from_dicts(X)
    array = np.asarray(X)
    if array.size == 0 and array.ndim < 2:
        array = np.zeros((0, 0))
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise UnsoundBatchError(
            f"rows are a table of numbers, found {array.ndim} dimensions of {array.dtype}."
        )
    row, column = np.nonzero(array)
    start = np.searchsorted(row, np.arange(len(array) + 1))
    return start, column, np.asarray(array[row, column], np.float64)


def _from_dicts(
    rows: list[Mapping[Any, Any]],
) -> tuple[NDArray[Any], NDArray[Any], NDArray[np.float64]]:
    for t, row in enumerate(rows):
        for key in row:
            if not isinstance(key, int | np.integer) or isinstance(key, bool):
                raise RowError(
                    t,
                    key,
                    repr(key),
                    "a certificate knows features by column",
                    "Translate names with the learner's column_of first.",
                )
    start = np.cumsum([0, *map(len, rows)])
    column = np.array([key for row in rows for key in row], np.int64)
    return start, column, np.array([row[key] for row in rows for key in row], np.float64)


def read_labels(y: Any, n_rows: int) -> NDArray[np.int8]:
    """Labels as -1/+1, from -1/+1 or 0/1."""
    labels = np.asarray(y)
    if labels.shape != (n_rows,):
        raise LabelError(f"found labels of shape {labels.shape} for {n_rows} rows.")
    up, down, zero = labels == 1, labels == -1, labels == 0
    known = not n_rows or np.all(up | down | zero)
    if not known or (np.any(down) and np.any(zero)):
        raise LabelError("labels must be -1/+1 or 0/1.")
    return np.where(up, 1, -1).astype(np.int8)


def class_numbers(y: Any, n_rows: int, classes: Sequence[str]) -> NDArray[np.int32]:
    """Labels, given by name, as the numbers of their classes.

    >>> class_numbers(["b", "a"], 2, ["a", "b", "c"]).tolist()
    [1, 0]
    """
    number = {name: at for at, name in enumerate(classes)}
    labels = [str(label) for label in (y.tolist() if hasattr(y, "tolist") else y)]
    if len(labels) != n_rows:
        raise LabelError(f"found {len(labels)} labels for {n_rows} rows.")
    strange = next((label for label in labels if label not in number), None)
    if strange is not None:
        raise LabelError(f"found the label {strange!r}, which is none of the classes.")
    return np.array([number[label] for label in labels], np.int32)

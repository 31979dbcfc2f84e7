"""Rows: sparse examples without labels, checked once, read-only."""

from __future__ import annotations

import operator
from dataclasses import field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, Self, SupportsIndex, overload

import numpy as np
from numpy.typing import NDArray

from thresher.errors import RowError, UnsoundBatchError
from thresher.kernels.rows import check_rows
from thresher.records import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scipy.sparse import csr_array

MAX_INDEX = 2**31 - 2


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The same memory, not to be written to through us; the caller's own array stays as it is."""
    view = array.view()
    view.setflags(write=False)
    return view


_ones = np.ones(0)


def ones(n: int) -> NDArray[np.float64]:
    """The number 1, `n` times, read-only; the memory is the same for everybody who asks."""
    global _ones
    shared = _ones
    if len(shared) < n:
        # Frames and blocks are about as long as the first; a little more saves making it again.
        shared = np.ones(n + n // 8)
        shared.setflags(write=False)
        _ones = shared
    return shared[:n]


class Facts(NamedTuple):
    """What the check finds out about rows, for those who found it out while making them."""

    #: Largest index plus one.
    n_features: int
    #: Whether every value is a whole number of at most 2^20.
    integral: bool
    #: The range of the values; 0 and 0 if there are none.
    lowest: float
    highest: float


@record(eq=False, repr=False)
class Rows:
    """Sparse rows in compressed form.

    Row ``t`` is ``column[row_start[t]:row_start[t + 1]]``, strictly increasing, with the
    matching slice of ``value``, finite and never zero.

    The arrays are checked here, once, and become read-only. Everything downstream, above all the
    kernels, may rely on them. Arrays of the right types are not copied, so the caller must not
    write to them afterwards through another name.

    >>> rows = Rows(np.array([0, 2, 2]), np.array([0, 3], np.int32), np.array([1.0, -2.5]))
    >>> len(rows), rows.n_features, rows.integral
    (2, 4, False)
    >>> rows[0], rows[-1], rows[:1]
    ({0: 1.0, 3: -2.5}, {}, Rows(1 rows, 2 values))
    """

    row_start: NDArray[np.int64]
    column: NDArray[np.int32]
    value: NDArray[np.float64]
    #: Largest index plus one: the smallest ``n_features`` that holds these rows.
    n_features: int = field(init=False)
    #: Whether every value is a whole number (of at most 2^20), so that duals stay exact.
    integral: bool = field(init=False)
    lowest: float = field(init=False)
    highest: float = field(init=False)

    def __post_init__(self) -> None:
        start = self.row_start
        for name, dtype in (("row_start", np.int64), ("column", np.int32), ("value", np.float64)):
            array = getattr(self, name)
            if array.dtype != dtype or array.ndim != 1 or not array.flags.c_contiguous:
                raise UnsoundBatchError(
                    f"{name} must be a contiguous one-dimensional array of {dtype.__name__}, "
                    f"found {array.ndim} dimensions of {array.dtype}. "
                    "Use Batch.of or Rows.of, which convert."
                )
        for must, holds in (
            ("row_start must not be empty", len(start) > 0),
            (
                "column and value must have the same length",
                len(self.column) == len(self.value),
            ),
            ("row_start must begin at 0", len(start) > 0 and start[0] == 0),
            ("row_start must not decrease", bool(np.all(start[1:] >= start[:-1]))),
            (
                "row_start must end at the number of values",
                len(start) > 0 and start[-1] == len(self.column),
            ),
        ):
            if not holds:
                raise UnsoundBatchError(f"{must}.")
        unsound, largest, zeros, integral, lowest, highest = check_rows.inspect(
            start, self.column, self.value
        )
        if unsound >= 0:
            raise self._fault(unsound)
        if zeros:
            self._drop_zeros()
            return
        if largest > MAX_INDEX:
            raise UnsoundBatchError(f"feature index {largest} is above the largest, {MAX_INDEX}.")
        self._set(n_features=largest + 1, integral=integral, lowest=lowest, highest=highest)
        for name in ("row_start", "column", "value"):
            self._set(**{name: read_only(getattr(self, name))})

    @classmethod
    def with_facts(
        cls,
        row_start: NDArray[np.int64],
        column: NDArray[np.int32],
        value: NDArray[np.float64],
        facts: Facts,
    ) -> Rows:
        """Rows from a scanner that checked them while it read: they are not looked at again.

        The scanner answers for everything `Rows` promises. Its tests compare with it.
        """
        rows, put = object.__new__(Rows), object.__setattr__
        put(rows, "row_start", read_only(row_start))
        put(rows, "column", read_only(column))
        put(rows, "value", read_only(value))
        # One by one: a service makes rows for every request.
        put(rows, "n_features", facts.n_features)
        put(rows, "integral", facts.integral)
        put(rows, "lowest", facts.lowest)
        put(rows, "highest", facts.highest)
        return rows

    def _set(self, **fields: object) -> None:
        for name, content in fields.items():
            object.__setattr__(self, name, content)

    def _drop_zeros(self) -> None:
        """Leave stored zeros out, so that equal rows have equal arrays and digests."""
        keep = self.value != 0.0
        kept_before = np.concatenate(([0], np.cumsum(keep, dtype=np.int64)))
        self._set(
            row_start=kept_before[self.row_start],
            column=self.column[keep],
            value=self.value[keep],
        )
        Rows.__post_init__(self)

    def _fault(self, row: int) -> RowError:
        """What is wrong with a row that the kernel refused."""
        previous = -1
        for index, value in self._pairs(row):
            if index < 0:
                return RowError(row, index, index, "feature indices must not be negative")
            if index <= previous:
                what = "twice" if index == previous else f"after index {previous}"
                return RowError(
                    row,
                    index,
                    f"the index {what}",
                    "feature indices must increase strictly within a row",
                    "Sum duplicates and sort the indices first "
                    "(scipy: X.sum_duplicates() does both).",
                )
            if not np.isfinite(value):
                return RowError(row, index, value, "feature values must be finite")
            previous = index
        raise AssertionError(f"row {row} is sound")  # pragma: no cover

    @classmethod
    def of(cls, X: Any) -> Rows:
        """Rows from anything array-like; see :func:`thresher.streams.arrays.as_rows`."""
        from thresher.streams.arrays import as_rows  # noqa: PLC0415  (arrays builds on this file)

        return as_rows(X)

    @property
    def only_ones(self) -> bool:
        """Whether every value is 1."""
        return self.lowest == self.highest == 1.0

    def __len__(self) -> int:
        return len(self.row_start) - 1

    def _pairs(self, row: int) -> list[tuple[int, float]]:
        start, stop = int(self.row_start[row]), int(self.row_start[row + 1])
        return list(
            zip(self.column[start:stop].tolist(), self.value[start:stop].tolist(), strict=True)
        )

    def __iter__(self) -> Iterator[dict[int, float]]:
        """Each row as a dict from index to value."""
        return (dict(self._pairs(t)) for t in range(len(self)))

    def _slice(self, rows: slice) -> dict[str, Any]:
        first, stop, step = rows.indices(len(self))
        if step != 1:
            raise UnsoundBatchError(f"rows are sliced in steps of 1, found a step of {step}.")
        part = slice(first, max(first, stop))
        return dict(zip(("row_start", "column", "value"), self.arrays_of(part), strict=True))

    def arrays_of(
        self, part: slice
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """`row_start`, `column` and `value` of the rows between the ends of `part`."""
        start = self.row_start[part.start : part.stop + 1]
        inside = slice(int(start[0]), int(start[-1]))
        return start - start[0], self.column[inside], self.value[inside]

    @overload
    def __getitem__(self, rows: SupportsIndex) -> dict[int, float]: ...
    @overload
    def __getitem__(self, rows: slice) -> Self: ...
    def __getitem__(self, rows: SupportsIndex | slice) -> dict[int, float] | Self:
        """One row as a dict, or some consecutive rows, without copying the values."""
        if isinstance(rows, slice):
            return type(self)(**self._slice(rows))
        row = operator.index(rows)
        if not -len(self) <= row < len(self):
            raise IndexError(f"there is no row {row}; there are {len(self)} of them.")
        return dict(self._pairs(row % len(self)))

    def clipped(self, n_features: int) -> Rows:
        """The rows without the features at or above `n_features`."""
        if self.n_features <= n_features:
            return self
        keep = self.column < n_features
        kept_before = np.concatenate(([0], np.cumsum(keep, dtype=np.int64)))
        return Rows(kept_before[self.row_start], self.column[keep], self.value[keep])

    def to_scipy(self, n_features: int | None = None) -> csr_array:
        """The rows as a SciPy CSR array, with as many columns as they need if none are given."""
        from scipy.sparse import csr_array  # noqa: PLC0415  (SciPy takes 0.1 s to import)

        if n_features is not None and n_features < self.n_features:
            # SciPy would take them, and read behind the end of whatever it multiplies them with.
            raise UnsoundBatchError(
                f"the rows have {self.n_features} columns, and the matrix is to have {n_features}.",
                f"Give n_features={self.n_features} or more, or none.",
            )
        shape = (len(self), self.n_features if n_features is None else n_features)
        return csr_array((self.value, self.column, self.row_start), shape=shape)

    @property
    def nbytes(self) -> int:
        """Memory held by the arrays."""
        return self.row_start.nbytes + self.column.nbytes + self.value.nbytes

    def digest(self) -> str:
        """SHA-256 of the arrays; equal exactly when the rows are equal."""
        whole = sha256()
        for array in self._arrays():
            whole.update(f"{array.dtype.str}{len(array)};".encode())
            whole.update(np.ascontiguousarray(array).data)
        return whole.hexdigest()

    def _arrays(self) -> tuple[NDArray[Any], ...]:
        return self.row_start, self.column, self.value

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        ours, theirs = self._arrays(), other._arrays()
        return len(ours) == len(theirs) and all(map(np.array_equal, ours, theirs))

    def __hash__(self) -> int:
        return hash(self.digest())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} rows, {len(self.column)} values)"


def joined_rows(parts: Sequence[Rows]) -> Rows:
    """The rows of several parts as one, in order."""
    offsets = np.cumsum([0, *(len(part.column) for part in parts)])
    starts = [part.row_start[1:] + at for part, at in zip(parts, offsets, strict=False)]
    return Rows(
        np.concatenate([np.zeros(1, np.int64), *starts]),
        np.concatenate([np.empty(0, np.int32), *(part.column for part in parts)]),
        np.concatenate([np.empty(0), *(part.value for part in parts)]),
    )


def taken_rows(rows: Rows, which: NDArray[np.int64]) -> Rows:
    """Some of the rows, by their numbers, in the order given."""
    start, stop = rows.row_start[:-1][which], rows.row_start[1:][which]
    length = stop - start
    row_start = np.concatenate(([0], np.cumsum(length)))
    inside = np.arange(int(row_start[-1])) + np.repeat(start - row_start[:-1], length)
    return Rows(row_start, rows.column[inside], rows.value[inside])

"""From what people have in memory to rows and batches.

SciPy matrices, NumPy arrays, pandas and polars frames and lists of dicts all come through
here. What has the right types already is not copied; everything else is converted once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set, Sized
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import LabelError, RowError, UnsoundBatchError
from thresher.kernels.rows.named_rows import NameTable, pack
from thresher.streams.batch import Batch
from thresher.streams.frames import column_of, is_frame, is_missing, named_rows, with_categories
from thresher.streams.labels import as_labels
from thresher.streams.rows import MAX_INDEX, Rows


def as_batch(
    X: Any,
    y: Any = None,
    *,
    positive: object = None,
    names: NameTable | None = None,
    importance: Any = None,
) -> Batch:
    """A batch from rows and labels.

    Parameters
    ----------
    X
        A SciPy sparse matrix, a two-dimensional array or frame, a list of dicts, `Rows`, or
        a `Batch` (which brings its labels along; they must be -1 and +1).
    y
        One label per row: -1/+1 or 0/1, or anything when `positive` is given.
    positive
        The label that counts as +1; the other one counts as -1.
    names
        Where the names in dicts find their columns. Without it, keys must be integers.
    importance
        How much each row counts, from 0 to 1e9; 1 for all unless given.

    Examples
    --------
    >>> from thresher.streams import Batch
    >>> Batch.of([{0: 1, 5: 0.5}, {}], ["spam", "ham"], positive="spam").label.tolist()
    [1, -1]
    """
    if isinstance(X, Batch) and y is None:
        if not X.signed:
            shown = ", ".join(map(repr, X.classes[:4])) + (", ..." if len(X.classes) > 4 else "")
            raise LabelError(
                f"these rows have the classes {shown}, and two are expected, -1 and +1. Say which "
                "counts as +1 (th.read(..., positive=LABEL)), or use a learner for several classes."
            )
        return X if importance is None else Batch.from_rows(X, X.label, importance)
    if y is None:
        raise UnsoundBatchError("labels are missing: give y, or a Batch, which has them.")
    known = len(names.vocabulary) if names is not None else 0
    try:
        rows = as_rows(X, names=names)
        label = as_labels(y, len(rows), positive)
        return Batch.from_rows(rows, label, importance)
    except BaseException:
        if names is not None:
            names.forget(known)
        raise


def as_rows(X: Any, *, names: NameTable | None = None, add: bool = True) -> Rows:
    """Rows from a matrix, an array, a frame or dicts; see `as_batch`."""
    if isinstance(X, Rows):
        return X
    if hasattr(X, "tocsr"):
        return _from_scipy(X)
    if is_frame(X):
        if names is not None and with_categories(X):
            return Rows(*pack(named_rows(X), names, add))
        return _from_dense(_frame_values(X))
    if isinstance(X, Mapping | str | bytes):
        raise UnsoundBatchError(
            f"rows are expected, found one {type(X).__name__}. "
            "Wrap a single row in a list, or use learn_one and predict_one."
        )
    if isinstance(X, Iterable) and not (isinstance(X, np.ndarray) and X.ndim != 1):
        X = list(X)
        if X and all(isinstance(row, Mapping) for row in X):
            table = NameTable(None, False) if names is None else names
            # Without a table every name is noted, so that none passes unseen.
            rows = Rows(*pack(X, table, add or names is None))
            if names is None and table.vocabulary:
                raise UnsoundBatchError(
                    f"feature {next(iter(table.vocabulary))!r} is a name, and nobody here says "
                    "which column it has. Use integer keys, or give the dicts to a learner that "
                    "takes names (Halving and StandardOptimal do not)."
                )
            return rows
    return _from_dense(X)


def _from_scipy(matrix: Any) -> Rows:
    csr = matrix.tocsr()
    if csr.ndim != 2:
        raise UnsoundBatchError(f"rows are a matrix of 2 dimensions, found {csr.ndim}.")
    if matrix.format == "coo" and csr.nnz < matrix.nnz:
        # SciPy would add up duplicates on the way without a word.
        order = np.lexsort((matrix.col, matrix.row))
        row, column = matrix.row[order], matrix.col[order]
        at = int(np.flatnonzero((row[1:] == row[:-1]) & (column[1:] == column[:-1]))[0])
        raise RowError(
            int(row[at]),
            int(column[at]),
            "the index twice",
            "feature indices must increase strictly within a row",
            "Sum duplicates first: X.sum_duplicates().",
        )
    if csr.shape[1] > MAX_INDEX + 1:
        raise UnsoundBatchError(f"at most {MAX_INDEX + 1} columns are taken, found {csr.shape[1]}.")
    for numbers, what in ((csr.indices, "column numbers"), (csr.indptr, "starts of rows")):
        if numbers.dtype.kind not in "iu":
            raise UnsoundBatchError(
                f"the {what} of a matrix are whole numbers, found an array of {numbers.dtype}.",
                "Make the matrix anew from its parts, with integers: X.indices, X.indptr.",
            )
    if csr.data.dtype.kind not in "biuf":
        raise UnsoundBatchError(
            f"feature values must be real numbers, found a matrix of {csr.data.dtype}."
        )
    if csr.indices.dtype.itemsize >= 4 and csr.indices.dtype != np.int32 and len(csr.indices):
        # A column of 2^32 would become column 0 on the way to 32 bits.
        at = int(np.argmax((csr.indices < 0) | (csr.indices > MAX_INDEX)))
        index = int(csr.indices[at])
        if not 0 <= index <= MAX_INDEX:
            row = int(np.searchsorted(csr.indptr, at, side="right")) - 1
            raise RowError(row, index, index, f"feature indices lie between 0 and {MAX_INDEX}")
    return Rows(
        np.ascontiguousarray(csr.indptr, np.int64),
        np.ascontiguousarray(csr.indices, np.int32),
        np.ascontiguousarray(csr.data, np.float64),
    )


def _frame_values(frame: Any) -> NDArray[Any]:
    values = frame.to_numpy()
    if values.dtype == object:
        for name in frame.columns:
            column = column_of(frame, name)
            if column.dtype.kind not in "biuf":
                raise UnsoundBatchError(
                    f"column {name!r} holds {column.dtype} values, and nobody here says which "
                    "columns their names have. Give the frame to a learner that takes names, or "
                    "encode categories as 0/1 columns first."
                )
        cells = ([np.nan if is_missing(cell) else cell for cell in row] for row in values.tolist())
        values = np.array([*cells], np.float64)
    return np.asarray(values)


def _require_one_length(X: Any) -> None:
    """Refuse lists of which some are longer than others."""
    lengths = [len(row) for row in X if isinstance(row, Sized)]
    for t, n in enumerate(lengths):
        if n != lengths[0]:
            raise UnsoundBatchError(
                f"row {t} has a length of {n}, and row 0 one of {lengths[0]}.",
                "Rows that lack features are dicts from column to value: {0: 1.5, 3: 2}.",
            )


def _from_dense(X: Any) -> Rows:
    if isinstance(X, np.ma.MaskedArray):
        raise UnsoundBatchError(
            "found a masked array, whose hidden values would count like the others.",
            "Say what they are worth: X.filled(0) for nothing.",
        )
    try:
        array = np.asarray(X)
    except ValueError:
        _require_one_length(X)
        raise
    if array.size == 0 and array.ndim < 2:
        array = array.reshape(0, 0).astype(np.float64)
    if array.ndim == 0:
        raise UnsoundBatchError(f"rows are expected, found one {type(X).__name__}.")
    if array.ndim == 1 and array.dtype == object:
        other = next((row for row in array.tolist() if not isinstance(row, Mapping)), None)
        raise UnsoundBatchError(
            f"a row is a dict from feature to value, found {type(other).__name__}.",
            "Of a set of names, {name: 1 for name in row} is one."
            if isinstance(other, Set)
            else "",
        )
    if array.ndim != 2:
        raise UnsoundBatchError(
            f"rows are a table of 2 dimensions, found {array.ndim}. "
            "A single row is X.reshape(1, -1)."
        )
    if array.dtype.kind not in "biuf":
        raise UnsoundBatchError(
            f"features must be numbers, found an array of {array.dtype}. "
            "A row with names is a dict: {'free': 1, 'cash': 2.0}."
        )
    row, column = np.nonzero(array)
    row_start = np.searchsorted(row, np.arange(len(array) + 1)).astype(np.int64)
    value = np.ascontiguousarray(array[row, column], np.float64)
    return Rows(row_start, column.astype(np.int32), value)

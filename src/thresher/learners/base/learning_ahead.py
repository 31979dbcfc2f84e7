"""Large matrices of ones are learned while their values are still being checked.

Two thirds of such a matrix are values, and nothing but memory's pace limits how fast they are
checked. A learner that does without them, because all are ones, need not wait: another thread
looks at them meanwhile. If one of them is something else, the learner goes back to where it was,
and the batch takes the usual way, on which it is learned or refused.
"""

from __future__ import annotations

from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.rows import check_rows
from thresher.streams.batch import Batch
from thresher.streams.labels import as_labels
from thresher.streams.rows import MAX_INDEX, Facts, Rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from thresher.learners.base.linear_learner import LinearLearner
    from thresher.learners.base.stateful import AnyEngine

#: From so many values on it is worth a thread.
LARGE = 1 << 20
#: So many values are learned at a time.
BLOCK = 1 << 17
#: So many of them must be ones for the others to be taken for ones.
FIRST = 4096
#: What the check says of ones: no fault, no zeros, whole, and the range.
ONES = (-1, 0, True, 1.0, 1.0)


def learn_ahead(learner: LinearLearner, X: Any, y: Any) -> tuple[Batch, NDArray[np.float64]] | None:
    """The batch, learned, and its scores; or None, and nothing has changed.

    None says no more than that this way is not open: the usual one tells what is wrong, if
    something is. To be called by whoever has the turn to learn.
    """
    engine = learner._engine
    parts = _parts(X)
    way = None if parts is None else engine.way_back(len(parts[2]))
    if parts is None or way is None:
        return None
    checked: list[Any] = []
    other = Thread(target=lambda: checked.append(check_rows.inspect_values(parts[2])))
    try:
        other.start()
        batch = _taken_for_ones(*parts, y, None if engine.names.growing else engine.n_features)
        learner._admit(batch, None, None)
        scores = np.empty(len(batch))
        for part in _parts_to_learn(batch, engine):
            rows = (batch.row_start[part.start : part.stop + 1], batch.column, batch.value)
            engine.learn(*rows, batch.label[part], True, scores[part])
        other.join()
    except Exception:
        engine.go_back(way)
        return None
    except BaseException:
        engine.go_back(way)
        raise
    if checked != [ONES]:
        engine.go_back(way)
        return None
    return batch, scores


def _parts(X: Any) -> tuple[NDArray[Any], NDArray[np.int32], NDArray[np.float64]] | None:
    """The arrays of a large CSR matrix of the types that are used where they are."""
    if getattr(X, "format", None) != "csr" or len(getattr(X, "shape", ())) != 2:
        return None
    start, column, value = X.indptr, X.indices, X.data
    if not all(type(array) is np.ndarray and array.ndim == 1 for array in (start, column, value)):
        return None
    flags = (column.flags, value.flags)
    sound = (
        all(each.c_contiguous and each.aligned for each in flags)
        and start.dtype.kind in "iu"
        and column.dtype == np.int32
        and value.dtype == np.float64
        and LARGE <= len(value) == len(column)
        and X.shape[1] <= MAX_INDEX + 1
    )
    return (start, column, value) if sound and np.all(value[:FIRST] == 1.0) else None


def _taken_for_ones(
    start: NDArray[Any],
    column: NDArray[np.int32],
    value: NDArray[np.float64],
    y: Any,
    n_features: int | None,
) -> Batch:
    """A batch that nobody has looked at but for its rows' starts and labels; or an error.

    Without a number of features to hold the columns against, these are looked at as well.
    """
    row_start = np.ascontiguousarray(start, np.int64)
    if row_start[0] != 0 or row_start[-1] != len(column) or np.any(row_start[1:] < row_start[:-1]):
        raise ValueError("rows begin where others do not end.")
    if n_features is None:
        n_features = _width(row_start, column)
    facts = Facts(n_features, integral=True, lowest=1.0, highest=1.0)
    rows = Rows.with_facts(row_start, column, value, facts)
    return Batch.from_rows(rows, as_labels(y, len(rows)))


def _parts_to_learn(batch: Batch, engine: AnyEngine) -> Iterator[slice]:
    """The rows to learn next, whose columns have been looked at: just now, if not before.

    What has just been looked at is still in a cache: it comes from memory once.
    """
    if engine.names.growing:
        yield slice(0, len(batch))
        return
    each = max(1, BLOCK * len(batch) // len(batch.value))
    for first in range(0, len(batch), each):
        part = slice(first, min(first + each, len(batch)))
        starts = batch.row_start[part.start : part.stop + 1]
        if _width(starts, batch.column) > engine.n_features:
            raise ValueError("a column has no weight.")
        yield part


def _width(row_start: NDArray[np.int64], column: NDArray[np.int32]) -> int:
    """The largest index of these rows, plus one; an error if they are out of order."""
    found: list[int] = []
    check_rows.inspect_columns(row_start, column, found)
    unsound, largest = found
    if unsound >= 0 or largest > MAX_INDEX:
        raise ValueError(f"row {unsound} is out of order.")
    return largest + 1

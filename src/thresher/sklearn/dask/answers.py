"""Answers for collections: what a fitted estimator predicts, computed when somebody asks."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.cluster.engine import failed
from thresher.errors import ThresherError, UnsoundBatchError
from thresher.sklearn.dask.features import Hashed
from thresher.sklearn.dask.partitions import Partitions
from thresher.sklearn.estimator import Estimator


def answered(estimator: Estimator, hashed: Hashed | None, method: str, rows: Partitions) -> Any:
    """The answers of a method for rows: at once for a matrix, else a collection with its cuts.

    An array has an array, a frame a series or a frame with its index, and a bag an array, whose
    chunks have sizes that are known when they are computed.
    """
    if rows.kind == "plain":
        return _answers(estimator, hashed, method, rows.whole)
    from dask import delayed  # noqa: PLC0415  (optional; whoever has a collection has it)

    empty = _none(estimator, method)
    # Packed, so that a worker is sent it once, and not with every partition.
    packed = pickle.dumps((estimator, hashed, method), protocol=5)
    state = delayed(pickle.loads)(packed)
    given = rows.whole
    if rows.kind == "frame":
        return given.map_partitions(_of_frame, state, meta=_labelled(estimator, empty, None))
    if rows.kind == "array":
        flat = empty.ndim == 1
        cuts = (given.chunks[0],) if flat else (given.chunks[0], (empty.shape[1],))
        return given.map_blocks(
            _of_block, state=state, chunks=cuts, drop_axis=[1] if flat else [], meta=empty
        )
    import dask.array as da  # noqa: PLC0415

    each = delayed(_of_block)
    shape = (np.nan, *empty.shape[1:])
    blocks = [
        da.from_delayed(each(part, state, (number,)), shape, meta=empty)
        for number, part in enumerate(rows.parts)
    ]
    return da.concatenate(blocks, allow_unknown_chunksizes=True)


def _answers(estimator: Estimator, hashed: Hashed | None, method: str, rows: Any) -> NDArray[Any]:
    if hashed is not None:
        rows = hashed.matrix(rows)
    if hasattr(rows, "shape") and rows.shape[0] == 0:
        # scikit-learn wants a row; a partition may have none.
        return _none(estimator, method)
    found: NDArray[Any] = getattr(estimator, method)(rows)
    return found


def _of_block(block: Any, state: Any, block_id: tuple[int, ...] | None = None) -> NDArray[Any]:
    number = 0 if block_id is None else block_id[0]
    return _named(number, state, block)


def _of_frame(frame: Any, state: Any, partition_info: Any = None) -> Any:
    number = 0 if partition_info is None else partition_info["number"]
    return _labelled(state[0], _named(number, state, frame), frame.index)


def _named(number: int, state: Any, rows: Any) -> NDArray[Any]:
    """The answers for a partition; an error says for which."""
    name = f"partition {number + 1}"
    try:
        estimator, hashed, method = state
        return _answers(estimator, hashed, method, rows)
    except ThresherError as error:
        raise failed(name, error) from error
    except (TypeError, ValueError) as error:
        raise UnsoundBatchError(f"{name}: {error}") from error


def _labelled(estimator: Estimator, found: NDArray[Any], index: Any) -> Any:
    """Answers as a series, or as a frame with a column for each class."""
    import pandas  # noqa: PLC0415  (whoever has a frame has it)

    if found.ndim == 1:
        return pandas.Series(found, index=index)
    return pandas.DataFrame(found, index=index, columns=list(estimator.classes_))


def _none(estimator: Estimator, method: str) -> NDArray[Any]:
    """What a method would say of no rows."""
    n = len(estimator.classes_)
    if method == "predict":
        return np.empty(0, estimator.classes_.dtype)
    return np.empty(0) if method == "decision_function" and n == 2 else np.empty((0, n))

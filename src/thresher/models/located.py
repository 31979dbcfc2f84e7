"""Faults in rows, told by the file and the line that they stand in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from thresher.errors import DimensionError, FeatureRangeError, RowError, StreamFaultError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thresher.streams.chunk import Chunk


@contextmanager
def located(chunk: Chunk, at: NDArray[np.int64]) -> Iterator[None]:
    """Faults in rows `at` of a chunk, told by file and line."""
    try:
        yield
    except (FeatureRangeError, DimensionError, RowError) as error:
        if not hasattr(error, "row"):
            raise
        line = int(chunk.line[at[error.row]])
        raise StreamFaultError(f"{chunk.file}:{line}: {error.detail}") from error

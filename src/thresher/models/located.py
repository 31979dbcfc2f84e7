"""Faults in rows, told by the place where the row stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from thresher.errors import DimensionError, FeatureRangeError, RowError, StreamFaultError


@contextmanager
def located(place: Callable[[int], str]) -> Iterator[None]:
    """Faults in a row, told by its place instead of its number.

    Parameters
    ----------
    place
        Where the row of a number stands: `Chunk.place` says its file and line.
    """
    try:
        yield
    except (FeatureRangeError, DimensionError, RowError) as error:
        if not hasattr(error, "row"):
            raise
        raise StreamFaultError(f"{place(error.row)}: {error.detail}") from error

"""Rows to write and to read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st

from thresher import Batch, Rows
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.chunk import Chunk
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import Stream, read_stream
from thresher.streams.recipe import Recipe

values = st.sampled_from([1.0, 1.0, 1.0, 2.0, -1.0, 0.5, 0.1, 1 / 3, 1e300, 5e-324, 2.0**53 + 2])


@st.composite
def batches(draw: st.DrawFn, *, max_index: int = 30) -> Batch:
    """Batches of a few rows; now and then all values are 1."""
    ones = draw(st.booleans())
    row = st.dictionaries(st.integers(0, max_index), st.just(1.0) if ones else values, max_size=6)
    rows = draw(st.lists(row, max_size=12))
    labels = draw(st.lists(st.sampled_from([-1, 1]), min_size=len(rows), max_size=len(rows)))
    return Batch.from_examples(list(zip(rows, labels, strict=True)))


def chunks_of(path: Path, **recipe: Any) -> list[Chunk]:
    """The chunks of a file."""
    return list(read_stream(path, names=NameTable(2**18, True), recipe=Recipe(**recipe)).chunks())


def joined(path: Path, **recipe: Any) -> Batch:
    """All rows of a file whose labels are -1 and 1."""
    _, rows, labels, _ = read_examples(path, **recipe)
    signs = [1 if label == "1" else -1 for label in labels]
    assert {"1", "-1"} >= {*labels}
    return Batch.from_examples(list(zip(rows, signs, strict=True)))


def read_examples(
    path: Path, names: NameTable | None = None, *, chunk_bytes: int = 2**20, **recipe: Any
) -> tuple[Stream, list[dict[int, float]], list[str | None], list[float]]:
    """A stream that has been read, its rows, labels as written, and importances."""
    stream = read_stream(
        path,
        names=names or NameTable(2**18, True),
        recipe=Recipe(**recipe),
        settings=ReadSettings(threads=2, chunk_bytes=chunk_bytes),
    )
    rows: list[dict[int, float]] = []
    labels: list[str | None] = []
    importance: list[float] = []
    for chunk in stream.chunks():
        rows += list(Rows(chunk.rows.row_start, chunk.rows.column, chunk.rows.value))
        labels += [None if k < 0 else stream.label_names[k] for k in chunk.label.tolist()]
        weights = np.ones(len(chunk.rows)) if chunk.importance is None else chunk.importance
        importance += weights.tolist()
    return stream, rows, labels, importance

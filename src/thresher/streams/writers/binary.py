"""Writer of the binary format: the same rows give the same bytes, however they were cut."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from thresher.streams.formats.binary_frame import Columns, Frame, end_frame, prologue
from thresher.streams.writers.examples import Examples

#: A frame is full with so many rows, or before the row with which it had more values than this.
FRAME_ROWS = 2**16
FRAME_VALUES = 2**20


class BinaryWriter:
    """Frames of bounded size, one after the other; the rows of an unfinished one are held back.

    Parameters
    ----------
    file
        Where the bytes go.
    columns
        What the columns of the rows mean.

    >>> import pathlib, tempfile
    >>> import thresher as th
    >>> from thresher.streams.writers.examples import Examples
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "tiny.thb"
    >>> with path.open("wb") as file:
    ...     writer = BinaryWriter(file)
    ...     writer.write(Examples.of(th.Batch.of([{3: 1, 7: 0.5}, {}], [1, -1])))
    ...     writer.finish()
    >>> [list(batch.examples()) for batch in th.read(path)]
    [[({3: 1.0, 7: 0.5}, 1), ({}, -1)]]
    """

    def __init__(self, file: BinaryIO, columns: Columns | None = None) -> None:
        self._file = file
        self._digest = sha256()
        self._put(prologue(columns or Columns()))
        self._held: list[Frame] = []
        self._n_rows = self._n_values = self._n_columns = 0
        self._labels: dict[str, int] = {}
        self._labels_written = 0

    def write(self, examples: Examples) -> None:
        """Write some more rows."""
        rows = examples.rows
        self._n_columns = max(self._n_columns, rows.n_features)
        ones = rows.only_ones or not len(rows.column)
        self._held.append(
            Frame(
                rows.row_start,
                rows.column,
                None if ones else rows.value,
                self._renumbered(examples),
                examples.importance,
                [],
            )
        )
        n_rows = sum(len(part.label) for part in self._held)
        n_values = sum(len(part.column) for part in self._held)
        if n_rows >= FRAME_ROWS or n_values > FRAME_VALUES:
            self._write_frames(last=False)

    def finish(self) -> None:
        """Write the last frame, and the end that says how much there is."""
        self._write_frames(last=True)
        counts = self._n_rows, self._n_values, self._n_columns
        self._put(end_frame(*counts, self._digest.digest()))

    def abandon(self) -> None:
        """There is nothing to let go of; without its end the file is not read."""

    def _put(self, data: bytes) -> None:
        self._digest.update(data)
        self._file.write(data)

    def _write_frames(self, *, last: bool) -> None:
        """Write what is held back; a frame that could take another row stays, unless `last`."""
        if not self._held:
            return
        held = _joined(self._held)
        start, n = held.row_start, len(held.label)
        first = 0
        while first < n:
            fits = int(np.searchsorted(start, start[first] + FRAME_VALUES, side="right")) - 1
            stop = min(max(fits, first + 1), first + FRAME_ROWS)
            if stop >= n and n - first < FRAME_ROWS and not last:
                break
            self._write_frame(_part(held, first, min(stop, n)))
            first = stop
        self._held = [_part(held, first, n)] if first < n else []

    def _write_frame(self, frame: Frame) -> None:
        known = max(self._labels_written, int(frame.label.max()) + 1)
        new_labels = [*self._labels][self._labels_written : known]
        self._put(replace(frame, new_labels=new_labels).to_bytes())
        self._labels_written = known
        self._n_rows += len(frame.label)
        self._n_values += len(frame.column)

    def _renumbered(self, examples: Examples) -> NDArray[np.int32]:
        """The labels, numbered in order of appearance in this file."""
        found, first = np.unique(examples.label, return_index=True)
        for index in found[np.argsort(first)].tolist():
            if index >= 0:
                self._labels.setdefault(examples.label_names[index], len(self._labels))
        ours = [self._labels.get(name, -1) for name in examples.label_names]
        return np.array([*ours, -1], np.int32)[examples.label]


def _joined(frames: list[Frame]) -> Frame:
    lengths: list[NDArray[np.int64]] = [np.diff(part.row_start) for part in frames]
    plain = all(part.importance is None for part in frames)
    ones = all(part.value is None for part in frames)
    return Frame(
        np.concatenate([np.zeros(1, np.int64), *lengths]).cumsum(),
        np.concatenate([part.column for part in frames]),
        None if ones else np.concatenate([_or_ones(p.value, len(p.column)) for p in frames]),
        np.concatenate([part.label for part in frames]),
        None if plain else np.concatenate([_or_ones(p.importance, len(p.label)) for p in frames]),
        [],
    )


def _part(frame: Frame, first: int, stop: int) -> Frame:
    start = frame.row_start[first : stop + 1]
    inside = slice(int(start[0]), int(start[-1]))
    importance = None if frame.importance is None else frame.importance[first:stop]
    return Frame(
        start - start[0],
        frame.column[inside],
        None if frame.value is None else frame.value[inside],
        frame.label[first:stop],
        None if importance is None or bool(np.all(importance == 1.0)) else importance,
        [],
    )


def _or_ones(array: NDArray[Any] | None, size: int) -> NDArray[Any]:
    return np.ones(size) if array is None else array

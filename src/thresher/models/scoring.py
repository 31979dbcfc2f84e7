"""Scoring rows with a model: each row once, and never more scores at a time than fit in memory."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from thresher.errors import (
    BadLineError,
    DimensionError,
    FeatureRangeError,
    RowError,
    StreamFaultError,
)
from thresher.models.opening import open_for_model, with_format
from thresher.streams.crew import default_threads, in_order

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.models.input_data import InputData
    from thresher.models.model import Model
    from thresher.streams.chunk import Chunk
    from thresher.streams.rows import Rows

#: So many scores are computed together, of one class or of all.
SCORES_TOGETHER = 1 << 22


def rows_together(learner: Learner) -> int:
    """How many rows are scored together."""
    n_columns = len(learner.classes) if learner.several else 1
    return max(1, SCORES_TOGETHER // max(1, n_columns))


class ScoredStream:
    """A stream read as a model's training data was, part by part, with the scores of its rows.

    The parts are scored by as many threads as read; order and scores do not depend on how many.

    Parameters
    ----------
    model
        Who scores.
    data
        What to read.
    labels
        Whether rows have labels that count.
    """

    def __init__(self, model: Model, data: InputData, *, labels: bool) -> None:
        self.model, self.data = model, data
        self.stream = open_for_model(model, data, labels=labels)
        self.threads = data.threads or default_threads()

    def __iter__(self) -> Iterator[tuple[Chunk, NDArray[np.float64]]]:
        # Nothing changes while rows are scored, so that threads share the parts.
        files = self.stream.total_bytes is not None
        shared = in_order(self._parts(), self._scores, self.threads, helping=files)
        with closing(shared) as parts:
            try:
                yield from parts
            except BadLineError as error:
                raise with_format(error, self.data, self.stream) from error

    def _parts(self) -> Generator[Chunk]:
        most_rows = rows_together(self.model.learner)
        with closing(self.stream.chunks()) as chunks:
            for chunk in chunks:
                yield from chunk.parts(most_rows)

    def _scores(self, part: Chunk) -> NDArray[np.float64]:
        with part.blaming_lines():
            return self.model.learner.scores(part.rows)


def scored(learner: Learner, rows: Rows) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Rows in memory, part by part, with their scores."""
    most_rows = rows_together(learner)
    for first in range(0, len(rows), most_rows):
        part = slice(first, first + most_rows)
        yield part, _scores_of(learner, rows, part)


def _scores_of(learner: Learner, rows: Rows, part: slice) -> NDArray[np.float64]:
    try:
        return learner.scores(rows[part])
    except (FeatureRangeError, DimensionError, RowError) as error:
        row = part.start + error.row
        fields = error.fields | {"row": row}
        what = f"row {row}: {error.detail}"
        raise StreamFaultError(what, error.remedy, code=error.code, **fields) from error

"""What a worker does in search of a counter-example: score rows with frozen weights, until one is.

It changes and keeps nothing, so that it may run anywhere, twice, or again if its worker is lost.
"""

from __future__ import annotations

import pickle
from contextlib import closing
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.cluster.bad_lines import sound
from thresher.cluster.shard_task import Reading, require_whole
from thresher.cluster.shards import Shard
from thresher.errors import ThresherError
from thresher.learners.base.conservative import Conservative
from thresher.models.chunk_learner import require_place_for_importance
from thresher.models.model import Model
from thresher.names.kept import KeptNames
from thresher.records import record
from thresher.streams.batch import Batch
from thresher.streams.chunk import Chunk
from thresher.streams.reading import Stream


@record(kw_only=True)
class Searched:
    """What a search came to."""

    #: In which of its shards the search ended, and how many rows were scored on the way.
    place: int
    rows: int
    #: The row that would change the learner; None: none does, in all shards.
    example: Batch | None = None
    #: Its line as it stands in the file, where rows are lines.
    line: bytes | None = None
    #: The names behind its hashed columns, as `KeptNames.to_arrays` has them.
    names: dict[str, NDArray[Any]] | None = None


def search(
    reading: Reading, shards: tuple[Shard, ...], start: int, packed: bytes
) -> Searched | ThresherError:
    """Look for a row that would change a learner that was pickled, in shards from `start` on.

    Behind the last shard comes the first, until all rows were scored or one is found.
    """
    learner: Conservative = pickle.loads(packed)
    rows = 0
    for step in range(len(shards)):
        place = (start + step) % len(shards)
        found = sound(shards[place], _searched, reading, shards[place], learner)
        if isinstance(found, ThresherError):
            return found
        rows += found.rows
        if found.example is not None:
            return replace(found, place=place, rows=rows)
    return Searched(place=start, rows=rows)


def _searched(reading: Reading, shard: Shard, learner: Conservative) -> Searched:
    """What a search in one shard came to."""
    rows = 0
    with reading.stream(shard, learner) as stream:
        with closing(stream.chunks()) as chunks:
            for chunk in chunks:
                batch = stream.batch(chunk, weighted=not reading.ignore_importance)
                require_place_for_importance(learner, chunk, batch, np.arange(len(batch)))
                with chunk.blaming_lines():
                    row = learner.first_change(batch)
                if row is not None:
                    example = batch.taken(np.array([row]))
                    found = _found(reading, learner, stream, chunk, row)
                    return Searched(place=0, rows=rows + row + 1, example=example, **found)
                rows += len(batch)
        require_whole(shard, stream)
    return Searched(place=0, rows=rows)


def _found(
    reading: Reading, learner: Conservative, stream: Stream, chunk: Chunk, row: int
) -> dict[str, Any]:
    """The line of a row, and the names in it."""
    model = Model(learner=learner, recipe=reading.recipe)
    kept = KeptNames(model.name_table, recipe=reading.recipe)
    kept.add_rows(stream.reader, chunk, np.arange(len(chunk.rows)) == row)
    line = None
    if chunk.text is not None and chunk.start is not None and chunk.stop is not None:
        line = bytes(chunk.text[int(chunk.start[row]) : int(chunk.stop[row])])
    return {"line": line, "names": kept.to_arrays() if len(kept) else None}

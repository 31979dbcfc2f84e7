"""Conversion on a cluster: workers read shards, and rows are written in the order of the data.

The file has the bytes that one machine writes. The names of features in a shard are numbered in
order of appearance, as those of a whole stream are, so that shard after shard they come to the
same numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.addresses import absolute
from thresher.cluster.bad_lines import BadLinesOfShard, account
from thresher.cluster.engine import checked_deadline
from thresher.cluster.scoring import Answered, ShardReading, answered, in_order
from thresher.cluster.shards import Shard, cut, require_files, usual_number
from thresher.errors import RequestError, ThresherError
from thresher.models.conversion import (
    NAMELESS,
    Conversion,
    called,
    hashing_table,
    naming_table,
)
from thresher.models.events import Progressed
from thresher.models.opening import bad_line_policy, open_stream
from thresher.records import record
from thresher.streams.formats.binary_frame import Columns
from thresher.streams.rows import Rows
from thresher.streams.sources.source import expanded
from thresher.streams.writers import Examples, writing
from thresher.streams.writers.column_names import ColumnNames

if TYPE_CHECKING:
    from thresher.cluster.engine import Engine
    from thresher.kernels.rows.named_rows import NameTable
    from thresher.models.input_data import InputData
    from thresher.streams.bad_lines import BadLinePolicy

#: So many shards for each worker are read ahead of the one that is being written.
AHEAD = 2


@record(eq=False)
class ShardRows:
    """What was read of a shard."""

    examples: list[Examples]
    #: The names in its vocabulary, by column; none where names are hashed.
    names: list[str]
    hashed_as: Columns | None


def read_shard(
    reading: ShardReading, shard: Shard, hashed: Columns, named: bool
) -> Answered | ThresherError:
    """The rows of a shard, with names as they are written, or hashed."""

    def answers(data: InputData) -> list[ShardRows]:
        names = naming_table(hashed.strongest) if named else hashing_table(hashed)
        # Not as its own first rows look: what is a number in one file is one in all.
        with open_stream(data, names, recipe=reading.recipe) as stream:
            found = [
                Examples(chunk.rows, chunk.label, tuple(stream.label_names), chunk.importance)
                for chunk in stream.chunks()
            ]
        return [ShardRows(found, [*names.vocabulary] if named else [], stream.hashed_as)]

    return answered(reading, shard, answers)


class ClusterConversion(Conversion):
    """Reads a stream on a cluster and writes it again, here, into one file.

    Parameters
    ----------
    data, output, asked
        As for `Conversion`; there is no `shuffle`.
    engine
        Who runs the tasks.
    n_shards
        In how many parts the data is read; the result does not depend on it.
    deadline
        How many seconds it may take.
    """

    def __init__(
        self,
        data: InputData,
        output: str,
        engine: Engine,
        *,
        n_shards: int | None = None,
        deadline: float = 3600.0,
        **asked: Any,
    ) -> None:
        if asked.get("shuffle") is not None:
            raise RequestError(
                "shuffle= is for one machine, which holds all rows in memory.",
                code="request.not_on_a_cluster",
                name="shuffle",
            )
        super().__init__(data, output, **asked)
        self._workers, self._n_shards = engine, n_shards
        self._deadline = checked_deadline(deadline)

    def __iter__(self) -> Iterator[Progressed]:
        require_files(expanded(self.data.paths))
        data = self.data.looked_at()
        hashed, policy = self._hashed(data), bad_line_policy(data)
        # What is bad in the first rows is met again, and accounted for, with their shard.
        first_look = replace(data, policy=BadLinesOfShard("skip", 0), threads=1)
        with open_stream(first_look, hashing_table(hashed)) as stream:
            names = self._names(stream)
            with closing(stream.chunks()) as chunks:
                next((chunk for chunk in chunks if len(chunk.rows)), None)
            # What the first rows say of the fields holds for all.
            reading, format_ = ShardReading.of_stream(data, stream), stream.format
            for remark in stream.bad.noticed:
                policy.remark(remark)
            paths = [absolute(p) if self._workers.elsewhere else p for p in stream.paths]
        shards = cut(paths, reading.recipe, self._n_shards or usual_number(paths))
        total = sum(shard.n_bytes for shard in shards)
        found = self._read(reading, shards, (hashed, names is not None), policy)
        # The first shard is read before the file is opened: a bad start leaves it as it was.
        first = next(found)
        columns = first[1].hashed_as or (Columns() if format_ in NAMELESS else hashed)
        known = naming_table(self._strongest)
        if names is not None:
            names = ColumnNames(known, words=format_ == "text")
        rows = values = position = 0
        labels: dict[str, None] = {}
        with writing(self.output, self.format, names=names, columns=columns) as writer:
            for shard, part in chain([first], found):
                place = _places(part.names, known)
                for examples in part.examples:
                    writer.write(self._moved(examples, place))
                    rows += len(examples)
                    values += len(examples.rows.column)
                    labels |= dict.fromkeys(examples.label_names)
                position += shard.n_bytes
                yield Progressed(rows, position, total)
        self._finish(format_, (rows, values, [*labels]), called(names, columns), policy)

    def _read(
        self,
        reading: ShardReading,
        shards: Sequence[Shard],
        how: tuple[Columns, bool],
        policy: BadLinePolicy,
    ) -> Iterator[tuple[Shard, ShardRows]]:
        """The rows of all shards in order, some shards at a time: all would not go into memory."""
        engine, until = self._workers, monotonic() + self._deadline
        some = AHEAD * max(1, engine.width)
        for at in range(0, len(shards), some):
            group = shards[at : at + some]
            tasks = [engine.submit(str(one), read_shard, reading, one, *how) for one in group]
            left = max(0.0, until - monotonic()) if at else self._deadline
            for shard, result in zip(group, in_order(engine.gather(tasks, left)), strict=True):
                if isinstance(result, ThresherError):
                    raise result
                account(policy, [result.bad])
                yield shard, result.parts[0]

    def _moved(self, examples: Examples, place: NDArray[np.int32] | None) -> Examples:
        """The rows of a shard with the columns that their names have in the file."""
        rows = examples.rows
        if place is not None:
            column = place[rows.column]
            number = np.repeat(np.arange(len(rows)), np.diff(rows.row_start))
            order = np.lexsort((column, number))
            rows = Rows(rows.row_start, column[order], rows.value[order])
        importance = None if self._ignore_importance else examples.importance
        return Examples(rows, examples.label, examples.label_names, importance)


def _places(names: list[str], known: NameTable) -> NDArray[np.int32] | None:
    """Where the names of a shard stand among those of all before it; None: where they stood."""
    vocabulary = known.vocabulary
    place = np.array([vocabulary.setdefault(n, len(vocabulary)) for n in names], np.int32)
    return None if np.array_equal(place, np.arange(len(place))) else place

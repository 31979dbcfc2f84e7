"""Shards on workers, for those who prove something: what is asked of their rows, there.

A shard of a certificate is so many rows in the order of the data. Files are cut anew by whoever
checks, so that a shard may be made of parts of several pieces; mostly it is one piece as it is.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Any

from thresher.cluster.bad_lines import sound
from thresher.cluster.engine import Engine, unpacked_for
from thresher.cluster.labelled_shards import Counted, RowsOfShards
from thresher.cluster.shards import Shard
from thresher.errors import ClusterError, ThresherError
from thresher.verifier import LabelledRows
from thresher.verifier.readers.labelled_rows import joined

#: Pieces of files with the rows of them that are wanted: from, to, and how many there are.
Spans = tuple[tuple[Shard, int, int, int], ...]


def count_rows(reader: RowsOfShards, piece: Shard) -> Counted | ThresherError:
    """What there is in a piece."""
    return sound(piece, reader.counted, piece)


def work_on(
    reader: RowsOfShards, spans: Spans, function: Callable[..., Any], shared: Any, own: tuple[Any]
) -> tuple[str, Any]:
    """The digest of a shard's rows, and what a function makes of them."""
    rows = joined([_part(reader, *span) for span in spans])
    try:
        return rows.digest(), function(rows, *shared, *own)
    except ThresherError as error:
        return rows.digest(), error


def _part(reader: RowsOfShards, piece: Shard, first: int, stop: int, counted: int) -> LabelledRows:
    rows = reader.rows(piece)
    if len(rows) != counted:
        raise _changed(str(piece))
    return rows.part(first, stop)


def _changed(what: str) -> ClusterError:
    return ClusterError(
        f"{what}: its rows are not those that were read before.",
        "Files must not change while somebody looks at them: begin again.",
        code="cluster.changed",
    )


def gathered(engine: Engine, tasks: Sequence[Any], deadline: float) -> list[Any]:
    """The results of tasks in order; the error of the first that has one."""
    found: list[Any] = [None] * len(tasks)
    for place, result in engine.gather(tasks, deadline):
        found[place] = result
    for result in found:
        if isinstance(result, ThresherError):
            raise result
    return found


class ShardsOnWorkers:
    """The rows of files, cut into shards, on the workers of an engine.

    Parameters
    ----------
    engine
        Who runs the tasks.
    reader
        How rows are read.
    pieces
        The files, cut in any way, in order.
    deadline
        How many seconds one question to all shards may take.
    """

    def __init__(
        self, engine: Engine, reader: RowsOfShards, pieces: Sequence[Shard], deadline: float
    ) -> None:
        self._workers, self._deadline = engine, deadline
        self.pieces = tuple(pieces)
        tasks = [engine.submit(str(one), count_rows, reader, one) for one in pieces]
        found: list[Counted] = gathered(engine, tasks, deadline)
        self.reader = reader.settled(pieces, found)
        self.counts = tuple(one.rows for one in found)
        self.n_rows = sum(self.counts)
        self._spans: list[Spans] = []
        self._digests: list[str] = []

    def cut(self, rounds: Sequence[int], digests: Sequence[str] = ()) -> None:
        """Make shards of so many rows, in the order of the data, and of these digests if given."""
        starts = [0, *accumulate(self.counts)]
        self._spans = [
            tuple(
                (piece, max(first, start) - start, min(stop, start + n) - start, n)
                for piece, n, start in zip(self.pieces, self.counts, starts, strict=False)
                if start < stop and first < start + n
            )
            for first, stop in pairwise([0, *accumulate(rounds)])
        ]
        self._digests = list(digests)

    def each(
        self,
        function: Callable[..., Any],
        shared: tuple[Any, ...],
        arguments: Sequence[Any] | None = None,
    ) -> list[Any]:
        """What a function makes of the rows of each shard."""
        engine, n = self._workers, len(self._spans)
        packed = pickle.dumps(shared, protocol=5)
        copies = unpacked_for(engine, "what all shards are asked", packed, n)
        own = [()] * n if arguments is None else [(one,) for one in arguments]
        tasks = [
            engine.submit(_named(number, spans), work_on, self.reader, spans, function, *given)
            for number, (spans, *given) in enumerate(zip(self._spans, copies, own, strict=True))
        ]
        digests, found = [], []
        for digest, result in gathered(engine, tasks, self._deadline):
            if isinstance(result, ThresherError):
                raise result
            digests.append(digest)
            found.append(result)
        for number, (before, now) in enumerate(zip(self._digests, digests, strict=False)):
            if before != now:
                raise _changed(_named(number, self._spans[number]))
        self._digests = digests
        return found


def _named(number: int, spans: Spans) -> str:
    pieces = tuple(piece for span in spans for piece in span[0].pieces)
    return str(Shard(number, pieces)) if pieces else f"shard {number + 1}"

"""ShardSource: who has the rows of shards, and works on them as it is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, pairwise
from typing import Any, Protocol

from thresher.verifier.readers.labelled_rows import LabelledRows


class ShardSource(Protocol):
    """The rows of shards, wherever they are."""

    #: Rows of all shards together, whatever a certificate says.
    n_rows: int

    def cut(self, rounds: Sequence[int]) -> None:
        """Make shards of so many rows, in the order of the data; they are `n_rows` in all."""

    def each(
        self,
        function: Callable[..., Any],
        shared: tuple[Any, ...],
        arguments: Sequence[Any] | None = None,
    ) -> list[Any]:
        """What a function makes of the rows of each shard.

        It is also given what all shards share, and, where there are arguments, that of the shard.
        The function must depend on nothing else: it may run anywhere, and twice.
        """


class ShardsInMemory:
    """The rows of one stream, cut into shards; several threads may share the work.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> source = ShardsInMemory(read_rows([[1], [2], [3]], [1, 1, -1]))
    >>> source.cut([1, 2])
    >>> source.each(lambda rows, a, b: len(rows) + a + b, (100,), [10, 20])
    [111, 122]
    """

    def __init__(self, stream: LabelledRows, workers: int = 1) -> None:
        self._stream, self._workers = stream, workers
        self._parts: list[LabelledRows] = []
        self.n_rows = len(stream)

    def cut(self, rounds: Sequence[int]) -> None:
        """Make shards of so many rows."""
        ends = [0, *accumulate(rounds)]
        self._parts = [self._stream.part(first, stop) for first, stop in pairwise(ends)]

    def each(
        self,
        function: Callable[..., Any],
        shared: tuple[Any, ...],
        arguments: Sequence[Any] | None = None,
    ) -> list[Any]:
        """What a function makes of each shard."""
        own = [()] * len(self._parts) if arguments is None else [(one,) for one in arguments]
        work = list(zip(self._parts, own, strict=True))
        if self._workers == 1 or len(work) == 1:
            return [function(part, *shared, *given) for part, given in work]
        with ThreadPoolExecutor(self._workers) as pool:
            return list(pool.map(lambda one: function(one[0], *shared, *one[1]), work))

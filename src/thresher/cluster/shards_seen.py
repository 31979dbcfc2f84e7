"""ShardsSeen: which shards a run that takes them in order has behind it, pass by pass."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from thresher.addresses import absolute
from thresher.errors import ClusterError, ResumeError
from thresher.models.history import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thresher.cluster.block_task import Played
    from thresher.cluster.shards import Shard


class ShardsSeen:
    """The sources of a run so far, one for each piece of a shard."""

    def __init__(self, shards: Sequence[Shard]) -> None:
        self._first = [0]
        for shard in shards:
            self._first.append(self._first[-1] + len(shard.pieces))
        names = [str(piece) for shard in shards for piece in shard.pieces]
        self._sources = [Source(name=name, rows=0, passes=0) for name in names]
        #: Passes that are done, and how many shards of the next one.
        self.passes = self.done = 0

    @property
    def sources(self) -> tuple[Source, ...]:
        """What was read, piece by piece."""
        return tuple(self._sources)

    @property
    def rows(self) -> int:
        """Rows of all passes."""
        return sum(source.rows for source in self._sources)

    def take(self, played: Played) -> None:
        """The next shard was played; it must have the bytes that it had before."""
        first, last = self._first[self.done], self._first[self.done + 1]
        seen = zip(range(first, last), played.rows, played.n_bytes, played.digests, strict=True)
        for place, rows, n_bytes, digest in seen:
            old = self._sources[place]
            if old.digest not in (None, digest):
                raise ClusterError(
                    f"{old.name}: its bytes are not those of the pass before.",
                    "A file must not change while it is learned from: train again.",
                    code="cluster.changed",
                )
            algorithm, _, value = digest.partition(":")
            known: dict[str, Any] = {algorithm: value}
            passes, rows = old.passes + 1, old.rows + rows
            self._sources[place] = replace(old, rows=rows, passes=passes, n_bytes=n_bytes, **known)
        self.done += 1
        if self.done == len(self._first) - 1:
            self.passes, self.done = self.passes + 1, 0

    def take_up(self, sources: tuple[Source, ...], path: str) -> None:
        """Go on behind what an interrupted run has seen."""
        before = [absolute(source.name) for source in sources]
        if before != [absolute(source.name) for source in self._sources]:
            files = dict.fromkeys(source.name.partition("[")[0] for source in sources)
            raise ResumeError(
                f"{path} was interrupted while it learned from {', '.join(files)}, in "
                f"{len(sources)} parts.",
                "Give the same data, as many shards, and the same mode.",
                code="resume.other_shards",
                shards=len(sources),
            )
        self._sources = list(sources)
        passes = [source.passes for source in sources]
        self.passes = min(passes)
        behind = sum(count > self.passes for count in passes)
        self.done = self._first.index(behind)

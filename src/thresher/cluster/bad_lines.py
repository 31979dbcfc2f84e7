"""Bad lines of shards, accounted for as if one reader had met them all, in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import replace
from typing import Any, TypeVar

from thresher.addresses import shown
from thresher.cluster.shards import Piece, Shard, require_sizes
from thresher.errors import ClusterError, SourceError, ThresherError
from thresher.errors.error import joined
from thresher.models.input_data import InputData, Policy
from thresher.records import record
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.chunk import BadLine
from thresher.streams.remark import Remark
from thresher.streams.sources.source import ByteSource

T = TypeVar("T")

#: Bad lines of a shard that are written to a file; whoever has more has another problem.
MOST_BAD_LINES = 10_000
_BLOCK = 1 << 20


def lines_to_keep(data: InputData) -> int:
    """How many bad lines of a shard are wanted with all that is known of them."""
    if data.on_bad[1] is not None:
        return MOST_BAD_LINES
    return 0 if data.max_bad is None else min(data.max_bad + 1, MOST_BAD_LINES)


class BadLinesOfShard(BadLinePolicy):
    """Stops at the first bad line, or counts them and keeps some, for whoever sees all shards."""

    def __init__(self, on_bad: Policy, most: int) -> None:
        super().__init__("stop" if on_bad == "stop" else "skip")
        self._most = most
        self._kept: list[BadLine] = []

    @property
    def only_counts(self) -> bool:
        """Whether nothing happens to a bad line but that it is counted."""
        return self.on_bad == "skip" and not self._most

    def take(self, bad: BadLine) -> None:
        """Count a bad line, and keep it if there is room."""
        super().take(bad)
        if len(self._kept) < self._most:
            self._kept.append(replace(bad, raw=self.as_written(bad.raw)))

    def found_in(self, shard: Shard) -> BadLinesFound:
        """What there was, with lines counted from the start of their files."""
        return BadLinesFound(
            self.count,
            shifted(self.first, shard),
            tuple(filter(None, (shifted(bad, shard) for bad in self._kept))),
            self.mended,
            shifted(self.first_mended, shard),
            self.noticed,
        )


@record
class BadLinesFound:
    """What a shard had of bad lines, and of lines that were read although they are not UTF-8."""

    count: int = 0
    first: BadLine | None = None
    kept: tuple[BadLine, ...] = ()
    mended: int = 0
    first_mended: BadLine | None = None
    #: What is to be said about how its lines were read.
    noticed: tuple[Remark, ...] = ()


def account(policy: BadLinePolicy, shards: Iterable[BadLinesFound]) -> None:
    """Count and write down the bad lines of shards in their order, or stop as one reader would.

    What is to be said about how lines were read is said once.
    """
    policy.open()
    for found in shards:
        for remark in found.noticed:
            policy.remark(remark)
        if found.first_mended is not None:
            first = found.first_mended
            policy.note_mended(first.file, found.mended, first.line)
        if policy.only_counts:
            policy.count += found.count
            policy.first = policy.first or found.first
            continue
        for bad in found.kept:
            policy.take(bad)
        if found.count > len(found.kept):
            _count_rest(policy, found)
    policy.close()


def _count_rest(policy: BadLinePolicy, found: BadLinesFound) -> None:
    """Count the bad lines of a shard that were not sent back, or stop."""
    if policy.quarantine is not None:
        raise ClusterError(
            f"a shard has {found.count:,} bad lines, and {MOST_BAD_LINES:,} are sent back, "
            f"the first: {found.first}.",
            "Skip them, or have them written on one machine.",
            code="cluster.bad_lines",
        )
    policy.count += found.count - len(found.kept)
    if policy.max_bad is not None and policy.count > policy.max_bad:
        # One machine would name the line that is one too many. Here only its shard is known.
        raise ClusterError(
            f"there are {policy.count:,} bad lines or more, and at most {policy.max_bad:,} are "
            f"allowed. The first of the shard with which they are too many: {found.first}.",
            "Mend the data, or allow more.",
            code="cluster.bad_lines",
        )


def shifted(bad: BadLine | None, shard: Shard) -> BadLine | None:
    """A bad line of a part of a file, with lines counted from the start of the file."""
    return None if bad is None else replace(bad, line=bad.line + lines_before(shard, bad.file))


def sound(shard: Shard, work: Callable[..., T], *args: Any) -> T | ThresherError:
    """What a function makes of a shard.

    What is wrong with its data is a result: to try again would find the same. What is wrong with
    a disk or a network is raised, and tried again.
    """
    try:
        found = work(*args)
        require_sizes(shard)
        return found
    except SourceError:
        raise
    except ThresherError as error:
        return with_true_line(error, shard)


def with_true_line(error: ThresherError, shard: Shard) -> ThresherError:
    """The error; one about a line of a part of a file counts lines from the start of the file."""
    for piece in shard.pieces:
        file = shown(piece.path)
        digits = error.what.partition(f"{file}:")[2].partition(":")[0]
        if not piece.start or not error.what.startswith(file) or not digits.isdigit():
            continue
        line = int(digits) + lines_before(shard, file)
        what = error.what.replace(f"{file}:{digits}:", f"{file}:{line}:", 1)
        fields = error.fields | ({"line": line} if "line" in error.fields else {})
        told = vars(error) | {"what": what, "fields": fields} | fields
        return type(error)._bare((joined(what, error.remedy),), told)
    return error


def lines_before(shard: Shard, file: str) -> int:
    """The lines of a file before the part of it that a shard has; they are counted."""
    parts = [piece for piece in shard.pieces if shown(piece.path) == file and piece.start]
    return 0 if not parts else _counted(parts[0])


def _counted(piece: Piece) -> int:
    with closing(ByteSource(piece.path, part=(0, piece.start))) as before:
        return sum(block.count(b"\n") for block in iter(lambda: before.read(_BLOCK), b""))

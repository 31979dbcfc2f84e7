"""Labelled rows of shards for those who prove something: two ways to read, with one face.

The verifier's own reader of svmlight, and the reader of all commands. What labels mean is settled
once, by all shards together, as one machine would settle it that read them in order.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import field, replace
from typing import Protocol, Self

import numpy as np

from thresher.cluster.bad_lines import BadLinesFound, BadLinesOfShard, account, with_true_line
from thresher.cluster.labels import labels_of
from thresher.cluster.scoring import ShardReading
from thresher.cluster.shards import Shard
from thresher.errors import ClusterError, LabelError, ThresherError
from thresher.kernels.rows.named_rows import NameTable
from thresher.models.input_data import InputData
from thresher.models.labelled import LabelledStream
from thresher.models.opening import bad_line_policy, open_stream
from thresher.records import record
from thresher.streams.batch import Batch
from thresher.streams.label_scheme import LabelScheme
from thresher.verifier import LabelledRows, PlainRows, read_rows, read_svmlight
from thresher.verifier.readers.label_names import signs_of
from thresher.verifier.readers.plain_rows import numbered


@record(kw_only=True)
class Counted:
    """What was seen of a shard: rows, and labels in order of appearance."""

    rows: int
    label_names: tuple[str, ...]
    label_places: tuple[tuple[str, int], ...] = ()
    #: What counts as -1, if only the rows could tell.
    negative: str | None = None
    bad: BadLinesFound = BadLinesFound()


class RowsOfShards(Protocol):
    """How the rows of shards are read; it is sent to whoever reads them."""

    def counted(self, shard: Shard) -> Counted:
        """What there is in a shard."""

    def settled(self, shards: Sequence[Shard], found: Sequence[Counted]) -> Self:
        """The same, now that all shards were seen; labels that do not go together are refused."""

    def rows(self, shard: Shard) -> LabelledRows:
        """The rows of a shard, once labels are settled."""


@record(kw_only=True)
class OwnRows:
    """svmlight, read by the verifier's own reader."""

    #: Not in its `repr`, which a worker may write to its log: an address may be signed.
    paths: tuple[str, ...] = field(repr=False)
    positive: str | None
    one_based: bool
    n_columns: int
    #: The names of several classes; None: there are two.
    classes: tuple[str, ...] | None = None
    #: What each label counts as, once that is settled: a sign, or the number of its class.
    numbers: dict[str, int] | None = None

    def plain(self, shard: Shard) -> PlainRows:
        """The rows of a shard, labels by name."""
        return self._read(
            [piece.path for piece in shard.pieces],
            [None if piece.whole else (piece.start, piece.stop) for piece in shard.pieces],
        )

    def _read(
        self,
        paths: Sequence[str],
        parts: Sequence[tuple[int, int] | None] | None = None,
        *,
        first: bool = False,
    ) -> PlainRows:
        return read_svmlight(
            paths,
            self.positive,
            one_based=self.one_based,
            n_columns=self.n_columns,
            parts=parts,
            first=first,
        )

    def counted(self, shard: Shard) -> Counted:
        """What there is in a shard."""
        found = self.plain(shard)
        return Counted(
            rows=len(found.label_number),
            label_names=found.label_names,
            label_places=found.label_places,
        )

    def first_rows(self) -> PlainRows:
        """The rows that may tell what labels mean."""
        return self._read(self.paths, first=True)

    def settled(self, shards: Sequence[Shard], found: Sequence[Counted]) -> OwnRows:
        """The same with the meaning of labels, by the first rows of all and by all labels."""
        places: dict[str, tuple[int, tuple[str, int]]] = {}
        for number, one in enumerate(found):
            for name, place in zip(one.label_names, one.label_places, strict=True):
                places.setdefault(name, (number, place))
        where = tuple(place for _, place in places.values())
        try:
            numbers = self._numbers(tuple(places), where)
        except ThresherError as error:
            # The place of a label within its part says which part it is in.
            at = next((n for n, place in places.values() if str(error).startswith(_at(place))), 0)
            raise with_true_line(error, shards[at]) from None
        return replace(self, numbers=numbers)

    def _numbers(
        self, names: tuple[str, ...], places: tuple[tuple[str, int], ...]
    ) -> dict[str, int]:
        """What all labels count as, given in order of appearance."""
        if self.classes is not None:
            nothing, every = np.zeros(0, np.int32), np.arange(len(names), dtype=np.int32)
            some = PlainRows(np.zeros(1, np.int64), nothing, np.zeros(0), every, names, places)
            return dict(zip(names, numbered(some, self.classes).tolist(), strict=True))
        head = self.first_rows()
        number = {name: at for at, name in enumerate(names)}
        first = np.array([number[name] for name in head.label_names], np.int32)
        deciding = first[head.label_number[: head.deciding]]
        every = np.concatenate((deciding, np.arange(len(names)))).astype(np.int32)
        signs = signs_of(every, names, places, self.positive, len(deciding))[len(deciding) :]
        return dict(zip(names, signs.tolist(), strict=True))

    def rows(self, shard: Shard) -> LabelledRows:
        """The rows of a shard, once labels are settled."""
        found = self.plain(shard)
        numbers = self.numbers or {}
        kind = np.int8 if self.classes is None else np.int32
        strange = next((name for name in found.label_names if name not in numbers), None)
        if strange is not None:
            raise ClusterError(
                f"{shard}: found the label {strange}, which was not there before.",
                "Files must not change while somebody looks at them: begin again.",
                code="cluster.changed",
            )
        table = np.array([*(numbers[name] for name in found.label_names), 0], kind)
        label = table[found.label_number]
        return LabelledRows(found.row_start, found.column, found.value, label, self.classes)


def _at(place: tuple[str, int]) -> str:
    return f"{place[0]}:{place[1]}:"


@record(kw_only=True)
class StreamRows:
    """Any format, read as all commands read it."""

    reading: ShardReading
    names: NameTable
    labels: LabelScheme
    #: The names of several classes; None: there are two.
    classes: tuple[str, ...] | None = None
    ignore_importance: bool
    #: Whether a model has learned the rows before.
    learned: bool

    def _read(self, shard: Shard) -> tuple[list[Batch], LabelledStream]:
        data = self.reading.of(shard)
        scheme = LabelScheme.from_dict(self.labels.to_dict())
        with open_stream(
            data, self.names, recipe=self.reading.recipe, scheme=scheme, add=False
        ) as stream:
            pieces = LabelledStream(
                stream, ignore_importance=self.ignore_importance, learned=self.learned
            )
            return [piece.batch for piece in pieces], pieces

    def counted(self, shard: Shard) -> Counted:
        """What there is in a shard."""
        batches, pieces = self._read(shard)
        stream = pieces.stream
        assert stream.scheme is not None
        assert isinstance(stream.bad, BadLinesOfShard)
        return Counted(
            rows=sum(map(len, batches)),
            # A label that bad lines alone have is none of the classes.
            label_names=tuple(stream.label_names if self.classes is None else _labels_in(batches)),
            negative=stream.scheme.negative,
            bad=stream.bad.found_in(shard),
        )

    def settled(self, shards: Sequence[Shard], found: Sequence[Counted]) -> StreamRows:
        """The same with labels on which all shards agree; bad lines are accounted for."""
        account(bad_line_policy(self.reading.data), (one.bad for one in found))
        for name in (name for one in found for name in one.label_names):
            if self.classes is not None and name not in self.classes:
                raise LabelError(f"found the label {name!r}, which is none of the classes.")
        return replace(self, labels=labels_of(self.labels, found))

    def rows(self, shard: Shard) -> LabelledRows:
        """The rows of a shard, once labels are settled."""
        batches, _ = self._read(shard)
        if not batches:
            return read_rows(np.zeros((0, 0)), np.zeros(0), self.classes)
        return read_rows(Batch.joined(batches), None, self.classes)


def _labels_in(batches: Sequence[Batch]) -> list[str]:
    """The labels that rows have, each once."""
    numbers = [(batch.classes or (), np.unique(batch.label).tolist()) for batch in batches]
    return [*dict.fromkeys(names[number] for names, some in numbers for number in some)]


def scheme_by_first_rows(data: InputData, names: NameTable, scheme: LabelScheme) -> LabelScheme:
    """What labels mean, by the first rows of all data."""
    with open_stream(data, names, scheme=scheme) as stream, closing(stream.chunks()) as chunks:
        next((chunk for chunk in chunks if len(chunk.rows)), None)
        found = stream.scheme
    assert found is not None
    if found.several:
        raise LabelError(
            "the labels are of more than two classes, and the certificate is about two.",
            "positive= makes two of them.",
            code="label.which",
        )
    return found

"""What a worker does with a shard: a function of the epoch's state and of bytes, of nothing else.

It keeps nothing, so that it may run anywhere, twice, or again after its worker was lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from thresher import __version__
from thresher.addresses import shown
from thresher.cluster.bad_lines import BadLinesFound, BadLinesOfShard, sound
from thresher.cluster.hindsight import Measured, Question
from thresher.cluster.mixing import AnyChange, change_between
from thresher.cluster.shards import Shard
from thresher.errors import ClusterError, ThresherError
from thresher.learners.base.learner import Learner
from thresher.models.chunk_learner import ChunkLearner
from thresher.models.input_data import Policy
from thresher.models.model import Model
from thresher.models.progress import Progress
from thresher.names.kept import KeptNames
from thresher.records import record
from thresher.streams.first_look import NoLook
from thresher.streams.formats.format import TableHeader
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import Stream, read_stream
from thresher.streams.recipe import Recipe
from thresher.streams.remark import UNENDED, Remark
from thresher.streams.rows import Rows

Lessons = TypeVar("Lessons", bound=ChunkLearner)


@record(kw_only=True)
class Reading:
    """How shards are read: settled before the first of them, and alike for all."""

    recipe: Recipe
    labels: LabelScheme
    #: Of a table: that of the first file, whoever reads it.
    header: TableHeader | None = None
    on_bad: Policy = "stop"
    #: How many bad lines of a shard are sent back with all that is known of them.
    bad_kept: int = 0
    ignore_importance: bool = False
    keep_names: bool = True
    #: Whether somebody chose the learner, and so the memory that it takes.
    chosen: bool = True
    version: str = __version__

    def stream(self, shard: Shard, learner: Learner) -> Stream:
        """A shard as rows of a learner."""
        if self.version != __version__:
            raise ClusterError(
                f"a worker has thresher {__version__}, and who asks it has {self.version}.",
                "Install the same release everywhere.",
                code="cluster.versions",
            )
        paths = [piece.path for piece in shard.pieces]
        names = learner.name_table
        assert names is not None
        return read_stream(
            paths,
            names=names,
            recipe=self.recipe,
            scheme=LabelScheme.from_dict(self.labels.to_dict()),
            bad=BadLinesOfShard(self.on_bad, self.bad_kept),
            settings=ReadSettings(
                threads=1,
                limits=learner.domain,
                parts={p.path: (p.start, p.stop) for p in shard.pieces if not p.whole},
                header=self.header,
            ),
            look=NoLook(paths, self.recipe),
        )


@record(kw_only=True)
class Seen:
    """What was seen of a shard by whoever played a round on every row of it."""

    #: Of each piece: rows, bytes and digest as stored.
    rows: tuple[int, ...]
    n_bytes: tuple[int, ...]
    digests: tuple[str, ...]
    #: Labels in order of appearance, and what counts as -1 if only the rows could tell.
    label_names: tuple[str, ...]
    negative: str | None
    bad: BadLinesFound
    #: The names behind hashed columns, as `KeptNames.to_arrays` has them.
    names: dict[str, NDArray[Any]] | None


@record(kw_only=True)
class Learned(Seen):
    """What became of a shard in an epoch."""

    change: AnyChange
    #: What the learner with which the epoch began would have lost, if that was asked.
    measured: Measured | None


def learn_shard(
    reading: Reading, shard: Shard, learner: Learner, question: Question | None = None
) -> Learned | ThresherError:
    """Play a round on every row of a shard, beginning with a learner that is not changed.

    With a `question`, the learner that is not changed is asked about every row.
    """
    return sound(shard, _learned, reading, shard, learner, question)


def _learned(reading: Reading, shard: Shard, began: Learner, question: Question | None) -> Learned:
    before, learner = began.shared_numbers(), began.copy()
    measured: list[Measured] = []

    def look(rows: Rows, label: NDArray[np.int8]) -> None:
        assert question is not None
        measured.append(Measured.of_rows(question, began, rows, label))

    _, seen = played(reading, shard, learner, ChunkLearner, None if question is None else look)
    return Learned(
        change=change_between(before, learner.shared_numbers()),
        measured=Measured.of_all(measured) if measured else None,
        **seen,
    )


def played(
    reading: Reading,
    shard: Shard,
    learner: Learner,
    lessons: Callable[..., Lessons],
    look: Callable[[Rows, NDArray[np.int8]], None] | None = None,
) -> tuple[Lessons, dict[str, Any]]:
    """Let a learner play a round on every row of a shard.

    Returns who gave the lessons, and what was seen of the shard, as `Seen` has it. `look` is shown
    all rows that are labelled by signs before they are played.
    """
    model = Model(learner=learner, recipe=reading.recipe)
    if reading.keep_names:
        model.kept = KeptNames(model.name_table, recipe=reading.recipe)
    rows = dict.fromkeys((shown(piece.path) for piece in shard.pieces), 0)
    with reading.stream(shard, learner) as stream:
        given = lessons(
            model,
            stream,
            Progress(learner.n_rounds, learner.mistakes, None),
            None,
            claim=None,
            weighted=not reading.ignore_importance,
            chosen=reading.chosen,
        )
        with closing(stream.chunks()) as chunks:
            for chunk in chunks:
                rows[chunk.file] += len(chunk.rows)
                if look is not None and len(chunk.rows):
                    look(chunk.rows, stream.batch(chunk).label)
                for _ in given.learn(chunk, 0, () if learner.several else ("-1", "+1")):
                    pass
    require_whole(shard, stream)
    for piece, source in zip(shard.pieces, stream.sources, strict=True):
        if source.unended and piece.ends:
            stream.bad.remark(Remark(f"{source.name}: {UNENDED}"))
    scheme, bad = stream.scheme, stream.bad
    assert scheme is not None
    assert isinstance(bad, BadLinesOfShard)
    return given, {
        "rows": tuple(rows.values()),
        "n_bytes": tuple(source.n_bytes for source in stream.sources),
        "digests": tuple(source.digest for source in stream.sources),
        "label_names": tuple(stream.label_names),
        "negative": scheme.negative,
        "bad": bad.found_in(shard),
        "names": model.kept.to_arrays() if model.kept is not None and len(model.kept) else None,
    }


def require_whole(shard: Shard, stream: Stream) -> None:
    """Refuse a file that has become shorter, or is being written."""
    for piece, source in zip(shard.pieces, stream.sources, strict=True):
        if source.n_bytes != piece.stop - piece.start:
            what = (
                f"there were {piece.stop - piece.start:,} bytes, and {source.n_bytes:,} were read"
            )
            raise ClusterError(
                f"{piece}: {what}.",
                "A file must not change while it is learned from: train again.",
                code="cluster.changed",
            )


def names_of_all(
    kept: KeptNames, shards: Sequence[dict[str, NDArray[Any]] | None], recipe: Recipe
) -> KeptNames:
    """The names that were kept, with those of shards in their order; their updates are added up."""
    merged: dict[bytes, int] = {}
    dropped = 0
    for arrays in (kept.to_arrays(), *shards):
        if arrays is None:
            continue
        text, start = arrays["text"].tobytes(), 0
        for stop, updates in zip(arrays["stop"].tolist(), arrays["updates"].tolist(), strict=True):
            merged[text[start:stop]] = merged.get(text[start:stop], 0) + updates
            start = stop
        dropped += int(arrays["limits"][2])
    # Who is in the most updates stays, among equals who came first; all keep their order.
    by_updates = sorted(merged, key=lambda name: -merged[name])[: kept.limit]
    size = 0
    stays = {name for name in by_updates if (size := size + len(name)) <= kept.max_bytes}
    names = [name for name in merged if name in stays]
    arrays = {
        "text": np.frombuffer(b"".join(names), np.uint8),
        "stop": np.cumsum([len(name) for name in names], dtype=np.int64),
        "updates": np.array([merged[name] for name in names], np.int64),
        "limits": np.array(
            [kept.limit, kept.max_bytes, dropped + len(merged) - len(names)], np.int64
        ),
    }
    return KeptNames.from_arrays(kept.table, arrays, recipe)

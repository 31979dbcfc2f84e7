"""Deliveries: events on their way into the log and from there into the model, many at a time.

What several requests want to be learned while the disk is busy becomes one entry of the log and
is learned at once. That changes no bit of the model, and no number of an event; a commit then costs
the same for one request and for a hundred.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from thresher.service import news
from thresher.service.connection import Connection
from thresher.service.live_model import Known, said
from thresher.service.pupil import Learned, Lesson
from thresher.service.served_model import Answered, Promise, ServedModel
from thresher.service.store import append, keep_prediction, use_predictions

if TYPE_CHECKING:
    from thresher.service.live_models import LiveModels

#: A snapshot is due when the log behind the last one has so many bytes.
SNAPSHOT_BYTES = 8 << 20
#: Bytes of events that are learned together: a few milliseconds, for which readers wait. Those of
#: a request that has more by itself go alone.
MOST_TOGETHER = 64 << 10


class Delivery(NamedTuple):
    """The events of one request, read and checked."""

    lesson: Lesson
    lines: list[bytes]
    #: One for each event, None where it has none; or None: nobody has one.
    idents: list[str | None] | None
    #: Ids of predictions that have their labels now, and predictions to keep in the same step.
    labelled: list[str]
    kept: list[tuple[str, bytes]]
    #: What becomes of it.
    done: asyncio.Future[Answered]

    def named(self) -> Iterator[tuple[int, str]]:
        """The events that have ids, by their places."""
        for place, ident in enumerate(self.idents or ()):
            if ident is not None:
                yield place, ident


def deliver(models: LiveModels, served: ServedModel, delivery: Delivery) -> None:
    """Send events on their way, with those that wait already if they fit."""
    load = served.loading
    if load is None or not load.takes(delivery):
        load = Load(models, served, delivery)
        models.submit(load.work, load.told)
        served.loading = load
    if served.live.champion.model.learner.several:
        served.coming.update(delivery.lesson.names)
    # Whoever sends the same events meanwhile waits for these.
    for place, ident in delivery.named():
        digest = said(delivery.lines[place])
        served.promised[ident] = Promise(digest, delivery.done, place)


class Load:
    """Deliveries to one model that are committed and learned together."""

    def __init__(self, models: LiveModels, served: ServedModel, first: Delivery) -> None:
        self._models, self._served = models, served
        self._kind = first.lesson.examples.kind
        self._deliveries = [first]
        self._bytes = len(first.lesson.examples.text)
        # The writer closes it in a thread of its own.
        self._open, self._turn = True, Lock()

    def takes(self, delivery: Delivery) -> bool:
        """Take another delivery along, if there is room and the writer has not begun."""
        examples = delivery.lesson.examples
        size = self._bytes + len(examples.text)
        if examples.kind != self._kind or size > MOST_TOGETHER:
            return False
        with self._turn:
            if self._open:
                self._deliveries.append(delivery)
                self._bytes = size
                self._models.along += 1
            return self._open

    def work(self, db: Connection) -> int:
        """In the writer's thread: put the events behind the log."""
        with self._turn:
            self._open = False
        # What waited may have been overtaken: by a failure, or by another instance.
        self._served.require_learning()
        number, all_of_them = self._served.stored.number, self._deliveries
        ids: list[str | None] | None = None
        if any(one.idents is not None for one in all_of_them):
            ids = [id_ for one in all_of_them for id_ in one.idents or [None] * len(one.lines)]
        for one in all_of_them:
            if one.labelled:
                use_predictions(db, number, one.labelled)
            if one.kept:
                keep_prediction(db, number, one.kept, self._models.keep.pending)
        lines = self._lines()
        return append(db, number, self._kind, b"".join(lines), ids, len(lines))

    def _lines(self) -> list[bytes]:
        return [line for one in self._deliveries for line in one.lines]

    def told(self, last: int, error: Exception | None) -> None:
        """Learn the events, which are durable; or tell whoever waits why they are not."""
        with self._turn:
            # A commit that failed before it came to this one has not closed it.
            self._open = False
        served, along = self._served, len(self._deliveries) - 1
        if served.coming:
            served.coming -= Counter(name for one in self._deliveries for name in one.lesson.names)
        self._models.along -= along
        if error is None:
            self._models.tally.works += along
        # What was said of each id, so far as it has not been given up.
        promised = {
            id_: served.promised.pop(id_) for one in self._deliveries for _, id_ in one.named()
        }
        try:
            if error is not None:
                raise error
            lines = self._lines()
            alone = self._deliveries[0].lesson if len(self._deliveries) == 1 else None
            answers = _apply(self._models, served, self._kind, lines, alone, last)
        except Exception as failure:
            for one in self._deliveries:
                one.done.set_exception(failure)
                # Whoever asked may have gone.
                one.done.exception()
            return
        first = last - len(lines) + 1
        for one in self._deliveries:
            own, answers = answers[: len(one.lines)], answers[len(one.lines) :]
            for place, ident in one.named():
                served.known[ident] = Known(first + place, promised[ident].digest, own[place])
            one.done.set_result(Answered(first, own))
            first += len(own)


def _apply(
    models: LiveModels,
    served: ServedModel,
    kind: str,
    lines: list[bytes],
    lesson: Lesson | None,
    last: int,
) -> list[Learned]:
    """Learn what was committed."""
    served.require_learning()
    live, refuted = served.live, served.live.refuted_at
    try:
        answers = live.learn(kind, lines, lesson)
        if live.sequence != last:
            raise RuntimeError(f"number {last} was committed, and {live.sequence} learned")
    except Exception as error:
        # In the log, and not learned: only a replay is sure to end where it should.
        served.stuck = f"{type(error).__name__}: {error}"
        models.remark(f"{served.stored.name!r} has stopped learning: {served.stuck}")
        served.require_learning()
    served.log_bytes += sum(map(len, lines))
    news.tell(models, served, kind, lines, answers, refuted)
    if served.log_bytes > max(SNAPSHOT_BYTES, served.snapshot_due):
        models.snapshot_soon(served)
    return answers

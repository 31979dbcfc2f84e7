"""Learning over the wire: each event once, in the order of the log, however often it comes.

The order of an event: read and checked, put into the log, committed, learned, acknowledged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

import apsw

from thresher.errors import ServiceError
from thresher.service import news
from thresher.service.examples import Examples, require_within
from thresher.service.live_model import Known, said
from thresher.service.pupil import Learned, Lesson
from thresher.service.served_model import Answered, Promise, ServedModel
from thresher.service.store import append, keep_prediction, use_predictions

if TYPE_CHECKING:
    from thresher.service.live_models import Limits, LiveModels

#: A snapshot is due when the log behind the last one has so many bytes.
SNAPSHOT_BYTES = 8 << 20


class Told(NamedTuple):
    """What a request is told of one event."""

    sequence: int
    answer: Learned
    #: Whether it had been learned before.
    repeated: bool = False


def read(
    models: LiveModels, served: ServedModel, kind: str, text: bytes, n_rows: int | None
) -> Examples:
    """Rows to be predicted."""
    examples = served.live.champion.reader.read(kind, text, n_rows)
    require_within(examples, models.limits.features)
    return examples


async def keep(models: LiveModels, served: ServedModel, rows: list[tuple[str, bytes]]) -> None:
    """Keep the features of predictions, by their ids, until labels come."""
    require_unused(served, [ident for ident, _ in rows])
    number, most = served.stored.number, models.keep.pending
    await models.commit(lambda db: keep_prediction(db, number, rows, most))


def require_unused(
    served: ServedModel, idents: Iterable[str], learned: Iterable[str | None] = ()
) -> None:
    """Refuse to keep predictions by ids of events that are learned, or are to be with them."""
    to_learn = {*learned}
    for ident in idents:
        used = ident in to_learn or ident in served.promised
        if used or served.known_id(ident) is not None:
            raise ServiceError(
                f"the id {ident!r} was used for an event that has its label.",
                code="service.id_used",
                id=ident,
            )


def features_of(models: LiveModels, served: ServedModel, ident: str) -> bytes:
    """The features of a prediction that waits for its label."""
    known = served.known_id(ident)
    if known is not None or ident in served.promised:
        told: dict[str, Any] = {} if known is None else {"sequence": known.sequence}
        raise ServiceError(
            f"the label of {ident!r} has come already.", code="service.id_used", id=ident, **told
        )
    since = time() - models.keep.pending_seconds
    features = models.store.pending(served.stored.number, ident, since)
    if features is None:
        raise ServiceError(
            f"no prediction {ident!r} waits for its label: it was never made with this id, or "
            "too long ago.",
            code="service.no_prediction",
            id=ident,
        )
    return features


async def learn(
    models: LiveModels,
    served: ServedModel,
    kind: str,
    text: bytes,
    idents: list[str | None] | None,
    *,
    labelled: list[str] | None = None,
    kept: list[tuple[str, bytes]] | None = None,
) -> list[Told]:
    """Learn events that came together; each is learned once, however often it comes.

    Parameters
    ----------
    served
        Who learns.
    kind, text
        How the lines are written, and the lines.
    idents
        One for each row, None where it has none; or None.
    labelled
        Ids of predictions that have their labels now.
    kept
        Ids and features of predictions to keep in the same step.
    """
    served.require_learning()
    models.require_writing()
    kept = kept or []
    require_unused(served, [ident for ident, _ in kept], idents or ())
    if idents is None or not any(idents):
        lesson = _lesson(models, served, kind, text, None if idents is None else len(idents))
        lines = lesson.examples.lines()
        answered = await _learned(Delivery(models, served, lines, lesson, None, labelled, kept))
        return [Told(n, answer) for n, answer in enumerate(answered.answers, answered.first)]
    if kind == "json":
        lines = text.splitlines(keepends=True)
    else:
        lines = read(models, served, kind, text, len(idents)).lines()
    fresh, before = _told_apart(served, lines, idents)
    made = None
    if fresh:
        # What was learned is answered even if the model, which may be another one now, would not
        # take it any more; an empty line in its place keeps the numbers of the others.
        unread = b"".join(b"\n" if place in before else line for place, line in enumerate(lines))
        lesson = _lesson(models, served, kind, unread, len(fresh))
        chosen_ids = [idents[place] for place in fresh]
        chosen = [lines[place] for place in fresh]
        made = await _learned(Delivery(models, served, chosen, lesson, chosen_ids, labelled, kept))
    elif kept:
        await keep(models, served, kept)
    told: dict[int, Told] = {}
    for place, own in enumerate(fresh):
        assert made is not None
        told[own] = Told(made.first + place, made.answers[place])
    for own, earlier in before.items():
        if isinstance(earlier, Promise):
            found = await asyncio.shield(earlier.done)
            sequence = found.first + earlier.place
            told[own] = Told(sequence, found.answers[earlier.place], True)
        elif isinstance(earlier, Known):
            told[own] = Told(earlier.sequence, earlier.answer, True)
        else:
            told[own] = told[earlier]._replace(repeated=True)
    return [told[own] for own in range(len(lines))]


def _lesson(
    models: LiveModels, served: ServedModel, kind: str, text: bytes, n_rows: int | None
) -> Lesson:
    lesson = served.live.champion.lesson(kind, text, n_rows)
    require_within(lesson.examples, models.limits.features)
    if lesson.examples.size > models.limits.rows:
        raise ServiceError(
            f"found {lesson.examples.size} rows, and a request has at most {models.limits.rows}.",
            code="service.too_large",
        )
    learner = served.live.champion.model.learner
    if learner.several:
        _require_classes(models.limits, learner, lesson.batch.classes)
    return lesson


def _require_classes(limits: Limits, learner: Any, new: Iterable[Any]) -> None:
    """Refuse classes that would make a model larger than one may be."""
    classes = {str(name) for name in learner.classes} | {*map(str, new)}
    most = min(limits.classes, max(2, limits.cells // learner.n_features))
    if len(classes) > most:
        raise ServiceError(
            f"with this request there would be {len(classes)} classes, and a model of "
            f"{learner.n_features} columns has at most {most}.",
            code="service.too_large",
        )
    longest = max(map(len, classes), default=0)
    if longest > limits.name:
        raise ServiceError(
            f"found the name of a class with {longest} characters, and it has at most "
            f"{limits.name}.",
            code="service.too_large",
        )


def _told_apart(
    served: ServedModel, lines: list[bytes], idents: list[str | None]
) -> tuple[list[int], dict[int, Promise | Known | int]]:
    """The places of events that are new, and what is known of the others."""
    fresh: list[int] = []
    before: dict[int, Promise | Known | int] = {}
    mine: dict[str, int] = {}
    for place, ident in enumerate(idents):
        if ident is None:
            fresh.append(place)
            continue
        found: Promise | Known | int | None = served.promised.get(ident)
        if isinstance(found, Promise):
            served.require_same(ident, found.digest, lines[place])
        elif (known := served.known_id(ident)) is not None:
            served.require_same(ident, known.said, lines[place])
            found = known
        elif (found := mine.get(ident)) is not None:
            served.require_same(ident, said(lines[found]), lines[place])
        if found is None:
            mine[ident] = place
            fresh.append(place)
        else:
            before[place] = found
    return fresh, before


async def _learned(delivery: Delivery) -> Answered:
    """Put events into the log, and learn them when they are there."""
    if not delivery.lines:
        return Answered(delivery.served.live.sequence + 1, [])
    delivery.promise()
    try:
        delivery.models.submit(delivery.work, delivery.told)
    except ServiceError:
        delivery.break_promises()
        raise
    return await asyncio.shield(delivery.done)


class Delivery:
    """Events on their way into the log and, from there, into the model."""

    def __init__(
        self,
        models: LiveModels,
        served: ServedModel,
        lines: list[bytes],
        lesson: Lesson,
        idents: list[str | None] | None = None,
        labelled: list[str] | None = None,
        kept: list[tuple[str, bytes]] | None = None,
    ) -> None:
        self.models, self.served, self.lines = models, served, lines
        self._lesson, self._idents, self._labelled = lesson, idents, labelled or []
        self._kept = kept or []
        self.done: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()

    def _named(self) -> Iterator[tuple[int, str]]:
        """The events that have ids, by their places."""
        for place, ident in enumerate(self._idents or ()):
            if ident is not None:
                yield place, ident

    def promise(self) -> None:
        """Let whoever sends the same events meanwhile wait for these."""
        for place, ident in self._named():
            promise = Promise(said(self.lines[place]), self.done, place)
            self.served.promised[ident] = promise

    def break_promises(self) -> None:
        """Forget the ids: nothing of this is in the log."""
        for _, ident in self._named():
            self.served.promised.pop(ident, None)

    def work(self, db: apsw.Connection) -> int:
        """In the writer's thread: put the events behind the log."""
        number, body = self.served.stored.number, b"".join(self.lines)
        use_predictions(db, number, self._labelled)
        if self._kept:
            keep_prediction(db, number, self._kept, self.models.keep.pending)
        kind = self._lesson.examples.kind
        return append(db, number, kind, body, self._idents, len(self.lines))

    def told(self, last: int, error: Exception | None) -> None:
        """Learn the events, which are durable; or tell whoever waits why they are not."""
        self.break_promises()
        first = last - len(self.lines) + 1 if error is None else 0
        try:
            if error is not None:
                raise error
            answers = _apply(self.models, self.served, self.lines, self._lesson, last)
        except Exception as failure:
            self.done.set_exception(failure)
            # Whoever asked may have gone.
            self.done.exception()
            return
        for place, ident in self._named():
            known = Known(first + place, said(self.lines[place]), answers[place])
            self.served.known[ident] = known
        self.done.set_result(Answered(first, answers))


def _apply(
    models: LiveModels, served: ServedModel, lines: list[bytes], lesson: Lesson, last: int
) -> list[Learned]:
    """Learn what was committed."""
    served.require_learning()
    live, refuted = served.live, served.live.refuted_at
    try:
        answers = live.learn(lesson.examples.kind, lines, lesson)
        if live.sequence != last:
            raise RuntimeError(f"number {last} was committed, and {live.sequence} learned")
    except Exception as error:
        # In the log, and not learned: only a replay is sure to end where it should.
        served.stuck = f"{type(error).__name__}: {error}"
        models.remark(f"{served.stored.name!r} has stopped learning: {served.stuck}")
        served.require_learning()
    served.log_bytes += sum(map(len, lines))
    news.tell(models, served, lesson.examples.kind, lines, answers, refuted)
    if served.log_bytes > max(SNAPSHOT_BYTES, served.snapshot_due):
        models.snapshot_soon(served)
    return answers

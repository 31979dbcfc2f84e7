"""Learning over the wire: each event once, in the order of the log, however often it comes.

The order of an event: read and checked, put into the log, committed, learned, acknowledged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from thresher.errors import ServiceError
from thresher.service.deliveries import Delivery, deliver
from thresher.service.examples import Examples, lines_of_rows, require_within
from thresher.service.live_model import Known, said
from thresher.service.pupil import Learned, Lesson
from thresher.service.served_model import Answered, Promise, ServedModel
from thresher.service.store import KnownId, keep_prediction

if TYPE_CHECKING:
    from thresher.service.live_models import Limits, LiveModels


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
    """Refuse to keep predictions by ids of events that are learned, or are to be with them.

    And ids that not every database can keep: what waits with others for the writer is sound, or
    one request would spoil the others.
    """
    to_learn, idents = {*learned}, [*idents]
    if any(ident is not None and "\0" in ident for ident in (*to_learn, *idents)):
        raise ServiceError("an id has no character 0.", code="service.malformed")
    for ident in idents:
        used = ident in to_learn or ident in served.promised
        if used or served.known_id(ident) is not None:
            raise ServiceError(
                f"the id {ident!r} was used for an event that has its label.",
                code="service.id_used",
                id=ident,
            )


async def look_up(
    models: LiveModels, served: ServedModel, idents: Iterable[str | None], *, waiting: bool = False
) -> dict[str, bytes]:
    """Features that wait for these labels, if they are; and ids of a table that is far away.

    A database on another machine is asked once, and readers do not wait for its answer.
    """
    store, number = models.store, served.stored.number
    asked = [ident for ident in idents if ident is not None]

    def looked() -> tuple[dict[str, KnownId], dict[str, bytes]]:
        known = store.known_of(number, asked) if store.shared else {}
        since = time() - models.keep.pending_seconds
        return known, store.pending_of(number, asked, since) if waiting else {}

    known, features = await asyncio.to_thread(looked) if store.shared else looked()
    for ident, one in known.items():
        served.known.setdefault(ident, Known.of(*one))
    return features


def features_of(served: ServedModel, ident: str, waiting: dict[str, bytes]) -> bytes:
    """The features of a prediction that waits for its label."""
    known = served.known_id(ident)
    if known is not None or ident in served.promised:
        told: dict[str, Any] = {} if known is None else {"sequence": known.sequence}
        raise ServiceError(
            f"the label of {ident!r} has come already.", code="service.id_used", id=ident, **told
        )
    features = waiting.get(ident)
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
        answered = await _learned(models, served, lesson, lines, None, labelled, kept)
        return [Told(n, answer) for n, answer in enumerate(answered.answers, answered.first)]
    lines = text.splitlines(keepends=True) if kind == "json" else lines_of_rows(kind, text)
    fresh, before = _told_apart(served, lines, idents)
    made = None
    if fresh:
        # What was learned is answered even if the model, which may be another one now, would not
        # take it any more; an empty line in its place keeps the numbers of the others.
        unread = b"".join(b"\n" if place in before else line for place, line in enumerate(lines))
        lesson = _lesson(models, served, kind, unread, len(fresh))
        chosen_ids = [idents[place] for place in fresh]
        chosen = [lines[place] for place in fresh]
        made = await _learned(models, served, lesson, chosen, chosen_ids, labelled, kept)
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
    if served.live.shadow is not None:
        served.live.shadow.reader.require_room(kind, text)
    if served.live.champion.model.learner.several:
        _require_classes(models.limits, served, lesson)
    return lesson


def _require_classes(limits: Limits, served: ServedModel, lesson: Lesson) -> None:
    """Refuse classes that would make a model larger than one may be, with those that wait."""
    learner: Any = served.live.champion.model.learner
    classes = {str(name) for name in learner.classes} | {*served.coming, *lesson.names}
    columns = max(1, learner.n_features)
    rows = lesson.examples.rows
    if not learner.name_table.hashed:
        # All names of the request may be new.
        columns += int(rows.column.max(initial=0)) + 1
    if served.live.shadow is not None:
        beside: Any = served.live.shadow.model.learner
        new_names = 0 if beside.name_table.hashed else len(rows.column)
        columns = max(columns, beside.n_features + new_names)
    most = min(limits.classes, max(2, limits.cells // columns))
    if len(classes) > most:
        raise ServiceError(
            f"with this request there would be {len(classes)} classes, and a model of "
            f"{columns} columns has at most {most}.",
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


async def _learned(
    models: LiveModels,
    served: ServedModel,
    lesson: Lesson,
    lines: list[bytes],
    idents: list[str | None] | None,
    labelled: list[str] | None,
    kept: list[tuple[str, bytes]],
) -> Answered:
    """Put events into the log, and learn them when they are there."""
    if not lines:
        return Answered(served.live.sequence + 1, [])
    done: asyncio.Future[Answered] = asyncio.get_running_loop().create_future()
    deliver(models, served, Delivery(lesson, lines, idents, labelled or [], kept, done))
    return await asyncio.shield(done)

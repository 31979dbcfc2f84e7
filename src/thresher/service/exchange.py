"""From the body of a request to rows, and from what became of them to the answer."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from thresher.errors import ServiceError
from thresher.service.bodies import NDJSON, TEXTS
from thresher.service.examples import Examples, lines_of_rows
from thresher.service.inputs import Inputs
from thresher.service.learning import Told, features_of, keep, learn, look_up, read
from thresher.service.live_models import LiveModels
from thresher.service.messages import (
    Example,
    Lesson,
    Prediction,
    examples_in,
    labels_in,
)
from thresher.service.served_model import ServedModel
from thresher.service.tokens import Bearer

#: Characters of a key that names the events of a request without ids.
LONGEST_KEY = 150


class Asked(NamedTuple):
    """Rows of a body, to be looked at."""

    examples: Examples
    #: The same as they were sent, where they were sent in JSON.
    rows: list[Example]
    #: Whether it is one alone.
    alone: bool


def asked_in(models: LiveModels, served: ServedModel, kind: str, body: bytes) -> Asked:
    """The rows of a body."""
    inputs = inputs_of(served)
    if kind in TEXTS:
        lines = inputs.lines_in(kind, body, models.limits.rows)
        examples = read(models, served, inputs.types[kind], lines, None)
        _require_few(models, examples.size)
        return Asked(examples, [], False)
    rows, alone = examples_in(body, lines=kind == NDJSON)
    _require_few(models, len(rows))
    text = inputs.to_predict(rows)
    return Asked(read(models, served, inputs.kind, text, len(rows)), rows, alone)


def inputs_of(served: ServedModel) -> Inputs:
    """How the rows of a model are sent."""
    return served.live.champion.reader.inputs


async def predicted(
    models: LiveModels, served: ServedModel, asked: Asked, bearer: Bearer, *, probabilities: bool
) -> list[Any]:
    """What is said of rows; those that have an id are kept until their labels come."""
    told = _guesses(served, asked.examples, probabilities=probabilities)
    kept = _to_keep(served, asked.rows)
    if kept:
        # To keep something is to write.
        bearer.require("learn")
        await keep(models, served, kept)
        for one, row in zip(told, asked.rows, strict=True):
            one.id = row.id or msgspec.UNSET
    return told


def _guesses(served: ServedModel, examples: Examples, *, probabilities: bool) -> list[Prediction]:
    found = served.live.champion.predict(examples, probabilities=probabilities)
    sequence = served.live.sequence
    told = [Prediction(sequence, *one) for one in zip(found.labels, found.scores, strict=True)]
    for one, likely in zip(told, found.probabilities or (), strict=False):
        one.probabilities = likely
    return told


def _to_keep(served: ServedModel, rows: list[Example]) -> list[tuple[str, bytes]]:
    """Ids and features of rows that have an id."""
    as_kept = inputs_of(served).kept
    kept = {row.id: as_kept(row) for row in rows if row.id is not None}
    return list(kept.items())


async def learned(
    models: LiveModels,
    served: ServedModel,
    kind: str,
    body: bytes,
    key: str | None,
    *,
    and_predict: bool = False,
    probabilities: bool = False,
) -> tuple[list[Any], bool]:
    """What became of the rows of a body, and whether it is one alone."""
    if key is not None and not 1 <= len(key) <= LONGEST_KEY:
        raise ServiceError(f"an idempotency key has 1 to {LONGEST_KEY} characters.")
    inputs = inputs_of(served)
    if kind in TEXTS:
        lines, written = inputs.lines_in(kind, body, models.limits.rows), inputs.types[kind]
        if key is None:
            told = await learn(models, served, written, lines, None)
            return [_answer(one, None) for one in told], False
        # By the lines alone: what was learned is answered whatever the model has become.
        idents: list[str | None] = _numbered(key, len(lines_of_rows(written, lines)))
        await look_up(models, served, idents)
        _require_whole(served, idents)
        told = await learn(models, served, written, lines, idents)
        return list(map(_answer, told, idents)), False
    rows, alone = examples_in(body, lines=kind == NDJSON)
    _require_few(models, len(rows))
    if models.store.shared:
        mine = [row.id for row in rows]
        await look_up(models, served, [*mine, *(_numbered(key, len(rows)) if key else ())])
    if key is not None:
        given = zip(rows, _numbered(key, len(rows)), strict=True)
        _require_whole(
            served, [ident for row, ident in given if row.id is None and row.label is not None]
        )
        for row, ident in zip(rows, _numbered(key, len(rows)), strict=True):
            row.id = row.id or ident
    without = [row for row in rows if row.label is None] if and_predict else []
    guesses: list[Prediction] = []
    if without:
        text = inputs.to_predict(without)
        examples = read(models, served, inputs.kind, text, len(without))
        guesses = _guesses(served, examples, probabilities=probabilities)
    to_learn = [row for row in rows if not and_predict or row.label is not None]
    idents = [row.id for row in to_learn]
    told, kept = [], _to_keep(served, without)
    if to_learn:
        text = inputs.to_learn(to_learn)
        told = await learn(models, served, inputs.kind, text, idents, kept=kept)
    elif kept:
        await keep(models, served, kept)
    answers, others = iter(list(map(_answer, told, idents))), iter(guesses)
    return [
        next(others) if and_predict and row.label is None else next(answers) for row in rows
    ], alone


async def with_labels(
    models: LiveModels, served: ServedModel, kind: str, body: bytes
) -> tuple[list[Any], bool]:
    """Labels joined with the features of earlier predictions, and learned."""
    given, alone = labels_in(body, lines=kind == NDJSON)
    _require_few(models, len(given))
    names = [one.id for one in given]
    if len({*names}) < len(names):
        raise ServiceError("two labels have one id.", code="service.id_used")
    inputs = inputs_of(served)
    waiting = await look_up(models, served, names, waiting=True)
    text = inputs.to_learn(
        inputs.joined(features_of(served, one.id, waiting), one) for one in given
    )
    idents: list[str | None] = [*names]
    told = await learn(models, served, inputs.kind, text, idents, labelled=names)
    return list(map(_answer, told, idents)), alone


def _answer(told: Told, ident: str | None) -> Lesson:
    answer = told.answer
    return Lesson(
        told.sequence,
        answer.prediction,
        answer.score,
        answer.mistake,
        ident or msgspec.UNSET,
        told.repeated,
        answer.refused or msgspec.UNSET,
    )


def _numbered(key: str, count: int) -> list[str | None]:
    """The ids of the events of a request that has a key and they have none."""
    return [f"{key}/{place}" for place in range(count)]


def _require_whole(served: ServedModel, idents: list[str | None]) -> None:
    """Refuse a key that was used for fewer events: what came with it was learned together."""
    used = [ident in served.promised or served.known_id(str(ident)) is not None for ident in idents]
    if any(used) and not all(used):
        raise ServiceError(
            f"the idempotency key was used for {sum(used)} events, and comes with {len(used)}.",
            "Give every request a key of its own.",
            code="service.id_used",
        )


def _require_few(models: LiveModels, rows: int) -> None:
    if rows > models.limits.rows:
        raise ServiceError(
            f"found {rows} rows, and a request has at most {models.limits.rows}.",
            "Send several requests.",
            code="service.too_large",
        )

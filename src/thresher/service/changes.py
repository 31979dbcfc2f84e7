"""What is done to models beside learning: made, deleted, swapped, taken back."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from thresher.errors import ModelFileError, ServiceError
from thresher.models.file import load_model
from thresher.models.model import Model
from thresher.service.connection import Connection
from thresher.service.live_model import LiveModel
from thresher.service.pupil import Pupil
from thresher.service.recovery import state_at, written
from thresher.service.served_model import ServedModel
from thresher.service.settings import Settings, created, following, require_servable
from thresher.service.store import (
    ROLLBACK,
    SHADOW,
    SWAP,
    StoredModel,
    append,
    create,
    delete,
    removed,
    require_at,
    require_kept,
)

if TYPE_CHECKING:
    from thresher.service.live_models import Limits, LiveModels

_to_json = msgspec.json.encode


async def make(
    models: LiveModels,
    name: str,
    asked: Settings | Path,
    instead_of: ServedModel | None = None,
    seen: int | None = None,
) -> ServedModel:
    """A new model from settings, or from a model file.

    Parameters
    ----------
    models
        Who it joins.
    name
        What it is called.
    asked
        Settings, or the path of a model file, which is somebody else's to remove.
    instead_of
        The model of this name that it replaces, in one step.
    seen
        The number that that model must still be at; None: any.
    """
    if len(list(models)) >= models.limits.models and instead_of is None:
        raise ServiceError(
            f"there are {models.limits.models} models, and no more are kept.",
            code="service.too_large",
        )
    if isinstance(asked, Path):
        model = await asyncio.to_thread(_uploaded, asked, models.limits)
        settings = Settings()
    else:
        model, settings = await asyncio.to_thread(created, asked), asked
    live, text = LiveModel(settings, model), _to_json(settings)
    store = models.store
    snapshot = await asyncio.to_thread(written, store, live)
    gone: list[str] = []
    try:

        def work(db: Connection) -> int:
            if instead_of is not None:
                require_at(db, instead_of.stored.number, seen)
                gone.extend(delete(db, instead_of.stored.number))
            return create(db, name, text, snapshot)

        def done(number: int) -> ServedModel:
            if instead_of is not None:
                instead_of.ended()
            stored = StoredModel(number, name, text)
            return models.add(ServedModel(store, stored, live, {}))

        served: ServedModel = await models.commit(work, done)
    except ServiceError:
        await asyncio.to_thread(removed, store, snapshot.files.values())
        raise
    await asyncio.to_thread(removed, store, gone)
    return served


def _uploaded(path: Path, limits: Limits) -> Model:
    """The model in a file that was sent."""
    try:
        model = load_model(path, most_bytes=limits.model)
    except ModelFileError as error:
        what = error.what.replace(f"{path}: ", "the body: ")
        raise ServiceError(what, error.remedy, code="service.model_file") from None
    require_servable(model)
    classes = len(model.learner.classes)
    if model.learner.several and (
        classes > limits.classes or classes * model.learner.n_features > limits.cells
    ):
        raise ServiceError(
            f"the model has {classes} classes of {model.learner.n_features} columns, and a service "
            f"takes {limits.classes} classes and {limits.cells} columns of all of them.",
            code="service.too_large",
        )
    return model


async def remove(models: LiveModels, served: ServedModel, seen: int | None = None) -> None:
    """Forget a model and its log, if it is still at the number that was seen."""
    store, number = models.store, served.stored.number

    def work(db: Connection) -> list[str]:
        require_at(db, number, seen)
        return delete(db, number)

    def done(files: list[str]) -> list[str]:
        models.drop(served)
        served.ended()
        return files

    files = await models.commit(work, done)
    await asyncio.to_thread(removed, store, files)


async def roll_back(
    models: LiveModels, served: ServedModel, sequence: int, seen: int | None = None
) -> int:
    """Let a model be as it was after so many events; numbers go on. The number of the change."""
    served.require_learning()
    number, store = served.stored.number, models.store
    past = await asyncio.to_thread(state_at, store, served.stored, sequence, models.remark)

    def done(last: int) -> int:
        past.sequence = last
        served.live = past
        served.moved([{"event": "rollback", "sequence": last, "to": sequence}])
        return last

    body = str(sequence).encode()

    def work(db: Connection) -> int:
        served.require_learning()
        require_at(db, number, seen)
        # A snapshot that was taken meanwhile may have let go of the log that leads there.
        require_kept(db, served.stored.name, number, sequence)
        return append(db, number, ROLLBACK, body, None, 1)

    last: int = await models.commit(work, done)
    return last


async def swap(models: LiveModels, served: ServedModel, seen: int | None = None) -> int:
    """Let the shadow predict from here on; the number of the change."""
    served.require_learning()
    number = served.stored.number
    if served.live.shadow is None:
        raise ServiceError(
            f"{served.stored.name!r} has no shadow to change places with.",
            code="service.no_shadow",
        )

    def done(last: int) -> int:
        served.live.swap()
        served.moved([{"event": "swap", "sequence": last}])
        return last

    def work(db: Connection) -> int:
        served.require_learning()
        require_at(db, number, seen)
        return append(db, number, SWAP, b"", None, 1)

    last: int = await models.commit(work, done)
    return last


async def follow(models: LiveModels, served: ServedModel, settings: Settings | None) -> int:
    """Let a new learner learn along as a shadow, or none; the number of the change."""
    served.require_learning()
    number = served.stored.number
    if settings is not None:
        settings = following(settings, served.live.champion.model)
    body, shadow = b"" if settings is None else _to_json(settings), None
    if settings is not None:
        if served.live.settings.claim is not None or settings.claim is not None:
            raise ServiceError(
                "a claim is held against one learner: a model with one has no shadow."
            )
        # Whatever can be wrong with it is found here: what is in the log has to be done.
        shadow = await asyncio.to_thread(lambda: Pupil(created(settings)))
        if shadow.model.learner.several != served.live.champion.model.learner.several:
            raise ServiceError(
                "the shadow and the model differ in whether labels are two or several."
            )

    def done(last: int) -> int:
        served.live.follow(shadow)
        served.moved([{"event": "shadow", "sequence": last}])
        return last

    def work(db: Connection) -> int:
        served.require_learning()
        return append(db, number, SHADOW, body, None, 1)

    last: int = await models.commit(work, done)
    return last

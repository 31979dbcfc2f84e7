"""Models: made, looked at, deleted."""

from __future__ import annotations

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import ServiceError
from thresher.models.file import model_digest
from thresher.service import changes, views
from thresher.service.bodies import JSON, MODEL_FILE, body_of, file_of, type_of
from thresher.service.live_models import LiveModels
from thresher.service.messages import NAME, decoded
from thresher.service.problems import reply
from thresher.service.routes.request import (
    for_role,
    models_of,
    reach,
    require_unchanged,
    served_in,
)
from thresher.service.served_model import ServedModel
from thresher.service.settings import Settings


@for_role("admin")
async def put_model(request: Request) -> Response:
    """A new model, from settings or from a model file; with If-Match, instead of the one there."""
    models, name = models_of(request), request.path_params["name"]
    if NAME.fullmatch(name) is None:
        raise ServiceError(
            f"a model is called by 1 to 100 letters, digits and ._-, found {name[:40]!r}."
        )
    if type_of(request, JSON, MODEL_FILE) == JSON:
        body = await body_of(request, models.limits)
        return await _put(request, models, name, decoded(body or b"{}", Settings))
    # Before much is sent for nothing.
    models.require_writing()
    _require_room(request, models.get(name))
    with TemporaryDirectory(prefix="thresher-service-") as folder:
        path = Path(folder, "model.thr")
        await file_of(request, models.limits, path)
        return await _put(request, models, name, path)


async def _put(request: Request, models: LiveModels, name: str, asked: Settings | Path) -> Response:
    before = models.get(name)
    seen = require_unchanged(request, before)
    same = (
        not isinstance(asked, Path)
        and before is not None
        and (msgspec.json.encode(asked) == before.stored.settings)
    )
    if before is not None and same and "if-match" not in request.headers:
        return await _described(models, before)
    _require_room(request, before)
    try:
        made = await changes.make(models, name, asked, before, seen)
    except ServiceError as error:
        if error.code != "service.exists":
            raise
        # Somebody was sooner, perhaps this request itself when it was first sent.
        return await _put(request, models, name, asked)
    return await _described(models, made, 201)


def _require_room(request: Request, before: ServedModel | None) -> None:
    """Refuse to replace a model that nobody said is to be replaced."""
    if before is not None and "if-match" not in request.headers:
        raise ServiceError(
            f"there is a model {before.stored.name!r} already, made from other settings.",
            "Send If-Match with its ETag to replace it.",
            code="service.exists",
        )


@for_role("read")
async def get_model(request: Request) -> Response:
    """What a model is and has done."""
    served = served_in(request)
    await reach(request, served)
    return await _described(models_of(request), served)


async def _described(models: LiveModels, served: ServedModel, status: int = 200) -> Response:
    async with served.looking:
        etag, info = served.etag, views.described(served, "")
        if models.following is not None:
            lag = models.following.lag(served.stored.name)
            info.lag = msgspec.UNSET if lag is None else lag
        if served.digest[0] != etag:
            copy = await views.looked_at(models, served)
            found = await asyncio.to_thread(model_digest, copy.champion.model)
            served.digest = (etag, found)
        info.digest = served.digest[1]
    return reply(info, status, {"etag": etag})


@for_role("admin")
async def delete_model(request: Request) -> Response:
    """Forget a model and its log."""
    served = served_in(request)
    seen = require_unchanged(request, served)
    await changes.remove(models_of(request), served, seen)
    return Response(status_code=204)

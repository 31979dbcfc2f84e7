"""Models: made, looked at, deleted."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import ServiceError
from thresher.models.file import model_digest
from thresher.service import changes, views
from thresher.service.bodies import JSON, MODEL_FILE, body_of, type_of
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
    kind = type_of(request, JSON, MODEL_FILE)
    body = await body_of(request, models.limits)
    before = models.get(name)
    seen = require_unchanged(request, before)
    asked: Settings | bytes = body if kind == MODEL_FILE else decoded(body or b"{}", Settings)
    if before is not None and "if-match" not in request.headers:
        if not isinstance(asked, bytes) and msgspec.json.encode(asked) == before.stored.settings:
            return await _described(models, before)
        raise ServiceError(
            f"there is a model {name!r} already, made from other settings.",
            "Send If-Match with its ETag to replace it.",
            code="service.exists",
        )
    return await _described(models, await changes.make(models, name, asked, before, seen), 201)


@for_role("read")
async def get_model(request: Request) -> Response:
    """What a model is and has done."""
    served = served_in(request)
    await reach(request, served)
    return await _described(models_of(request), served)


async def _described(models: LiveModels, served: ServedModel, status: int = 200) -> Response:
    etag, copy = served.etag, served.live.copy()
    info = views.described(served, "")
    if models.following is not None:
        lag = models.following.lag(served.stored.name)
        info.lag = msgspec.UNSET if lag is None else lag
    info.digest = await asyncio.to_thread(model_digest, copy.champion.model)
    return reply(info, status, {"etag": etag})


@for_role("admin")
async def delete_model(request: Request) -> Response:
    """Forget a model and its log."""
    served = served_in(request)
    seen = require_unchanged(request, served)
    await changes.remove(models_of(request), served, seen)
    return Response(status_code=204)

"""The service itself: whether it is well, what it counts, what it can be asked."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from thresher.service.metrics import exposition
from thresher.service.openapi import document, page
from thresher.service.problems import RETRY_AFTER, reply
from thresher.service.replication import INSTANCE
from thresher.service.routes.request import for_role, models_of


async def healthz(request: Request) -> Response:
    """Whether the process answers."""
    return reply({"status": "ok"})


async def readyz(request: Request) -> Response:
    """Whether the log was replayed, and whether it can be written."""
    models = models_of(request)
    ready = models.ready and models.writable
    told: dict[str, Any] = {"replayed": models.ready, "writable": models.writable}
    if (following := models.following) is not None:
        # Anybody may ask this: no names of models, and no address.
        lags = [following.lag(one.stored.name) or 0 for one in models]
        told |= {"silence": following.silence, "lag": max(lags, default=0)}
        ready = ready and following.heard is not None
    return reply(told) if ready else reply(told, 503, {"retry-after": RETRY_AFTER[503]})


@for_role("read")
async def metrics(request: Request) -> Response:
    """What is counted, as Prometheus reads it."""
    return Response(exposition(models_of(request)), media_type="text/plain; version=0.0.4")


@for_role("read")
async def openapi(request: Request) -> Response:
    """What can be asked, for programs."""
    return reply(document())


@for_role("read")
async def openapi_page(request: Request) -> Response:
    """The same for people."""
    return Response(page(), media_type="text/html")


@for_role("read")
async def listed(request: Request) -> Response:
    """The names of all models, and how far they are."""
    models = models_of(request)
    found = sorted((one.stored.name, one.live.sequence) for one in models)
    listed = [{"name": name, "sequence": sequence} for name, sequence in found]
    return reply({"models": listed}, headers={INSTANCE: models.instance})

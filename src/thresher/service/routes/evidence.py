"""Evidence: certificate, journal, report, model file."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from thresher.models.file import model_bytes
from thresher.service import views
from thresher.service.bodies import JSON, MODEL_FILE, NDJSON
from thresher.service.routes.request import for_role, models_of, reach, served_in


@for_role("read")
async def certificate(request: Request) -> Response:
    """The certificate of what the model did."""
    models, served = models_of(request), served_in(request)
    etag, copy = served.etag, await views.looked_at(models, served)
    text = await asyncio.to_thread(views.certificate, models.store, served, copy)
    return Response(text + "\n", media_type=JSON, headers={"etag": etag})


@for_role("read")
async def journal(request: Request) -> Response:
    """The rows that changed the learner, in order."""
    copy = await views.looked_at(models_of(request), served_in(request))
    lines = await asyncio.to_thread(lambda: b"".join(views.journal_lines(copy)))
    return Response(lines, media_type=NDJSON)


@for_role("read")
async def report(request: Request) -> Response:
    """A page about the model."""
    served = served_in(request)
    copy = await views.looked_at(models_of(request), served)
    text = await asyncio.to_thread(views.report, served, copy)
    policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return Response(text, media_type="text/html", headers={"content-security-policy": policy})


@for_role("read")
async def model_file(request: Request) -> Response:
    """The model as an ordinary model file."""
    served = served_in(request)
    await reach(request, served)
    etag, copy = served.etag, await views.looked_at(models_of(request), served)
    data = await asyncio.to_thread(model_bytes, copy.champion.model)
    name = f'attachment; filename="{served.stored.name}.thr"'
    return Response(
        data, media_type=MODEL_FILE, headers={"etag": etag, "content-disposition": name}
    )

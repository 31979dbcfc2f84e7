"""For those who follow: the log behind a number, and a snapshot to begin with."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from thresher.errors import ServiceError
from thresher.models.written import whole_number
from thresher.service.replication import MSGPACK, WAIT, beginning, page_behind
from thresher.service.routes.request import for_role, models_of, served_in

_pack = msgspec.msgpack.encode


@for_role("read")
async def log(request: Request) -> Response:
    """The log behind a number; if there is nothing, what comes in the next seconds."""
    served, store = served_in(request), models_of(request).store
    after = whole_number(request.query_params.get("after", "0"))
    if after is None or not 0 <= after < 2**62:
        raise ServiceError("after is not a number of events.")
    digest = request.query_params.get("digest", "")
    last = served.live.sequence
    # Whoever has followed another log is told so before anything is waited for.
    page = await asyncio.to_thread(page_behind, store, served, after, digest, last)
    if not page.entries:
        try:
            await served.reached(after + 1, WAIT)
        except ServiceError as error:
            # Nothing has happened; whoever asks hears that the leader is there.
            if error.code != "service.behind":
                raise
        last = served.live.sequence
        page = await asyncio.to_thread(page_behind, store, served, after, "", last)
    return Response(_pack(page), media_type=MSGPACK)


@for_role("read")
async def newest(request: Request) -> Response:
    """The newest snapshot, with its files."""
    served, store = served_in(request), models_of(request).store
    return Response(_pack(await asyncio.to_thread(beginning, store, served)), media_type=MSGPACK)

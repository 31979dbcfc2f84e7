"""Events: what happens to a model from now on, server-sent, one by one or at a glance."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from thresher.errors import ServiceError
from thresher.service import news
from thresher.service.live_models import LiveModels
from thresher.service.routes.request import for_role, models_of, served_in
from thresher.service.served_model import ServedModel

#: Seconds after which a stream of events says that it is still there; at a glance, sooner.
HEARTBEAT, SOON = 15.0, 1.0
#: Seconds between two states.
SHORTEST, LONGEST = 0.1, 60.0


@for_role("read")
async def events(request: Request) -> Response:
    """What happens to the model from now on, as server-sent events."""
    models, served = models_of(request), served_in(request)
    every = _every(request.query_params.get("every"))
    if models.streams >= models.limits.streams:
        raise ServiceError(f"{models.streams} streams of events are open.", code="service.busy")
    told = _each(models, served) if every is None else _glances(models, served, every)
    return StreamingResponse(told, media_type="text/event-stream")


def _every(text: str | None) -> float | None:
    """The seconds between two states, if states are asked for."""
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not SHORTEST <= seconds <= LONGEST:
        raise ServiceError(
            f"every={text[:40]} is not a number of seconds from {SHORTEST:g} to {LONGEST:g}."
        )
    return seconds


async def _each(models: LiveModels, served: ServedModel) -> AsyncIterator[bytes]:
    """Every event."""
    models.streams += 1
    try:
        with served.subscribed(whole=True) as queue:
            yield b": %d\n\n" % served.live.sequence
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), HEARTBEAT)
                except TimeoutError:
                    yield b":\n\n"
                    continue
                if event is None:
                    return
                yield _written(event)
    finally:
        models.streams -= 1


async def _glances(models: LiveModels, served: ServedModel, every: float) -> AsyncIterator[bytes]:
    """The state of the model, at most so often, and what is rare at once."""
    models.streams += 1
    loop = asyncio.get_running_loop()
    try:
        with served.subscribed(whole=False) as queue:
            told, quiet_since = served.live.sequence, loop.time()
            yield _written(news.state(served))
            while True:
                try:
                    event = await asyncio.wait_for(queue.get(), every)
                except TimeoutError:
                    if served.live.sequence != told:
                        told, quiet_since = served.live.sequence, loop.time()
                        yield _written(news.state(served))
                    elif loop.time() - quiet_since >= SOON:
                        quiet_since = loop.time()
                        yield b":\n\n"
                    continue
                if event is None:
                    return
                # The next state tells of it as well.
                told = -1
                yield _written(event)
    finally:
        models.streams -= 1


def _written(event: dict[str, Any]) -> bytes:
    kind, number = str(event["event"]).encode(), int(event["sequence"])
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (number, kind, msgspec.json.encode(event))

"""Bodies of requests: read within bounds of size and time, and told by their types."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Generator
from types import coroutine
from typing import Any

from starlette.requests import Request
from starlette.types import Receive

from thresher.errors import ServiceError
from thresher.service.live_models import Limits

JSON, NDJSON, MODEL_FILE = "application/json", "application/x-ndjson", "application/octet-stream"
#: Where the guard of a service puts the headers of a request, by their names.
BY_NAME = "thresher.headers"
#: The types of lines, and the formats that they are read by.
TEXTS = {"text/x-svmlight": "svmlight", "text/x-vw": "vw"}


async def body_of(request: Request, limits: Limits) -> bytes:
    """The body, if it is short enough and comes soon enough."""
    headers = request.scope[BY_NAME]
    if headers.get(b"content-encoding", b"identity") != b"identity":
        raise ServiceError(
            "the body is packed, and this service unpacks none.",
            "Send it as it is.",
            code="service.content_type",
        )
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and len(length) < 16 and int(length) > limits.body:
        raise _too_large(limits.body)
    reading = _read(request.receive, limits.body)
    # Most bodies have come with their heads: only for the others is it worth setting a clock.
    try:
        waits_for = reading.send(None)
    except StopIteration as done:
        body: bytes = done.value
        return body
    try:
        async with asyncio.timeout(limits.body_seconds):
            return await _go_on(reading, waits_for)
    except TimeoutError:
        raise ServiceError(
            f"the body did not come in {limits.body_seconds:g} seconds.", code="service.slow"
        ) from None


@coroutine
def _go_on(begun: Coroutine[Any, Any, bytes], waits_for: Any) -> Generator[Any, Any, bytes]:
    """The result of a coroutine that has begun, and waits for something."""
    while True:
        try:
            try:
                found = yield waits_for
            except BaseException as error:  # such as the wish to end it
                waits_for = begun.throw(error)
            else:
                waits_for = begun.send(found)
        except StopIteration as done:
            body: bytes = done.value
            return body


async def _read(receive: Receive, most: int) -> bytes:
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ServiceError("the body ended early.", code="service.malformed")
        body += message.get("body", b"")
        if len(body) > most:
            raise _too_large(most)
        if not message.get("more_body", False):
            return body


def _too_large(most: int) -> ServiceError:
    return ServiceError(
        f"a body has at most {most} bytes.", "Send several requests.", code="service.too_large"
    )


def type_of(request: Request, *known: str) -> str:
    """The type of the body, which must be one of those known; JSON unless it is said."""
    written = request.scope[BY_NAME].get(b"content-type", b"application/json")
    found: str = written.partition(b";")[0].strip().lower().decode("latin-1")
    if found not in known:
        raise ServiceError(
            f"the body is of type {found[:60]!r}, expected {', '.join(known)}.",
            code="service.content_type",
        )
    return found

"""Bodies of requests: read within bounds of size and time, and told by their types."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Generator
from pathlib import Path
from types import coroutine
from typing import Any

from starlette.requests import Request
from starlette.types import Receive

from thresher.errors import ServiceError
from thresher.service.live_models import Limits

JSON, NDJSON, MODEL_FILE = "application/json", "application/x-ndjson", "application/octet-stream"
#: Where the guard of a service puts the headers of a request, by their names.
BY_NAME = "thresher.headers"
#: The types of lines; which of them a model reads, its `Inputs` say.
TEXTS = (
    *("text/x-svmlight", "text/x-vw"),
    *("text/plain", "text/tab-separated-values", "text/csv"),
)


async def body_of(request: Request, limits: Limits) -> bytes:
    """The body, if it is short enough and comes soon enough."""
    _check_head(request, limits.body)
    parts: list[bytes] = []
    reading = _handed_on(request.receive, limits.body, parts.append)
    # Most bodies have come with their heads: only for the others is it worth setting a clock.
    try:
        waits_for = reading.send(None)
    except StopIteration:
        return parts[0] if len(parts) == 1 else b"".join(parts)
    await _in_time(_go_on(reading, waits_for), limits.body_seconds)
    return b"".join(parts)


async def file_of(request: Request, limits: Limits, path: Path) -> None:
    """The body in a file; what is too long, or comes too late, is none."""
    _check_head(request, limits.file)
    try:
        with path.open("xb") as file:
            await _in_time(
                _handed_on(request.receive, limits.file, file.write), limits.file_seconds
            )
    except OSError as error:
        raise ServiceError(
            f"the model file could not be kept while it came ({error.strerror}).",
            "Make room where temporary files are.",
            code="service.full",
        ) from error


def _check_head(request: Request, most: int) -> None:
    """Refuse a body that is packed, or says that it is too long."""
    headers = request.scope[BY_NAME]
    if headers.get(b"content-encoding", b"identity") != b"identity":
        raise ServiceError(
            "the body is packed, and this service unpacks none.",
            "Send it as it is.",
            code="service.content_type",
        )
    length = headers.get(b"content-length", b"0")
    if length.isdigit() and len(length) < 16 and int(length) > most:
        raise _too_large(most)


async def _in_time(reading: Awaitable[None], seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await reading
    except TimeoutError:
        raise ServiceError(
            f"the body did not come in {seconds:g} seconds.", code="service.slow"
        ) from None


@coroutine
def _go_on(begun: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    """The rest of a coroutine that has begun, and waits for something."""
    while True:
        try:
            try:
                found = yield waits_for
            except BaseException as error:  # such as the wish to end it
                waits_for = begun.throw(error)
            else:
                waits_for = begun.send(found)
        except StopIteration:
            return


async def _handed_on(receive: Receive, most: int, take: Callable[[bytes], object]) -> None:
    """Hand the parts of a body on, up to a number of bytes."""
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ServiceError("the body ended early.", code="service.malformed")
        part = message.get("body", b"")
        size += len(part)
        if size > most:
            raise _too_large(most)
        take(part)
        if not message.get("more_body", False):
            return


def _too_large(most: int) -> ServiceError:
    return ServiceError(
        f"a body has at most {most} bytes.", "Send several requests.", code="service.too_large"
    )


def type_of(request: Request, *known: str) -> str:
    """The type of the body, which must be one of those known; JSON unless it is said."""
    written: bytes = request.scope[BY_NAME].get(b"content-type", b"application/json")
    found, _, more = written.decode("latin-1").lower().partition(";")
    found = found.strip()
    if "charset=" in more:
        _require_utf_8(more.partition("charset=")[2].strip(' "'))
    if found not in known:
        raise ServiceError(
            f"the body is of type {found[:60]!r}, expected {', '.join(known)}.",
            code="service.content_type",
        )
    return found


def _require_utf_8(charset: str) -> None:
    if charset not in ("utf-8", "utf8", "us-ascii"):
        raise ServiceError(
            f"the body is in {charset[:40]!r}, and this service reads UTF-8.",
            "Send it in UTF-8.",
            code="service.content_type",
        )

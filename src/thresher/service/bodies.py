"""Bodies of requests: read within bounds of size and time, and told by their types."""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request

from thresher.errors import ServiceError
from thresher.service.live_models import Limits

JSON, NDJSON, MODEL_FILE = "application/json", "application/x-ndjson", "application/octet-stream"
#: The types of lines, and the formats that they are read by.
TEXTS = {"text/x-svmlight": "svmlight", "text/x-vw": "vw"}


async def body_of(request: Request, limits: Limits) -> bytes:
    """The body, if it is short enough and comes soon enough."""
    if request.headers.get("content-encoding", "identity") != "identity":
        raise ServiceError(
            "the body is packed, and this service unpacks none.",
            "Send it as it is.",
            code="service.content_type",
        )
    if int(_digits(request.headers.get("content-length", "0"))) > limits.body:
        raise _too_large(limits.body)
    try:
        async with asyncio.timeout(limits.body_seconds):
            return await _read(request, limits.body)
    except TimeoutError:
        raise ServiceError(
            f"the body did not come in {limits.body_seconds:g} seconds.", code="service.slow"
        ) from None
    except ClientDisconnect:
        raise ServiceError("the body ended early.", code="service.malformed") from None


def _digits(text: str) -> str:
    return text if text.isascii() and text.isdigit() and len(text) < 16 else "0"


async def _read(request: Request, most: int) -> bytes:
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise _too_large(most)
    return bytes(body)


def _too_large(most: int) -> ServiceError:
    return ServiceError(
        f"a body has at most {most} bytes.", "Send several requests.", code="service.too_large"
    )


def type_of(request: Request, *known: str) -> str:
    """The type of the body, which must be one of those known; JSON unless it is said."""
    found = request.headers.get("content-type", JSON).partition(";")[0].strip().lower()
    if found not in known:
        raise ServiceError(
            f"the body is of type {found[:60]!r}, expected {', '.join(known)}.",
            code="service.content_type",
        )
    return found

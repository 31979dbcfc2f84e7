"""Bodies of requests: read within bounds of size and time, and told by their types."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from starlette.requests import ClientDisconnect, Request

from thresher.errors import ServiceError
from thresher.service.live_models import Limits

JSON, NDJSON, MODEL_FILE = "application/json", "application/x-ndjson", "application/octet-stream"
#: The types of lines; which of them a model reads, its `Inputs` say.
TEXTS = (
    *("text/x-svmlight", "text/x-vw"),
    *("text/plain", "text/tab-separated-values", "text/csv"),
)


async def body_of(request: Request, limits: Limits) -> bytes:
    """The body, if it is short enough and comes soon enough."""
    body = bytearray()
    await _received(request, limits.body, limits.body_seconds, body.extend)
    return bytes(body)


async def file_of(request: Request, limits: Limits, path: Path) -> None:
    """The body in a file; what is too long, or comes too late, is none."""
    try:
        with path.open("xb") as file:
            await _received(request, limits.file, limits.file_seconds, file.write)
    except OSError as error:
        raise ServiceError(
            f"the model file could not be kept while it came ({error.strerror}).",
            "Make room where temporary files are.",
            code="service.full",
        ) from error


async def _received(
    request: Request, most: int, seconds: float, take: Callable[[bytes], object]
) -> None:
    """Hand the parts of a body on, if it is short enough and comes soon enough."""
    if request.headers.get("content-encoding", "identity") != "identity":
        raise ServiceError(
            "the body is packed, and this service unpacks none.",
            "Send it as it is.",
            code="service.content_type",
        )
    if int(_digits(request.headers.get("content-length", "0"))) > most:
        raise _too_large(most)
    size = 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise _too_large(most)
                take(part)
    except TimeoutError:
        raise ServiceError(
            f"the body did not come in {seconds:g} seconds.", code="service.slow"
        ) from None
    except ClientDisconnect:
        raise ServiceError("the body ended early.", code="service.malformed") from None


def _digits(text: str) -> str:
    return text if text.isascii() and text.isdigit() and len(text) < 16 else "0"


def _too_large(most: int) -> ServiceError:
    return ServiceError(
        f"a body has at most {most} bytes.", "Send several requests.", code="service.too_large"
    )


def type_of(request: Request, *known: str) -> str:
    """The type of the body, which must be one of those known; JSON unless it is said."""
    found, _, more = request.headers.get("content-type", JSON).partition(";")
    found = found.strip().lower()
    charset = more.partition("charset=")[2].strip(' "').lower() if "charset=" in more else "utf-8"
    if charset not in ("utf-8", "utf8", "us-ascii"):
        raise ServiceError(
            f"the body is in {charset[:40]!r}, and this service reads UTF-8.",
            "Send it in UTF-8.",
            code="service.content_type",
        )
    if found not in known:
        raise ServiceError(
            f"the body is of type {found[:60]!r}, expected {', '.join(known)}.",
            code="service.content_type",
        )
    return found

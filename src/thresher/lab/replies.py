"""Answers of the lab: JSON, events, and errors that say what to do."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from thresher.errors import RequestError, ThresherError
from thresher.lab.background import frames_of

_ENCODER = msgspec.json.Encoder()
#: Bytes that a file given by the browser may have; larger ones are given by their path.
UPLOAD_LIMIT = 256 * 2**20


def reply(content: Any, status: int = 200) -> Response:
    """An answer in JSON."""
    return Response(_ENCODER.encode(content), status, media_type="application/json")


async def refused(request: Request, error: Exception) -> Response:
    """An error that is the caller's to fix."""
    return reply(problem(error), 400)


def problem(error: Exception) -> dict[str, Any]:
    """What is wrong, for the page; `code` tells cases apart."""
    if isinstance(error, ThresherError):
        return {"error": str(error), "code": error.code, "fields": error.fields}
    return {"error": str(error), "code": "error", "fields": {}}


def events(work: Iterator[Any]) -> Response:
    """The steps of some work as server-sent events, the last being `done` or `problem`."""

    async def lines() -> AsyncIterator[bytes]:
        try:
            async for frame in frames_of(work):
                yield b"data: " + _ENCODER.encode(frame) + b"\n\n"
            yield b"event: done\ndata: {}\n\n"
        except ThresherError as error:
            yield b"event: problem\ndata: " + json.dumps(problem(error)).encode() + b"\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")


def wanted(request: Request, name: str) -> str:
    """A parameter of the address that must be there."""
    value = request.query_params.get(name)
    if value is None:
        raise RequestError(f"the address has no {name}=.")
    return value


def whole(request: Request, name: str, default: int) -> int:
    """A whole number of the address."""
    text = request.query_params.get(name, str(default))
    if not text.lstrip("-").isdigit() or len(text) > 15:
        raise RequestError(f"{name}={text[:40]} is not a whole number.")
    return int(text)

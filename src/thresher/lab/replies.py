"""Answers of the lab: JSON, events, and errors that say what to do."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.errors import RequestError, ThresherError
from thresher.lab.background import frames_of
from thresher.models.written import whole_number

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
    # Nobody foresaw it: its kind says more than its words, which may be none.
    told = f"the lab failed: {type(error).__name__}: {error}"[:400]
    clean = told.encode("utf-8", "backslashreplace").decode()
    return {"error": " ".join(clean.split()), "code": "error", "fields": {}}


def events(work: Iterator[Any]) -> Response:
    """The steps of some work as server-sent events, the last being `done` or `problem`."""

    async def lines() -> AsyncIterator[bytes]:
        try:
            async for frame in frames_of(work):
                yield b"data: " + _ENCODER.encode(frame) + b"\n\n"
            yield b"event: done\ndata: {}\n\n"
        except Exception as error:
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
    found = whole_number(text)
    if found is None:
        raise RequestError(f"{name}={text[:40]} is not a whole number.")
    return found


class LastResort:
    """Answers whatever nobody foresaw with one line of JSON; the lab goes on."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and answer if that fails before an answer has begun."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except Exception as error:
            if not begun:
                await reply(problem(error), 500)(scope, receive, send)
